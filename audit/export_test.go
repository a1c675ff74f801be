package audit

// HashHeader orders the headers of a robot.
func HashHeader(header string) uint64 { return hashHeader([]byte(header)) }

// Forget has a Live forget what no later request can depend on, as it does now and then.
func (l *Live) Forget() { l.forget() }
