package audit

// HashHeader orders the headers of a robot.
func HashHeader(header string) uint64 { return hashHeaderText([]byte(header)) }
