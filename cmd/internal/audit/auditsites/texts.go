package auditsites

import "github.com/robotsexclusion/robots/internal/language"

// Notes. The first placeholder of those about commits is the option with its value.
var (
	textOnlyHost = language.New(
		"Requests whose lines name no host count as requests to %[1]s, the only host with versions of robots.txt.")
	textShallow      = language.New("%[1]s: the repository is a shallow clone, so robots.txt is not known before %[2]s.")
	textEarlyCommits = language.New(
		"%[1]s: commits that are dated before their parents count from the time of their parents: %[2]s.")
	textNoFile = language.New(
		"%[1]s: from commit %[2]s on, the path is a link or a folder, so robots.txt is not known.")
	textDiffer = language.New(
		"%[1]s: %[2]s had different robots.txt files at times, and logs do not tell these origins apart. Where the files differ, robots.txt is not known. To choose an origin, name it with --site.")
	textCutFile = language.New(
		"A robots.txt of %[1]s was longer than the limit of the request. The text after the limit is not known.")
	textHistoryEnds = language.New(
		"The history of %[1]s in %[2]s ends with the last request for robots.txt, at %[3]s. Later requests in the logs are not held against this history.")
	textDamaged = language.New("A text of %[1]s is missing or damaged, so robots.txt is not known from %[2]s on: %[3]s")
)
