package audit

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/robotsexclusion/robots/internal/test/fatal"
)

// Requests that are counted in any order are the series of their sorted seconds.
func TestSecondSeries(t *testing.T) {
	random := rand.New(rand.NewPCG(11, 1))
	for round := range 40 {
		var s secondSeries
		var b hitBuffer
		var seconds []int64
		second := random.Int64N(1000) - 500
		for range random.IntN(6 * minRun) {
			switch random.IntN(3000) {
			case 0:
				second -= 4 * minRun // another log begins
			case 1, 2, 3, 4:
				second -= random.Int64N(5)
			default:
				second += random.Int64N(3)
			}
			seconds = append(seconds, second)
			if !s.add(second) {
				b.addSecond(&s.series, second)
			}
		}
		b.flush()
		s.flush()
		slices.Sort(seconds)
		var want []hit
		for _, second := range seconds {
			want = appendJoined(want, hit{second: second, count: 1})
		}
		if got := collect(&s.series); !slices.Equal(got, want) {
			t.Fatalf("round %d: got %v\nwant %v", round, got, want)
		}
		for _, chunk := range s.chunks {
			fatal.If(t, checkChunk(chunk))
		}
	}
}

// A second log, which begins before the first one ends, is not sorted, and a log in reverse order
// does not make many chunks.
func TestSecondSeriesOrder(t *testing.T) {
	var s secondSeries
	for range 3 {
		for second := range int64(2 * minRun) {
			if !s.add(second) {
				t.Fatal("a log in order is sorted")
			}
		}
	}
	s.flush()
	if len(s.chunks) != 3 {
		t.Errorf("three logs have %d chunks", len(s.chunks))
	}
	var reverse secondSeries
	for second := range int64(2 * minRun) {
		if reverse.add(-second) != (second == 0) {
			t.Fatal("a log in reverse order is not sorted")
		}
	}
}
