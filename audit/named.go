package audit

import "github.com/robotsexclusion/robots/agent"

// fetchesForPersons are the purposes of robots that fetch one page because a person asked for the
// page, or shared its link. RFC 9309 is about crawlers, which choose their pages themselves.
var fetchesForPersons = agent.AIUser | previews()

func previews() agent.Purpose {
	p, _ := agent.ParsePurpose("preview")
	return p
}

// onlyNamed reports whether only a group that names a robot can mean the robot: its operator
// documents that it obeys no robots.txt, or it only fetches pages for persons and its operator does
// not document that it obeys robots.txt all the same.
func onlyNamed(a agent.Agent) bool {
	switch a.Obedience() {
	case agent.Ignores:
		return true
	case agent.Obeys:
		return false
	}
	return a.Purposes != 0 && a.Purposes&^fetchesForPersons == 0
}
