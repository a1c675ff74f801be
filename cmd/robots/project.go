package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/robotsexclusion/robots/internal/cli"
)

// The folders of a project in which a robots.txt usually is: sources, the most common ones first,
// and what a build makes of them.
var (
	sourceFolders = []string{".", "public", "static", "www", "web", "app", "src", "site", "docs", "public_html",
		"htdocs", "wwwroot", "webroot", "html", "source", "assets", "priv/static", "src/main/resources/static"}
	builtFolders = []string{"dist", "build", "out", "_site"}
)

// projectFiles returns the files robots.txt of a project.
func projectFiles(project string) (found []string) {
	return slices.Concat(filesIn(project, sourceFolders), filesIn(project, builtFolders))
}

// filesIn returns the files robots.txt in folders of a project.
func filesIn(project string, folders []string) (found []string) {
	for _, folder := range folders {
		name := filepath.ToSlash(filepath.Join(project, folder, "robots.txt"))
		// a pipe, or a folder of that name, has no text
		if info, err := os.Stat(name); err == nil && info.Mode().IsRegular() {
			found = append(found, name)
		}
	}
	return found
}

// projectFile returns the robots.txt of the project in the current folder, to change it: the one
// that .robots.ini names, or the one in a usual folder. If there is none, it is where the project
// would serve one from. Two of them are an error: it is not known which one is served. What a build
// makes does not count, as the next build undoes a change.
func projectFile() (string, error) {
	found, err := filesOfSettings()
	if err != nil {
		return "", err
	}
	if len(found) == 0 {
		found = filesIn(".", sourceFolders)
	}
	switch len(found) {
	case 0:
		for _, folder := range []string{"public", "static"} {
			if info, err := os.Stat(folder); err == nil && info.IsDir() {
				return folder + "/robots.txt", nil
			}
		}
		return "robots.txt", nil
	case 1:
		return found[0], nil
	default:
		return "", cli.Misusef("there are several robots.txt here: %s: name one with --file", strings.Join(found, ", "))
	}
}
