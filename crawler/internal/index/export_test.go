package index

// The look-ups of a [Distinct].
var (
	WithDigest    = (*Index).withDigest
	WithCanonical = (*Index).withCanonical
)
