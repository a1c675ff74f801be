package main

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/robotsexclusion/robots/internal/cli"
	"github.com/robotsexclusion/robots/internal/language"
	"github.com/spf13/cobra"
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
	}
	return "", severalFiles(found, "name one with --file")
}

func severalFiles(found []string, what string) error {
	return cli.Misusef("there are several robots.txt here: %s: %s", shown(strings.Join(found, ", ")), what)
}

// readsProject lets a verb that takes a file do without one in a project, where it takes that of
// the project and says so. place returns which argument the file is, and whether it is missing.
// People also name the file by a flag, as other verbs do: that is the same.
func readsProject(cmd *cobra.Command, place func(cmd *cobra.Command, args []string) (at int, missing bool)) {
	var byFlag string
	check, run := cmd.Args, cmd.RunE
	for _, name := range []string{"file", "robots"} {
		letter := ""
		if name == "file" && cmd.Flags().ShorthandLookup("f") == nil {
			letter = "f"
		}
		cmd.Flags().StringVarP(&byFlag, name, letter, "", "")
		cmd.Flags().MarkHidden(name)
	}
	complete := func(cmd *cobra.Command, args []string) (all []string, found string, err error) {
		at, missing := place(cmd, args)
		switch {
		case byFlag != "":
			return slices.Insert(slices.Clone(args), min(at, len(args)), byFlag), "", nil
		case !missing:
			return args, "", nil
		}
		files, err := filesOfSettings()
		for _, folders := range [][]string{sourceFolders, builtFolders} {
			if len(files) == 0 {
				files = filesIn(".", folders)
			}
		}
		switch {
		case err != nil:
			return nil, "", err
		case len(files) == 0:
			return nil, "", cli.Misusef("no file is given, and there is no robots.txt here, nor in public/, static/ " +
				"and the like: name one, or - for standard input")
		case len(files) > 1:
			return nil, "", severalFiles(files, "name one")
		}
		return slices.Insert(slices.Clone(args), at, files[0]), files[0], nil
	}
	cmd.Args = func(cmd *cobra.Command, args []string) error {
		args, _, err := complete(cmd, args)
		if err != nil {
			return err
		}
		return check(cmd, args)
	}
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		args, found, err := complete(cmd, args)
		if err != nil {
			return err
		}
		if quiet := cmd.Flags().Lookup("quiet"); found != "" && (quiet == nil || !quiet.Changed) {
			fmt.Fprintf(cmd.ErrOrStderr(), "robots: %s\n", textTakes.In(cli.LanguageOf(cmd), shown(found)))
		}
		return run(cmd, args)
	}
}

// first is the place of the file of verbs whose only arguments are files.
func first(_ *cobra.Command, args []string) (at int, missing bool) { return 0, len(args) == 0 }

var textTakes = language.New("no file is named: this is about %[1]s")
