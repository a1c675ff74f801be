package trap

// An Entry is one rule of the catalog.
type Entry = entry

// Catalog returns all rules but None, in the order in which they are tried.
func Catalog() []Entry { return catalog[1:] }

// The lists of words, for a test of each.
var (
	Doing = doing
	Done  = done
	Mild  = mild
	Acts  = acts
	Names = names
)
