package index

// The look-ups that a [Distinct] makes.
var (
	WithDigest    = (*Index).withDigest
	WithCanonical = (*Index).withCanonical
)
