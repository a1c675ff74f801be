package audit

import "github.com/robotsexclusion/robots/audit/accesslog"

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

// HashToken orders the robots in no table.
func HashToken(token, kind string) uint64 { return hashName(token + kind) }

// Limits returns how many hours or days are kept of the robots of the table, and of all others.
func Limits() (known, others int) { return maxKnownPeriods, maxOtherPeriods }

// SetLimits sets the limits, and returns a function that resets them.
func SetLimits(known, others int) (reset func()) {
	k, o := Limits()
	maxKnownPeriods, maxOtherPeriods = known, others
	return func() { SetLimits(k, o) }
}

// SetMaxTokens sets how many tokens of robots in no table are kept, and returns a function that
// resets the number.
func SetMaxTokens(n int) (reset func()) {
	before := maxTokens
	maxTokens = n
	return func() { maxTokens = before }
}

// HashRequest returns the hash of a request, which decides whether it is in a sample.
func HashRequest(r *accesslog.Request) uint64 {
	s := newSample(4)
	s.add(r, r.Time.Unix(), hashesOf(r.UserAgent), nil)
	return s.fresh[0].hash
}

// SampleSizes returns the maximum numbers of different requests in the samples of people and of
// robots.
func SampleSizes() (people, callers int) { return maxPeople, maxCallers }
