package auditsites

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/robotsexclusion/robots/audit"
)

// hour returns the time some hours after the start of 2026.
func hour(h float64) time.Time {
	return time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC).Add(time.Duration(h * float64(time.Hour)))
}

// read reads values, and returns the versions of each host in the form "HOST: HOUR=TEXT …", with "-"
// for Nothing and "?" for Unknown, and * for the time before all others. Seconds after an hour are
// written as +1s.
func read(t *testing.T, values Values, stdin string) (string, *Sites) {
	t.Helper()
	s, err := Parse(values)
	if err != nil {
		t.Fatal(err)
	}
	sites, err := s.Read(t.Context(), strings.NewReader(stdin))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := audit.New(audit.Options{Sites: sites.Versions}); err != nil {
		t.Errorf("%+v: %v", values, err)
	}
	var lines []string
	for _, host := range slices.Sorted(maps.Keys(sites.Versions)) {
		words := []string{host + ":"}
		for _, v := range sites.Versions[host] {
			words = append(words, when(v.From)+"="+[...]string{string(v.Text), "-", "?"}[v.State])
		}
		lines = append(lines, strings.Join(words, " "))
	}
	return strings.Join(lines, "\n"), sites
}

func when(t time.Time) string {
	if t.IsZero() {
		return "*"
	}
	past := t.Sub(hour(0))
	text := fmt.Sprint(int(past.Hours()))
	if rest := past % time.Hour; rest != 0 {
		text += "+" + rest.String()
	}
	return text
}

// readError reads values, and returns the error.
func readError(t *testing.T, values Values) error {
	t.Helper()
	s, err := Parse(values)
	if err != nil {
		t.Fatal(err)
	}
	sites, err := s.Read(t.Context(), strings.NewReader(""))
	if err == nil {
		t.Errorf("%+v: got %+v, want an error", values, sites)
		return errors.New("none")
	}
	return err
}

func wantNote(t *testing.T, sites *Sites, want string) {
	t.Helper()
	if !slices.ContainsFunc(sites.Notes, func(note string) bool { return strings.Contains(note, want) }) {
		t.Errorf("got the notes %q, want one with %q", sites.Notes, want)
	}
}

// TestReadFiles reads texts for all times.
func TestReadFiles(t *testing.T) {
	folder := t.TempDir()
	name := filepath.Join(folder, "a=b.txt")
	for file, text := range map[string]string{name: "Disallow: /a\n", filepath.Join(folder, "empty"): ""} {
		if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	got, sites := read(t, Values{Robots: []string{name}}, "")
	if want := ": *=Disallow: /a\n"; got != want || sites.Host != "" || sites.Versions[""][0].ID != name || sites.Notes != nil {
		t.Errorf("got %q, %+v, want %q", got, sites, want)
	}
	got, sites = read(t, Values{Robots: []string{"A.example=-", "b.example=" + name, "c.example=" + filepath.Join(folder, "empty")}}, "x")
	if want := "a.example: *=x\nb.example: *=Disallow: /a\n\nc.example: *="; got != want || sites.Host != "" || sites.Versions["a.example"][0].ID != "standard input" {
		t.Errorf("got %q, %+v, want %q", got, sites, want)
	}
	if _, sites = read(t, Values{Robots: []string{name}, Site: "https://A.example"}, ""); sites.Host != "a.example" || sites.Notes != nil {
		t.Errorf("with a site: got %+v", sites)
	}
	if _, sites = read(t, Values{Robots: []string{"a.example=" + name}}, ""); sites.Host != "a.example" {
		t.Errorf("with one host: got %+v", sites)
	}
	wantNote(t, sites, "name no host count as requests to a.example")
	if _, sites = read(t, Values{}, ""); sites.Host != "" || len(sites.Versions) != 0 {
		t.Errorf("without values: got %+v", sites)
	}

	large := filepath.Join(folder, "large")
	f, err := os.Create(large)
	if err == nil {
		err = errors.Join(f.Truncate(maxText+1), f.Close())
	}
	if err != nil {
		t.Fatal(err)
	}
	for value, want := range map[string]string{
		filepath.Join(folder, "missing"): "there is no such file",
		"a.example=" + folder:            "it is a directory",
		large:                            "is larger than 64 MiB",
	} {
		if err := readError(t, Values{Robots: []string{value}}); !strings.Contains(err.Error(), want) || !strings.HasPrefix(err.Error(), "--robots ") {
			t.Errorf("%s: got %v, want %s", value, err, want)
		}
	}
}

// commitAll commits a text as robots.txt at hours. An empty text deletes the file.
func commitAll(t *testing.T, hours []int, texts ...string) (folder string) {
	t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git is not installed")
	}
	folder = t.TempDir()
	runGit(t, folder, 0, "init", "-q", "-b", "main")
	for i, text := range texts {
		name := filepath.Join(folder, "robots.txt")
		err := os.WriteFile(name, []byte(text), 0o666)
		if text == "" {
			err = os.Remove(name)
		}
		if err != nil && !errors.Is(err, os.ErrNotExist) {
			t.Fatal(err)
		}
		runGit(t, folder, hours[i], "add", "-A")
		runGit(t, folder, hours[i], "commit", "-q", "--allow-empty", "-m", "x")
	}
	return folder
}

func runGit(t *testing.T, folder string, at int, args ...string) {
	t.Helper()
	cmd := exec.Command("git", args...)
	cmd.Dir = folder
	cmd.Env = append(os.Environ(), "GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_AUTHOR_NAME=A", "GIT_AUTHOR_EMAIL=a@example.com",
		"GIT_COMMITTER_NAME=A", "GIT_COMMITTER_EMAIL=a@example.com", "GIT_COMMITTER_DATE="+hour(float64(at)).Format(time.RFC3339))
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("git %q: %v\n%s", args, err, out)
	}
}

// TestReadGit reads histories of git.
func TestReadGit(t *testing.T) {
	folder := commitAll(t, []int{1, 2, 3, 4, 5, 4, 6}, "", "a", "a", "", "b", "c", "d")
	value := folder + ":robots.txt"
	got, sites := read(t, Values{Git: []string{"a.example=" + value}}, "")
	if want := "a.example: *=- 2=a 4=- 5=c 6=d"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	wantNote(t, sites, "at the time of their parents; there are 1")
	if id := sites.Versions["a.example"][1].ID; len(id) != 40 {
		t.Errorf("got the ID %q", id)
	}
	got, _ = read(t, Values{Git: []string{value}, DeployedAfter: 6 * time.Hour}, "")
	if want := ": *=- 8=a 10=- 11=c 12=d"; got != want {
		t.Errorf("with a delay: got %s, want %s", got, want)
	}

	clone := t.TempDir()
	runGit(t, clone, 0, "clone", "-q", "--depth=4", "file://"+filepath.ToSlash(folder), ".")
	got, sites = read(t, Values{Git: []string{clone + ":robots.txt"}, DeployedAfter: time.Hour}, "")
	if want := ": 5=- 6=c 7=d"; got != want {
		t.Errorf("of a shallow clone: got %s, want %s", got, want)
	}
	wantNote(t, sites, "not known before 2026-01-01T05:00:00Z")

	got, _ = read(t, Values{Git: []string{commitAll(t, []int{1, 2}, "a", "b") + ":robots.txt"}}, "")
	if want := ": *=- 1=a 2=b"; got != want {
		t.Errorf("in the first commit: got %s, want %s", got, want)
	}

	linked := commitAll(t, []int{1}, "a")
	if err := errors.Join(os.Remove(filepath.Join(linked, "robots.txt")), os.Symlink("x", filepath.Join(linked, "robots.txt"))); err != nil {
		t.Skip(err)
	}
	runGit(t, linked, 2, "add", "-A")
	runGit(t, linked, 2, "commit", "-q", "-m", "x")
	got, sites = read(t, Values{Git: []string{linked + ":robots.txt"}}, "")
	if want := ": *=- 1=a 2=?"; got != want {
		t.Errorf("with a link: got %s, want %s", got, want)
	}
	wantNote(t, sites, "the path is a link")

	err := readError(t, Values{Git: []string{"a.example=" + folder + ":public/robots.txt"}})
	if want := "no commit of HEAD"; !strings.HasPrefix(err.Error(), "--git a.example=") || !strings.Contains(err.Error(), want) {
		t.Errorf("got %v, want %s", err, want)
	}
}
