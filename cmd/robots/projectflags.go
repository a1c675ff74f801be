package main

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/robotsexclusion/robots/internal/cli"
	"github.com/robotsexclusion/robots/internal/printable"
	"github.com/robotsexclusion/robots/internal/userfile"
	"github.com/spf13/cobra"
)

// settingsFile is the name of the file with the flags of a project, in the current folder.
const settingsFile = ".robots.ini"

// maxProject is the most bytes of such a file.
const maxProject = 64 << 10

// A projectVerb says what a project may set for a verb. The file may come from a stranger, whose
// repository somebody looks into: no flag here sends a request, and no name leaves the folder.
type projectVerb struct {
	flags []string // whose values are not file names
	files []string // whose values are file names
	takes bool     // the key "file" has the arguments
}

var projectVerbs = map[string]projectVerb{
	"build": {[]string{"allow", "block", "unknown"}, []string{"claims", "output", "robots-table"}, true},
	"diff":  {[]string{"agent", "fail-on"}, []string{"robots-table"}, false},
	"fmt":   {nil, nil, true},
	"lint":  {[]string{"disable", "enable", "fail-on", "profile"}, []string{"robots-table"}, true},
	"prove": {[]string{"claim", "unknown"}, []string{"claims", "robots-table"}, true},
}

// keys returns what a project may set, sorted.
func (v projectVerb) keys() []string {
	keys := slices.Concat(v.flags, v.files)
	if v.takes {
		keys = append(keys, "file")
	}
	slices.Sort(keys)
	return keys
}

// A setting is a line of the file of a project.
type setting struct {
	line       int
	verb       string // of the section, or "" before the first one
	key, value string
}

// withProject adds the flags and files that the project in the current folder sets to the command
// line of a verb. A flag or a file on the command line replaces that of the project. With
// the variable ROBOTS_PROJECT=none, a gate does not let the change that it judges choose the flags.
func withProject(newRoot func() *cobra.Command, args []string) ([]string, error) {
	if _, err := os.Lstat(settingsFile); errors.Is(err, fs.ErrNotExist) {
		return args, nil // most folders have none, and a start builds the verbs once
	}
	verb, rest, err := newRoot().Find(args)
	if err != nil || projectVerbs[verb.Name()].keys() == nil || os.Getenv("ROBOTS_PROJECT") == "none" {
		return args, nil //nolint:nilerr // the program explains the mistake
	}
	settings, err := readProject()
	if err != nil || len(settings) == 0 || verb.ParseFlags(rest) != nil {
		return args, err
	}
	return addSettings(verb, args, settings), nil
}

// filesOfSettings returns the files that a project names for all verbs.
func filesOfSettings() (names []string, err error) {
	if os.Getenv("ROBOTS_PROJECT") == "none" {
		return nil, nil
	}
	settings, err := readProject()
	for _, s := range settings {
		if s.verb == "" {
			names = append(names, s.value) // "file" is the one key there
		}
	}
	return names, err
}

// addSettings adds settings to the command line of a verb, which has parsed it, and says so: what
// is asked is not only what somebody typed.
func addSettings(verb *cobra.Command, args []string, settings []setting) []string {
	name := verb.Name()
	for _, asks := range []string{"help", "explain"} { // for a text that is about no file
		if f := verb.Flags().Lookup(asks); f != nil && f.Changed {
			return args
		}
	}
	may := projectVerbs[name]
	ownFiles := slices.ContainsFunc(settings, func(s setting) bool { return s.verb == name && s.key == "file" })
	var flags, files []string
	for _, s := range settings {
		switch {
		case s.verb != name && (s.verb != "" || ownFiles):
		case s.key == "file":
			if may.takes {
				files = append(files, s.value)
			}
		case !verb.Flags().Changed(s.key):
			value := s.value
			if verb.Flags().Lookup(s.key).Value.Type() == "stringSlice" {
				value = strings.Join(strings.Fields(strings.ReplaceAll(value, ",", " ")), ",") // a list with blanks
			}
			flags = append(flags, "--"+s.key+"="+value)
		}
	}
	if len(verb.Flags().Args()) > 0 {
		files = nil
	}
	if len(flags)+len(files) == 0 {
		return args
	}
	fmt.Fprintf(verb.ErrOrStderr(), "robots: %s adds %s\n", settingsFile,
		printable.Text(strings.Join(slices.Concat(flags, files), " ")))
	at := slices.Index(args, name)
	all := slices.Concat(args[:at+1], flags, args[at+1:])
	if len(files) > 0 {
		all = append(append(all, "--"), files...)
	}
	return all
}

// readProject reads the file of the project in the current folder, if there is one.
func readProject() ([]setting, error) {
	folder, err := os.OpenRoot(".")
	if err != nil {
		return nil, nil //nolint:nilerr // the verb finds out whether it needs the folder
	}
	defer folder.Close()
	info, err := folder.Stat(settingsFile)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, nil
	case err != nil:
		return nil, fmt.Errorf("cannot read %s: %w", settingsFile, userfile.Cause(err))
	case !info.Mode().IsRegular() || info.Size() > maxProject:
		return nil, fmt.Errorf("%s is not a file of at most %d KiB", settingsFile, maxProject>>10)
	}
	data, err := folder.ReadFile(settingsFile)
	if err != nil {
		return nil, fmt.Errorf("cannot read %s: %w", settingsFile, userfile.Cause(err))
	}
	settings, err := parseProject(string(data))
	for i := 0; err == nil && i < len(settings); i++ {
		err = settings[i].check(folder)
	}
	return settings, err
}

// parseProject reads lines "[VERB]" and "KEY = VALUE". A value ends with its line: no character
// has a meaning in it. Lines that begin with "#" or ";" are comments.
func parseProject(text string) (settings []setting, err error) {
	verb, number := "", 0
	for line := range strings.Lines(strings.TrimPrefix(text, "\ufeff")) {
		number++
		line = strings.TrimSpace(line)
		section, isSection := strings.CutPrefix(line, "[")
		switch {
		case line == "" || line[0] == '#' || line[0] == ';':
		case isSection:
			name, closed := strings.CutSuffix(section, "]")
			if verb = strings.TrimSpace(name); !closed || projectVerbs[verb].keys() == nil {
				return nil, projectError(number, "%q is not a section: write [VERB] with one of %s", line,
					strings.Join(slices.Sorted(maps.Keys(projectVerbs)), ", "))
			}
		default:
			key, value, found := strings.Cut(line, "=")
			if !found {
				return nil, projectError(number, "%q has no value: write KEY = VALUE", line)
			}
			settings = append(settings, setting{number, verb, strings.TrimSpace(key), strings.TrimSpace(value)})
		}
	}
	return settings, nil
}

// check returns an error if a project may not set this, or names a file that is not in its folder.
func (s setting) check(folder *os.Root) error {
	may, known := projectVerbs[s.verb], []string{"file"}
	if s.verb != "" {
		known = may.keys()
	}
	if !slices.Contains(known, s.key) {
		place := "before the first section"
		if s.verb != "" {
			place = "in [" + s.verb + "]"
		}
		return projectError(s.line, "%q cannot be set %s: a project can set %s there", s.key, place,
			strings.Join(known, ", "))
	}
	if s.key != "file" && !slices.Contains(may.files, s.key) {
		return nil
	}
	isOutput := s.key == "output"
	if err := inFolder(folder, s.value, isOutput); errors.Is(err, fs.ErrNotExist) {
		return projectError(s.line, "there is no file %q", s.value)
	} else if err != nil {
		return projectError(s.line, "%q is not a file in this folder: a project names its own files only", s.value)
	}
	return nil
}

// errOutside is the error for a file that is not a project's own.
var errOutside = errors.New("not in the folder")

// inFolder returns an error unless a name is that of a file in a folder, or of a folder there with
// such files. Nothing in it is a link out of the folder, is hidden, as .git is, reads like a URL,
// or is a pipe or a device. A file that is written need not exist.
func inFolder(folder *os.Root, name string, isOutput bool) error {
	if strings.Contains(name, ":") || !filepath.IsLocal(filepath.FromSlash(name)) {
		return errOutside
	}
	name = filepath.FromSlash(name)
	info, err := folder.Stat(name)
	switch {
	case errors.Is(err, fs.ErrNotExist) && isOutput:
		name = filepath.Dir(name)
	case err != nil:
		return err
	case !info.Mode().IsRegular() && !info.IsDir():
		return errOutside
	}
	target, err := filepath.EvalSymlinks(filepath.Join(folder.Name(), name))
	if err != nil {
		return err
	}
	for part := range strings.SplitSeq(filepath.ToSlash(target), "/") {
		if strings.HasPrefix(part, ".") && part != "." {
			return errOutside
		}
	}
	if info == nil || !info.IsDir() || isOutput {
		return nil
	}
	entries, err := fs.ReadDir(folder.FS(), filepath.ToSlash(name))
	for i := 0; err == nil && i < len(entries); i++ {
		info, statErr := folder.Stat(filepath.Join(name, entries[i].Name()))
		if statErr != nil || !info.Mode().IsRegular() && !info.IsDir() {
			err = errOutside
		}
	}
	return err
}

func projectError(line int, format string, args ...any) error {
	return fmt.Errorf("%s:%d: "+format, append([]any{settingsFile, line}, args...)...)
}

// run runs the command line of the program with what the project sets, and returns its exit status.
func run(newRoot func() *cobra.Command, args []string) (status int) {
	root := newRoot()
	all, err := withProject(newRoot, args)
	if err != nil {
		return cli.Fail(root, err)
	}
	root.SetArgs(all)
	return cli.Run(root)
}
