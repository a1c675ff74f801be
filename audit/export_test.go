package audit

// HashHeader orders the headers of a robot.
func HashHeader(header string) uint64 { return hashHeader([]byte(header)) }

// Forget has a Live forget what no later request can depend on, as it does now and then.
func (l *Live) Forget() { l.forget() }

// Kept returns how many answers of hosts, robots, and addresses of robots a Live knows.
func (l *Live) Kept() (answers, robots, clients int) {
	for _, h := range l.hosts {
		answers += len(h.answers)
	}
	for _, robot := range l.robots {
		clients += len(robot.byClient)
	}
	return answers, len(l.robots), clients
}
