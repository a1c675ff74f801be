package trap

// The lists of words, for a test of each.
var (
	Doing = doing
	Done  = done
	Mild  = mild
	Acts  = acts
	Names = names
)
