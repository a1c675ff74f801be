package audit

import "github.com/robotsexclusion/robots/agent"

// fetchesForPersons are the purposes of robots that fetch one page because a person requested the
// page, or shared its link. RFC 9309 is about crawlers, which choose their pages themselves.
var fetchesForPersons = agent.AIUser | previews()

func previews() agent.Purpose {
	p, _ := agent.ParsePurpose("preview")
	return p
}

// onlyNamed reports whether a robot is judged only by a group that names it. That holds if its
// operator documents that it ignores robots.txt, or if it only fetches pages on behalf of people
// and its operator does not document that it obeys robots.txt.
func onlyNamed(a agent.Agent) bool {
	switch a.Obedience() {
	case agent.Ignores:
		return true
	case agent.Obeys:
		return false
	}
	return a.Purposes != 0 && a.Purposes&^fetchesForPersons == 0
}
