package trap

// The lists of words, for a test of each.
var (
	Doing = doing
	Done  = done
	Acts  = acts
	Names = names
)
