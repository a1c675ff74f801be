package audit

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
func (n *logNames) retain(entries []entry) {
	n.interner.retain(entries, func(e *entry) *uint32 { return &e.log })
	n.valid = false
}
