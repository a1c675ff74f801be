package engine

import (
	"encoding/binary"

	"github.com/robotsexclusion/robots"
	"github.com/robotsexclusion/robots/internal/printable"
)

// A policy is a policy with the robots that were asked about.
type policy struct {
	*robots.Policy
	robots []*robots.Group   // by the number of the robot
	rules  []int             // for each robot, the first with the same groups, whose verdicts are the same
	first  map[string]int    // by the lines of the groups, the first robot with them
	known  map[string]uint32 // the number of a robot by its Robot.key
}

// A Robot is a robot as [robots.Policy.For] and [robots.Policy.ForOnly] take it. One Token that is
// not Alone may also be a User-Agent header, and has the fallbacks that the robot's operator
// documents. No token names several robots.
type Robot struct {
	Tokens   []string
	Alone    bool // it does not obey the group for everyone
	Everyone bool // it obeys the group for everyone, whatever its operator documents
}

// key returns a text that no other robot has.
func (r Robot) key() string {
	b := []byte{0}
	if r.Alone {
		b[0] = 1
	}
	if r.Everyone {
		b[0] |= 2
	}
	for _, token := range r.Tokens {
		b = append(binary.AppendUvarint(b, uint64(len(token))), token...)
	}
	return string(b)
}

// group returns the group that the robot obeys.
func (r Robot) group(p *robots.Policy) *robots.Group {
	if r.Alone {
		return p.ForOnly(r.Tokens...)
	}
	return p.For(r.Tokens...)
}

// Robots returns the number of each robot in a policy, to ask about it.
func (e *Engine) Robots(handle uint32, asked []Robot) ([]uint32, error) {
	p, err := e.policy(handle)
	if err != nil {
		return nil, err
	}
	numbers := make([]uint32, len(asked))
	for i, r := range asked {
		key := r.key()
		n, ok := p.known[key]
		if !ok {
			if len(p.robots) >= MaxRobots {
				return nil, wrong(TooMany, len(p.robots), " robots were asked about: forget them, and ask again")
			}
			robot, err := r.meant(p.Policy)
			if err == nil {
				robot, err = robot.known()
			}
			if err != nil {
				return nil, err
			}
			n = p.add(key, robot.group(p.Policy))
		}
		numbers[i] = n
	}
	return numbers, nil
}

// add numbers a robot.
func (p *policy) add(key string, g *robots.Group) uint32 {
	if p.known == nil {
		p.known, p.first = make(map[string]uint32), make(map[string]int)
	}
	n := len(p.robots)
	var lines []byte
	for _, line := range g.Lines() {
		lines = binary.AppendUvarint(lines, uint64(line))
	}
	first, ok := p.first[string(lines)]
	if !ok {
		first, p.first[string(lines)] = n, n
	}
	p.robots, p.rules, p.known[key] = append(p.robots, g), append(p.rules, first), uint32(n)
	return uint32(n)
}

// Forget forgets the robots of a policy: their numbers are given out again.
func (e *Engine) Forget(handle uint32) error {
	p, err := e.policy(handle)
	if err == nil {
		*p = policy{Policy: p.Policy}
	}
	return err
}

// A Verdict is a match as a number: whether it is allowed in bit 0, the reason in bits 1 to 3, and
// the number of the deciding line above them. A line has 28 bits at most, because a text has
// [MaxText] bytes.
type Verdict uint32

// notURL is the reason of a text that is not a URL, and which no robot may fetch.
const notURL = 7

// verdict returns the verdict of a match.
func verdict(m *robots.Match) Verdict {
	v := Verdict(m.Rule.Line)<<4 | Verdict(m.Reason)<<1
	if m.Allowed {
		v |= 1
	}
	return v
}

// Allowed reports whether the robot may fetch the URL.
func (v Verdict) Allowed() bool { return v&1 != 0 }

// Line returns the number of the deciding line, or 0 if no rule decides.
func (v Verdict) Line() int { return int(v >> 4) }

// Reason returns the name of the reason, by [Reasons].
func (v Verdict) Reason() string { return Reasons()[v>>1&7] }

// Reasons returns the names of the reasons, by their numbers in a Verdict.
func Reasons() []string {
	var names [8]string
	for i := range names {
		names[i] = robots.Reason(i).String()
	}
	names[notURL] = "not-a-url"
	return names[:]
}

// robot returns the group of a robot by its number.
func (p *policy) robot(n uint32) (*robots.Group, error) {
	if int64(n) >= int64(len(p.robots)) {
		return nil, wrong(BadValue, "there is no robot ", n, ": the policy knows ", len(p.robots),
			", counted from 0; name the robots again")
	}
	return p.robots[n], nil
}

// Match answers whether a robot may fetch a URL, and appends the deciding rule to b, as written. A
// text that is not a URL is an error.
func (e *Engine) Match(b []byte, handle, robot uint32, url string) (Verdict, []byte, error) {
	p, err := e.policy(handle)
	if err != nil {
		return 0, b, err
	}
	g, err := p.robot(robot)
	if err != nil {
		return 0, b, err
	}
	if err := robots.CheckURL(url); err != nil {
		return 0, b, wrong(BadURL, err.Error())
	}
	m := g.Match(url)
	if m.Reason == robots.DecidingRule {
		if m.Rule.Allow {
			b = append(b, "Allow: "...)
		} else {
			b = append(b, "Disallow: "...)
		}
		b = append(b, m.Rule.Pattern...)
	}
	return verdict(&m), b, nil
}

// MatchAll appends a verdict for each URL and each robot, first all robots of the first URL. A text
// that is not a URL has the verdict "not-a-url".
func (e *Engine) MatchAll(b []Verdict, handle uint32, numbers []uint32, urls []string) ([]Verdict, error) {
	p, err := e.policy(handle)
	if err != nil {
		return b, err
	}
	if len(urls) > 0 && len(numbers) > MaxVerdicts/len(urls) {
		return b, wrong(TooLarge, len(urls), " URLs and ", len(numbers), " robots have more than ", MaxVerdicts,
			" verdicts: ask for fewer URLs at a time")
	}
	var asked []uint32                 // the first robots of those with the same groups
	place := make([]int, len(numbers)) // for each robot, the place of its first among asked
	places := make(map[int]int)        // of the first robots
	for i, n := range numbers {
		if _, err := p.robot(n); err != nil {
			return b, err
		}
		first := p.rules[n]
		at, ok := places[first]
		if !ok {
			at, places[first] = len(asked), len(asked)
			asked = append(asked, uint32(first))
		}
		place[i] = at
	}
	verdicts := make([]Verdict, len(asked))
	for _, url := range urls {
		if robots.CheckURL(url) != nil {
			for range numbers {
				b = append(b, notURL<<1)
			}
			continue
		}
		for i, n := range asked {
			m := p.robots[n].Match(url)
			verdicts[i] = verdict(&m)
		}
		for _, at := range place {
			b = append(b, verdicts[at])
		}
	}
	return b, nil
}

// Explain answers whether a robot may fetch a URL with all the rules that matched, as the JSON of
// robots.Explanation. A text that is not a URL is an error.
func (e *Engine) Explain(handle, robot uint32, url string) ([]byte, error) {
	p, err := e.policy(handle)
	if err != nil {
		return nil, err
	}
	g, err := p.robot(robot)
	if err != nil {
		return nil, err
	}
	if err := robots.CheckURL(url); err != nil {
		return nil, wrong(BadURL, err.Error())
	}
	// The JSON of encoding/json, which is half of the core engine.
	x := g.Explain(url)
	b := append(x.Match.AppendFields([]byte(`{"match":{`)), `},"group":`...)
	b = append(printable.AppendString(b, x.Group), `,"path":`...)
	b = append(printable.AppendString(b, x.Path), `,"candidates":[`...)
	for i, c := range x.Candidates {
		if i > 0 {
			b = append(b, ',')
		}
		candidate, err := c.MarshalJSON()
		if err != nil {
			return nil, err
		}
		b = append(b, candidate...)
	}
	return append(b, "]}"...), nil
}
