//go:build !purego

package marks

import "golang.org/x/sys/cpu"

// Vectors says that marks are found faster than by searches for each of them: the processor has the instructions of
// findVectors. Processors have them since 2013.
var Vectors = cpu.X86.HasAVX2 && cpu.X86.HasBMI1 && cpu.X86.HasPOPCNT

func (l *List) find(text []byte) {
	if !Vectors {
		l.add(text, 0)
		return
	}
	whole := len(text) / vectorSize * vectorSize
	if whole > 0 {
		l.n = findVectors(&l.array, &text[0], whole/vectorSize)
	}
	l.add(text[whole:], whole)
}

// vectorSize is the number of bytes that findVectors looks at together.
const vectorSize = 64

// findVectors stores the indices of the marks in a text of n times 64 bytes, and returns their number. n is at least 1.
//
//go:noescape
func findVectors(to *[MaxText + slack]uint16, text *byte, n int) (found int)
