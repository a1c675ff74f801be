package audit

import "github.com/robotsexclusion/robots/agent"

// fetchesForPersons are the purposes of robots that fetch one page because a person requested the
// page, shared its link, or subscribed to its feed. RFC 9309 is about crawlers, which choose their
// pages themselves.
var fetchesForPersons = agent.AIUser | purpose("preview") | purpose("feed")

// tools are the purposes of robots in no table that only their names bind.
var tools = purpose("tool")

func purpose(name string) agent.Purpose {
	p, _ := agent.ParsePurpose(name)
	return p
}

// onlyNamed reports whether a robot is judged only by a group that names it. That holds if its
// operator documents that it ignores robots.txt, or if it is not a crawler, or only fetches pages
// on behalf of people, and its operator does not document that it obeys robots.txt.
func onlyNamed(a agent.Agent) bool {
	switch a.Obedience() {
	case agent.Ignores:
		return true
	case agent.Obeys:
		return false
	}
	return !a.Crawler() || a.Purposes != 0 && a.Purposes&^fetchesForPersons == 0
}
