package requestrate

import (
	"math"
	"math/big"
	"testing"
	"time"

	"github.com/robotsexclusion/robots"
)

func TestAt(t *testing.T) {
	for _, test := range []struct {
		text        string
		night, noon int // the lines of the rates that hold, or 0
	}{
		{"Crawl-delay: 1\n", 0, 0},
		{"Request-rate: 1/10\nRequest-rate: 1/20\nRequest-rate: 1/15\n", 3, 3},
		{"Request-rate: 1/10\nRequest-rate: 6/1m\n", 3, 3},
		{"Request-rate: 6/1m\nRequest-rate: 1/10\nRequest-rate: 6/1m\n", 2, 2},
		{"Request-rate: 1/1h\nRequest-rate: 1/1 1100-1300\nRequest-rate: 1/2 1100-1300\n", 2, 4},
		{"Request-rate: 1/1 2300-0100\nRequest-rate: 0/1\n", 2, 0},
	} {
		rates := robots.Parse([]byte("User-agent: *\n" + test.text)).For().RequestRates()
		for hour, want := range map[int]int{0: test.night, 12: test.noon} {
			if got := At(rates, time.Date(2026, 1, 1, hour, 0, 0, 0, time.UTC)).Line; got != want {
				t.Errorf("%q at %d o'clock: got line %d, want %d", test.text, hour, got, want)
			}
		}
	}
}

// TestSlower compares Slower with fractions of any size.
func TestSlower(t *testing.T) {
	numbers := []int64{1, 2, 3, 10, 59, 60, 61, 3600, math.MaxInt32, math.MaxInt64 - 1, math.MaxInt64}
	for _, documents := range numbers {
		for _, period := range numbers {
			for _, otherDocuments := range numbers {
				for _, otherPeriod := range numbers {
					order := big.NewRat(documents, period).Cmp(big.NewRat(otherDocuments, otherPeriod))
					want := order < 0 || order == 0 && period > otherPeriod
					if got := Slower(documents, period, otherDocuments, otherPeriod); got != want {
						t.Errorf("%d/%d, %d/%d: got %t", documents, period, otherDocuments, otherPeriod, got)
					}
				}
			}
		}
	}
}
