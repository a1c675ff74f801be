package house

import (
	"flag"
	"fmt"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/robotsexclusion/robots/internal/test/fatal"
)

var update = flag.Bool("update", false, "write the imports of all packages to floors_test.go")

// A floor is one floor of floors.
type floor struct {
	name, about string
	packages    map[string]*allowance // by folder
}

// An allowance is what a package may import.
type allowance struct{ code, tests []string }

// readFloors reads floors.
func readFloors(t *testing.T) (all []floor) {
	t.Helper()
	var list *[]string // to which the next words belong
	var of *allowance
	for line := range strings.Lines(floors) {
		words := strings.Fields(line)
		if len(words) == 0 {
			continue
		}
		if line[0] != ' ' {
			name, about, _ := strings.Cut(strings.TrimSpace(line), ": ")
			all = append(all, floor{name, about, make(map[string]*allowance)})
			continue
		}
		for _, word := range words {
			switch name, ends := strings.CutSuffix(word, ":"); {
			case ends && name == "tests":
				list = &of.tests
			case ends:
				packages := all[len(all)-1].packages
				if packages[name] != nil {
					t.Errorf("floors has %s twice on one floor", name)
				}
				of = &allowance{}
				packages[name] = of
				list = &of.code
			default:
				*list = append(*list, word)
			}
		}
	}
	return all
}

// TestFloors checks the imports of the source files against floors. It reads the files itself, for
// every system and build tag: the output of "go list" is not among the inputs that make the test
// run again.
func TestFloors(t *testing.T) {
	r := house(t)
	all := readFloors(t)
	packages := r.packages()
	if *update {
		r.updateFloors(t, all, packages)
		return
	}
	level := make(map[string]int)
	allowed := make(map[string]*allowance)
	for i, floor := range all {
		for pkg, may := range floor.packages {
			if _, ok := level[pkg]; ok {
				t.Errorf("%s stands on two floors", pkg)
			}
			level[pkg] = i
			allowed[pkg] = may
		}
	}
	for pkg, may := range allowed {
		for _, p := range may.code {
			if thirdParty(p) {
				continue
			}
			if lower, ok := level[p]; !ok {
				t.Errorf("%s may import %s, which stands on no floor", pkg, p)
			} else if lower > level[pkg] {
				t.Errorf("%s may import %s, which stands above it", pkg, p)
			}
		}
		if packages[pkg] == nil {
			t.Errorf("%s stands on a floor but has no Go files", pkg)
		}
	}
	for pkg, files := range packages {
		if allowed[pkg] == nil {
			t.Errorf("package %s stands on no floor: decide what it may import, and write it into floors", pkg)
			continue
		}
		r.checkImports(t, pkg, files, *allowed[pkg])
	}
}

// checkImports checks the imports of the files of a package.
func (r *repository) checkImports(t *testing.T, pkg string, files []*source, allowed allowance) {
	t.Helper()
	for _, s := range files {
		may := allowed.code
		if s.isTest() {
			may = slices.Concat(may, allowed.tests, []string{pkg})
		}
		for _, p := range s.imports(t) {
			if own, ok := r.ownFolder(t, p); ok {
				if !slices.Contains(may, own) {
					t.Errorf("%s imports package %s, which floors does not allow to %s", s.path, own, pkg)
				}
			} else if thirdParty(p) && !slices.ContainsFunc(may, func(root string) bool { return within(root, p) }) {
				t.Errorf("%s imports %s, which floors does not allow to %s", s.path, p, pkg)
			}
		}
	}
}

// updateFloors writes floors as the files of the packages have it.
func (r *repository) updateFloors(t *testing.T, all []floor, packages map[string][]*source) {
	t.Helper()
	level, before := make(map[string]int), make(map[string]allowance)
	for i, floor := range all {
		for pkg, may := range floor.packages {
			level[pkg], before[pkg] = i, *may
		}
		clear(floor.packages)
	}
	for _, pkg := range slices.Sorted(maps.Keys(packages)) {
		now := r.imported(t, pkg, packages[pkg], before[pkg])
		all[r.levelOf(t, level, packages, pkg)].packages[pkg] = &now
	}
	var b strings.Builder
	for _, floor := range all {
		fmt.Fprintf(&b, "\n%s: %s\n\n", floor.name, floor.about)
		for _, pkg := range slices.Sorted(maps.Keys(floor.packages)) {
			may := floor.packages[pkg]
			writeWords(&b, "  "+pkg+":", may.code)
			if len(may.tests) > 0 {
				writeWords(&b, "    tests:", may.tests)
			}
		}
	}
	const file = "internal/house/floors_test.go"
	head, _, _ := strings.Cut(string(r.file(t, file).text), "`")
	fatal.If(t, os.WriteFile(filepath.Join(r.root, file), []byte(head+"`"+b.String()+"`\n"), 0o666))
}

// imported returns the imports of a package. Paths that floors had stay if the package still
// imports something below them.
func (r *repository) imported(t *testing.T, pkg string, files []*source, before allowance) (now allowance) {
	t.Helper()
	code, tests := make(map[string]bool), make(map[string]bool)
	for _, s := range files {
		for _, p := range s.imports(t) {
			if own, ok := r.ownFolder(t, p); ok {
				p = own
			} else if !thirdParty(p) {
				continue
			} else if root := longest(slices.Concat(before.code, before.tests), p); root != "" {
				p = root
			}
			if s.isTest() {
				tests[p] = true
			} else {
				code[p] = true
			}
		}
	}
	now.code = slices.Sorted(maps.Keys(code))
	for _, p := range slices.Sorted(maps.Keys(tests)) {
		if !code[p] && p != pkg {
			now.tests = append(now.tests, p)
		}
	}
	return now
}

// levelOf returns the number of the floor of a package: its own, or the lowest one with all that a
// new package imports on or below it.
func (r *repository) levelOf(t *testing.T, level map[string]int, packages map[string][]*source, pkg string) int {
	t.Helper()
	if l, ok := level[pkg]; ok {
		return l
	}
	lowest := 0
	for _, p := range r.imported(t, pkg, packages[pkg], allowance{}).code {
		if packages[p] != nil {
			lowest = max(lowest, r.levelOf(t, level, packages, p))
		}
	}
	level[pkg] = lowest
	return lowest
}

// writeWords writes a head and words, in lines of at most 100 bytes.
func writeWords(b *strings.Builder, head string, words []string) {
	indent := strings.Repeat(" ", 2+len(head)-len(strings.TrimLeft(head, " ")))
	line := head
	for _, word := range words {
		if len(line)+1+len(word) > 100 && line != head {
			fmt.Fprintln(b, line)
			line = indent + word
		} else {
			line += " " + word
		}
	}
	fmt.Fprintln(b, line)
}

// TestFloorsAreDrawn compares the drawing of the floors in doc/ARCHITECTURE.md with floors. A line of
// the drawing is the name of a floor, or blanks for the floor of the line before, and rooms up to a
// colon: folders. A package belongs to the innermost room that is drawn around it, which must be on
// its floor.
func TestFloorsAreDrawn(t *testing.T) {
	all := readFloors(t)
	levels := make(map[string]int)
	for i, floor := range all {
		levels[floor.name] = i
	}
	_, text, _ := strings.Cut(string(house(t).file(t, "doc/ARCHITECTURE.md").text), "\n## Floors\n\n```\n")
	drawing, _, _ := strings.Cut(text, "```")
	drawn := make(map[string]int) // the floor of each room
	level := -1
	for line := range strings.Lines(drawing) {
		names, _, _ := strings.Cut(line, ":")
		words := strings.Fields(names)
		if len(words) > 0 && line[0] != ' ' {
			l, ok := levels[words[0]]
			if !ok {
				t.Fatalf("the drawing has the floor %q: the floors are %v", words[0], levels)
			}
			level, words = l, words[1:]
		}
		for _, word := range words {
			for _, room := range drawnRooms(word) {
				if _, ok := drawn[room]; ok {
					t.Errorf("%s is drawn twice", room)
				}
				drawn[room] = level
			}
		}
	}
	rooms := slices.Collect(maps.Keys(drawn))
	empty := maps.Clone(drawn)
	for i, floor := range all {
		for pkg := range floor.packages {
			room := longest(rooms, pkg)
			if l, ok := drawn[room]; !ok || room == "." && pkg != "." || l != i {
				t.Errorf("doc/ARCHITECTURE.md does not draw %s on its floor, %s: add a room under Floors", pkg,
					floor.name)
			}
			delete(empty, room)
		}
	}
	for room := range empty {
		t.Errorf("doc/ARCHITECTURE.md draws %s, which has no package", room)
	}
}

// drawnRooms returns the rooms that a word of the drawing names, such as crawl/{result,warc}.
func drawnRooms(word string) (rooms []string) {
	head, list, _ := strings.Cut(word, "{")
	list, tail, _ := strings.Cut(list, "}")
	for name := range strings.SplitSeq(list, ",") {
		pkg := head + name + tail
		if pkg == "robots" {
			pkg = "."
		}
		rooms = append(rooms, pkg)
	}
	return rooms
}

// TestGoMod checks that go.mod of each listed module makes its users download only the modules that
// source files import, and no tools.
func TestGoMod(t *testing.T) {
	r := house(t)
	packages := r.packages()
	for _, folder := range modules {
		_, directives := r.goMod(t, folder)
		var required []string
		for _, d := range directives {
			if d.verb == "require" {
				required = append(required, d.arg)
			}
		}
		imported := make(map[string]bool) // by module
		for pkg, files := range packages {
			if longest(modules, pkg) != folder {
				continue
			}
			for _, s := range files {
				for _, p := range s.imports(t) {
					imported[longest(required, p)] = true // one module may be nested in another
				}
			}
		}
		checkGoMod(t, path.Join(folder, "go.mod"), directives, imported)
	}
}

// checkGoMod checks the directives of a go.mod. imported has the modules that source files import.
func checkGoMod(t *testing.T, file string, directives []directive, imported map[string]bool) {
	t.Helper()
	for _, d := range directives {
		switch d.verb {
		case "tool":
			t.Errorf("%s names the tool %s: run it as .ci/run does, with go run %[2]s@version", file, d.arg)
		case "replace":
			t.Errorf("%s replaces %s: then nobody can install the command with go install", file, d.arg)
		case "require":
			if !imported[d.arg] && !d.indirect {
				t.Errorf("%s requires %s, which no source file imports: run go mod tidy", file, d.arg)
			}
			if imported[d.arg] && d.indirect {
				t.Errorf("%s requires %s indirectly, but source files import it: run go mod tidy", file, d.arg)
			}
		}
	}
}
