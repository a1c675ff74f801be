package house

import (
	"archive/zip"
	"encoding/json"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"strings"
	"testing"

	"github.com/robotsexclusion/robots/internal/test/fatal"
)

// released has the folders of the modules that a release publishes, all with one version.
var released = []string{".", "crawler", "robotsd", "robotsd/caddy"}

// A moduleFile is what "go mod edit -json" says of a go.mod.
type moduleFile struct {
	Module  struct{ Path string }
	Go      string
	Require []struct{ Path, Version string }
	Replace []struct{ Old struct{ Path string } }
}

// moduleRead has what readModule has read, by folder.
var moduleRead = make(map[string]moduleFile)

// readModule returns the go.mod of a folder.
func readModule(t *testing.T, folder string) (m moduleFile) {
	t.Helper()
	if m, ok := moduleRead[folder]; ok {
		return m
	}
	cmd := exec.Command("go", "mod", "edit", "-json", filepath.Join(house(t).root, folder, "go.mod"))
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%v: %v", cmd, err)
	}
	fatal.If(t, json.Unmarshal(out, &m))
	moduleRead[folder] = m
	return m
}

// TestModules checks that the released modules name one version of each other, replace nothing,
// and require the same versions of the libraries that they share.
func TestModules(t *testing.T) {
	main := readModule(t, ".")
	versions := map[string]string{}
	own := map[string]string{} // the folders of the released modules, by path
	for _, folder := range released {
		own[readModule(t, folder).Module.Path] = folder
	}
	for _, folder := range released {
		m := readModule(t, folder)
		for _, r := range m.Replace {
			t.Errorf("%s/go.mod replaces %s: then nobody can install its programs with go install", folder, r.Old.Path)
		}
		if m.Go != main.Go {
			t.Errorf("%s/go.mod says go %s, and go.mod says go %s", folder, m.Go, main.Go)
		}
		for _, r := range m.Require {
			switch v, ok := versions[r.Path]; {
			case !ok:
				versions[r.Path] = r.Version
			case folder != "robotsd/caddy" && v != r.Version: // Caddy chooses newer versions
				t.Errorf("%s/go.mod requires %s %s, another module %s: run .ci/modules tidy", folder, r.Path, r.Version, v)
			}
		}
	}
	version := versions[main.Module.Path]
	for module := range own {
		if v, ok := versions[module]; ok && v != version {
			t.Errorf("the modules require %s %s, and %s %s: run .ci/modules version %s", main.Module.Path, version, module, v,
				version)
		}
	}
	for folder, work := range map[string]string{"crawler": "go.work", "robotsd": "go.work",
		"robotsd/caddy": "robotsd/caddy/go.work"} {
		for _, r := range readModule(t, folder).Require {
			want := r.Path + " " + version + " => "
			if own[r.Path] != "" && !strings.Contains(string(house(t).file(t, work).text), want) {
				t.Errorf("%s does not say %q, so Go asks for a version that may not be published yet", work, want)
			}
		}
	}
}

// TestPublished builds a program outside of the repository against the main module and the crawler,
// as a proxy of modules would serve them: without the workspace, and without what is not published.
// With ROBOTS_PUBLISHED_ALL it installs robots-crawl and robotsd by their version too, as a user
// does.
func TestPublished(t *testing.T) {
	main, version := readModule(t, "."), ""
	for _, r := range readModule(t, "crawler").Require {
		if r.Path == main.Module.Path {
			version = r.Version
		}
	}
	proxy := t.TempDir()
	published := []string{".", "crawler", "robotsd"} // without Caddy, which few have in their cache
	for _, folder := range published {
		publish(t, proxy, folder, version)
	}
	cache, err := exec.Command("go", "env", "GOMODCACHE", "GOPROXY").Output()
	fatal.If(t, err)
	known, others, _ := strings.Cut(strings.TrimSpace(string(cache)), "\n")
	dir := t.TempDir()
	borrow(t, known, filepath.Join(dir, "mod"), path.Dir(main.Module.Path))
	run := func(args ...string) string {
		t.Helper()
		cmd := exec.Command("go", args...)
		cmd.Dir = dir
		cmd.Env = append(os.Environ(), "GOWORK=off", "GOFLAGS=-mod=mod -modcacherw -trimpath", "GOSUMDB=off", "GOTOOLCHAIN=local",
			"GOMODCACHE="+filepath.Join(dir, "mod"), "GOBIN="+dir,
			"GOPROXY=file://"+proxy+",file://"+filepath.ToSlash(known)+"/cache/download,"+others)
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("go %s: %v\n%s", strings.Join(args, " "), err, out)
		}
		return string(out)
	}
	write := func(name, text string) {
		fatal.If(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666))
	}
	module := main.Module.Path
	required := ""
	for _, folder := range published {
		required += "\t" + path.Join(module, folder) + " " + version + "\n"
	}
	write("go.mod", "module example.com/visitor\n\ngo "+main.Go+"\n\nrequire (\n"+required+")\n")
	write("main.go", `package main

import (
	"fmt"

	"`+module+`"
	"`+module+`/crawler/result"
	"`+module+`/fetch"
)

func main() {
	var _ result.Line
	var _ fetch.Client
	fmt.Println(robots.ParseString("User-agent: *\nDisallow: /private/\n").For("ExampleBot").Match("/private/x"))
}
`)
	if got, want := run("run", "."), "disallowed by line 2: Disallow: /private/\n"; !strings.HasSuffix(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	programs := []string{"crawler/cmd/robots-crawl", "robotsd"}
	run("list", "-deps", module+"/"+programs[0], module+"/"+programs[1]) // reports packages that cannot be imported
	if os.Getenv("ROBOTS_PUBLISHED_ALL") == "" {
		return
	}
	for _, program := range programs {
		run("install", module+"/"+program+"@"+version)
		name := path.Base(program)
		out, err := exec.Command(filepath.Join(dir, name), "version").CombinedOutput()
		if err != nil || !strings.Contains(string(out), version) {
			t.Errorf("%s version: %v, %q, want %s in it", name, err, out, version)
		}
	}
}

// borrow makes a cache of modules that has links to all modules of another one, except for those
// whose paths begin with own: extracting libraries would take most of the time of the test. Where
// the system makes no links, Go extracts them.
func borrow(t *testing.T, known, cache, own string) {
	t.Helper()
	for _, part := range []string{"", "cache/download"} {
		for host := range strings.SplitSeq(path.Dir(own)+" .", " ") {
			entries, _ := os.ReadDir(filepath.Join(known, part, host))
			folder := filepath.Join(cache, part, host)
			fatal.If(t, os.MkdirAll(folder, 0o777))
			for _, e := range entries {
				name := path.Join(host, e.Name())
				if name != own && name != path.Dir(own) && name != "cache" {
					_ = os.Symlink(filepath.Join(known, part, name), filepath.Join(folder, e.Name()))
				}
			}
		}
	}
}

// publish writes a module into a folder in the form that GOPROXY=file:// reads.
func publish(t *testing.T, proxy, folder, version string) {
	t.Helper()
	module := readModule(t, folder).Module.Path
	dir := filepath.Join(proxy, filepath.FromSlash(module), "@v")
	fatal.If(t, os.MkdirAll(dir, 0o777))
	write := func(name string, data []byte) {
		fatal.If(t, os.WriteFile(filepath.Join(dir, name), data, 0o666))
	}
	write("list", []byte(version+"\n"))
	write(version+".info", []byte(`{"Version":"`+version+`","Time":"2026-01-02T03:04:05Z"}`))
	write(version+".mod", house(t).file(t, path.Join(folder, "go.mod")).text)
	file, err := os.Create(filepath.Join(dir, version+".zip"))
	fatal.If(t, err)
	defer file.Close()
	archive := zip.NewWriter(file)
	for _, s := range moduleFiles(t, folder) {
		w, err := archive.Create(module + "@" + version + "/" + strings.TrimPrefix(s.path, folder+"/"))
		fatal.If(t, err)
		if _, err := w.Write(s.text); err != nil {
			t.Fatal(err)
		}
	}
	fatal.If(t, archive.Close())
}

// moduleFiles returns the files of the module in a folder, without those of modules inside of it.
func moduleFiles(t *testing.T, folder string) (files []*source) {
	t.Helper()
	all := house(t).files
	var folders []string // of all modules
	for _, s := range all {
		if path.Base(s.path) == "go.mod" {
			folders = append(folders, s.folder())
		}
	}
	for _, s := range all {
		if longest(folders, s.folder()) == folder {
			files = append(files, s)
		}
	}
	return files
}
