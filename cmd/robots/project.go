package main

import (
	"os"
	"path/filepath"
	"strings"

	"github.com/robotsexclusion/robots/internal/cli"
)

// served are the folders from which frameworks and servers serve files as they are, the most common
// ones first.
var served = []string{"", "public", "static", "public_html", "htdocs", "www", "wwwroot", "webroot", "web",
	"assets", "source", "src", "docs"}

// projectFile returns the robots.txt of the project in the current folder. If there is none, it is
// where the project would serve one from. Two of them are an error: it is not known which one is
// served.
func projectFile() (string, error) {
	var found []string
	folder := ""
	for _, name := range served {
		if info, err := os.Stat(filepath.Join(name, "robots.txt")); err == nil && !info.IsDir() {
			found = append(found, filepath.ToSlash(filepath.Join(name, "robots.txt")))
		}
		// src and the like may be sources only: nothing is created there
		makes := folder == "" && (name == "public" || name == "static")
		if info, err := os.Stat(name); makes && err == nil && info.IsDir() {
			folder = name
		}
	}
	switch len(found) {
	case 0:
		return filepath.ToSlash(filepath.Join(folder, "robots.txt")), nil
	case 1:
		return found[0], nil
	}
	return "", cli.Misusef("there are several robots.txt here: %s: name one with --file", strings.Join(found, ", "))
}
