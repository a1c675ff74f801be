package testweb

// mix returns a pseudo-random number that depends only on its arguments: splitmix64,
// applied to each in turn.
func mix(seed uint64, numbers ...uint64) uint64 {
	x := seed
	for _, n := range numbers {
		x = scramble(x + 0x9e3779b97f4a7c15 + n)
	}
	return scramble(x + 0x9e3779b97f4a7c15)
}

func scramble(x uint64) uint64 {
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

// A source is a sequence of such numbers.
type source uint64

func (s *source) next() uint64 {
	*s += 0x9e3779b97f4a7c15
	return scramble(uint64(*s))
}

// below returns a number from 0 to n-1.
func (s *source) below(n int) int { return int(s.next() >> 33 * uint64(n) >> 31) }

// popular returns a number from 0 to n-1, with small numbers more frequent: the
// frequency of k falls with k to the power of two thirds.
func (s *source) popular(n int) int {
	u := float64(s.next()>>11) / (1 << 53)
	return int(float64(n) * u * u * u)
}
