package main

import (
	"os"
	"slices"
	"strings"

	"github.com/robotsexclusion/robots/agent"
	"github.com/robotsexclusion/robots/cmd/internal/asked"
)

// isRobot reports whether an argument in the place of a file or a URL is what people call a robot,
// and no file.
func isRobot(arg string) bool {
	if arg == stdin || strings.HasPrefix(arg, "/") || strings.Contains(arg, "://") ||
		strings.ContainsAny(arg, `.:\`) && !strings.ContainsAny(arg, " /") {
		return false
	}
	_, missing := os.Stat(arg)
	_, unknown := (*agent.Table)(nil).Resolve(arg)
	return missing != nil && unknown == nil
}

// matchLine returns the command line that asks about URLs for arguments among which are robots.
// Without a file or a site it asks the robots.txt of the project here, and without a URL about the
// front page.
func matchLine(args []string) string {
	line := []string{"robots", "match"}
	var rest []string
	for _, arg := range args {
		if isRobot(arg) {
			line = append(line, "--agent", arg)
		} else {
			rest = append(rest, arg)
		}
	}
	if len(rest) == 0 || asked.IsPath(rest[0]) {
		file := theFile
		if found := projectFiles("."); len(found) == 1 {
			file = found
		}
		rest = slices.Concat(file, rest)
	}
	if len(rest) == 1 {
		rest = append(rest, "/")
	}
	return commandLine(slices.Concat(line, rest))
}
