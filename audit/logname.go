package audit

import "iter"

// logNames numbers the names of logs. Most requests are of the same log as the request before.
type logNames struct {
	interner
	last       string
	lastNumber uint32
	valid      bool // last has lastNumber
}

// numberOf returns the number of a name.
func (n *logNames) numberOf(name string) uint32 {
	if !n.valid || name != n.last {
		n.last, n.lastNumber, n.valid = name, n.number(name, secretHash([]byte(name))), true
	}
	return n.lastNumber
}

// retain is that of interner.
func (n *logNames) retain(most int, used iter.Seq[*uint32]) {
	n.interner.retain(most, used)
	n.valid = false
}
