package parquet

import (
	"encoding/binary"
	"math/rand/v2"
	"slices"
	"testing"
)

// TestHybrid compares appendHybrid with a plain reader of the encoding.
func TestHybrid(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	for range 3000 {
		width := random.IntN(21)
		numbers := make([]uint32, random.IntN(60))
		for i := range numbers {
			if i == 0 || random.IntN(4) == 0 {
				numbers[i] = random.Uint32() & (1<<width - 1)
			} else {
				numbers[i] = numbers[i-1]
			}
		}
		got := readHybrid(appendHybrid(nil, numbers, width), len(numbers), width)
		if !slices.Equal(got, numbers) {
			t.Fatalf("of %d bits: got %d, want %d", width, got, numbers)
		}
	}
}

func readHybrid(b []byte, n, width int) (numbers []uint32) {
	for len(numbers) < n {
		head, size := binary.Uvarint(b)
		b = b[size:]
		if head&1 == 0 {
			v := uint32(0)
			for i := range (width + 7) / 8 {
				v |= uint32(b[i]) << (8 * i)
			}
			b = b[(width+7)/8:]
			for range head >> 1 {
				numbers = append(numbers, v)
			}
			continue
		}
		for i := range int(head>>1) * 8 {
			v := uint32(0)
			for bit := range width {
				at := i*width + bit
				v |= uint32(b[at/8]>>(at%8)&1) << bit
			}
			numbers = append(numbers, v)
		}
		b = b[int(head>>1)*width:]
	}
	return numbers[:n]
}
