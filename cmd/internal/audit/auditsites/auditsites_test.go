package auditsites

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/robotsexclusion/robots"
	"github.com/robotsexclusion/robots/audit"
	"github.com/robotsexclusion/robots/fetch"
	"github.com/robotsexclusion/robots/internal/language"
	"github.com/robotsexclusion/robots/internal/test/fatal"
)

// hour returns the time some hours after the start of 2026.
func hour(h float64) time.Time {
	return time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC).Add(time.Duration(h * float64(time.Hour)))
}

// read reads values, and returns the versions of each host in the form "HOST: HOUR=TEXT …", with
// "-" for Nothing and "?" for Unknown, and * for the time before all others. Seconds after an hour
// are written as +1s.
func read(t *testing.T, values Values, stdin string) (string, *Sites) {
	t.Helper()
	s, err := Parse(values)
	fatal.If(t, err)
	sites, err := s.Read(t.Context(), strings.NewReader(stdin))
	fatal.If(t, err)
	if _, err := audit.New(audit.Options{Sites: sites.Versions, Host: sites.Host}); err != nil {
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
	fatal.If(t, err)
	sites, err := s.Read(t.Context(), strings.NewReader(""))
	if err == nil {
		t.Errorf("%+v: got %+v, want an error", values, sites)
		return errors.New("none")
	}
	return err
}

func wantNote(t *testing.T, sites *Sites, want string) {
	t.Helper()
	if !slices.ContainsFunc(sites.Notes, func(note Note) bool {
		return strings.Contains(note.In(language.English),
			want)
	}) {
		t.Errorf("got other notes than one with %q", want)
	}
	for _, note := range sites.Notes {
		data, err := json.Marshal(note)
		var again Note
		if err == nil {
			err = json.Unmarshal(data, &again)
		}
		if err != nil || !reflect.DeepEqual(again, note) {
			t.Errorf("stored, %+v is %+v: %v", note, again, err)
		}
		for l := range language.Language(len(language.Codes())) {
			if text := note.In(l); strings.Contains(text, "%!") || l != language.English &&
				text == note.In(language.English) {
				t.Errorf("%v: got the note %q", l, text)
			}
		}
	}
}

// TestReadFiles reads texts for all times.
func TestReadFiles(t *testing.T) {
	folder := t.TempDir()
	name := filepath.Join(folder, "a=b.txt")
	for file, text := range map[string]string{name: "Disallow: /a\n", filepath.Join(folder, "empty"): ""} {
		fatal.If(t, os.WriteFile(file, []byte(text), 0o666))
	}
	got, sites := read(t, Values{Robots: []string{name}}, "")
	if want := ": *=Disallow: /a\n"; got != want || sites.Host != "" || sites.Versions[""][0].ID != name ||
		sites.Notes != nil {
		t.Errorf("got %q, %+v, want %q", got, sites, want)
	}
	got, sites = read(t, Values{Robots: []string{"A.example=-", "b.example=" + name, "c.example=" +
		filepath.Join(folder, "empty")}}, "x")
	if want := "a.example: *=x\nb.example: *=Disallow: /a\n\nc.example: *="; got != want || sites.Host != "" ||
		sites.Versions["a.example"][0].ID != "standard input" {
		t.Errorf("got %q, %+v, want %q", got, sites, want)
	}
	if _, sites = read(t, Values{Robots: []string{name}, Site: "https://A.example"}, ""); sites.Host != "a.example" ||
		sites.Notes != nil {
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
	fatal.If(t, err)
	for value, want := range map[string]string{
		filepath.Join(folder, "missing"): "there is no such file",
		"a.example=" + folder:            "it is a directory",
		large:                            "is larger than 64 MiB",
	} {
		if err := readError(t, Values{Robots: []string{value}}); !strings.Contains(err.Error(), want) ||
			!strings.HasPrefix(err.Error(), "--robots ") {
			t.Errorf("%s: got %v, want %s", value, err, want)
		}
	}
}

// OfText gives what Read gives of a file.
func TestOfText(t *testing.T) {
	name := filepath.Join(t.TempDir(), "robots.txt")
	fatal.If(t, os.WriteFile(name, []byte("User-agent: *\n"), 0o666))
	for _, site := range []string{"", "Example.com", "https://example.com:8443", "bücher.example", "a/b",
		"example.com:80", "\x1b[31m", " "} {
		sources, wantErr := Parse(Values{Robots: []string{name}, Site: site})
		got, err := OfText(name, []byte("User-agent: *\n"), site)
		if (err == nil) != (wantErr == nil) {
			t.Errorf("%q: got %v, want %v", site, err, wantErr)
		}
		if err != nil || wantErr != nil {
			continue
		}
		want, err := sources.Read(t.Context(), nil)
		fatal.If(t, err)
		if !reflect.DeepEqual(got, want) {
			t.Errorf("%q: got %+v, want %+v", site, got, want)
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
	cmd.Env = append(os.Environ(), "GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_AUTHOR_NAME=A",
		"GIT_AUTHOR_EMAIL=a@example.com",
		"GIT_COMMITTER_NAME=A", "GIT_COMMITTER_EMAIL=a@example.com", "GIT_COMMITTER_DATE="+
			hour(float64(at)).Format(time.RFC3339))
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
	wantNote(t, sites, "from the time of their parents: 1")
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
	if err := errors.Join(os.Remove(filepath.Join(linked, "robots.txt")),
		os.Symlink("x", filepath.Join(linked, "robots.txt"))); err != nil {
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
	if want := "no commit of HEAD"; !strings.HasPrefix(err.Error(), "--git a.example=") ||
		!strings.Contains(err.Error(), want) {
		t.Errorf("got %v, want %s", err, want)
	}
}

// A visit is an answer that a Dir keeps: a text, "-" for 404, or "!" for an origin that did not
// answer, which has the text after it as its copy.
type visit struct {
	hour float64
	what string
}

// keep puts visits to an origin.
func keep(t *testing.T, dir fetch.Dir, origin string, visits ...visit) {
	t.Helper()
	var failing time.Time
	for _, v := range visits {
		e := &fetch.Entry{Origin: origin, State: fetch.OK, CheckedAt: hour(v.hour), URL: origin + "/robots.txt",
			Status: 200}
		text, failed := strings.CutPrefix(v.what, "!")
		switch {
		case v.what == "-":
			e.State, e.Status, e.Cause = fetch.Unavailable, 404, "the server answered 404"
		case failed:
			e.State, e.Status, e.Cause, e.Failures = fetch.Unreachable, 0, "no answer", 1
			if failing.IsZero() {
				failing = e.CheckedAt
			}
			e.UnreachableSince = failing
		}
		if !failed {
			failing = time.Time{}
		}
		if v.what != "-" && text != "" {
			sum := sha256.Sum256([]byte(text))
			e.File = &fetch.File{FetchedAt: e.CheckedAt, ConfirmedAt: e.CheckedAt, URL: e.URL,
				SHA256: hex.EncodeToString(sum[:]), Size: len(text), Policy: robots.Parse([]byte(text))}
		}
		fatal.If(t, dir.Put(t.Context(), e))
	}
}

// TestReadHistory reads histories of package fetch.
func TestReadHistory(t *testing.T) {
	const second = 1.0 / 3600
	for _, test := range []struct {
		name   string
		visits []visit
		want   string
	}{
		{"one visit", []visit{{1, "a"}}, "1=a 1+1s=?"},
		{"seen several times", []visit{{1, "a"}, {2, "a"}, {30, "a"}}, "1=a 30+1s=?"},
		{"a change between two visits", []visit{{1, "a"}, {2, "a"}, {3, "b"}, {4, "b"}}, "1=a 2+1s=? 3=b 4+1s=?"},
		{"a change within two seconds", []visit{{1, "a"}, {2, "a"}, {2 + second, "b"}, {2 + 1.5*second, "c"}, {3, "c"}},
			"1=a 2+1s=b 2+1.5s=c 3+1s=?"},
		{"no robots.txt for a while", []visit{{1, "a"}, {2, "-"}, {3, "-"}, {4, "a"}},
			"1=a 1+1s=? 2=- 3+1s=? 4=a 4+1s=?"},
		{"no answer, with a copy", []visit{{1, "a"}, {2, "!a"}, {3, "!a"}, {4, "a"}, {5, "a"}}, "1=a 5+1s=?"},
		{"no answer, without a copy", []visit{{1, "!"}, {2, "!"}, {3, "a"}, {4, "!a"}}, "1=? 3=a 4+1s=?"},
		{"no answer for more than 30 days", []visit{{0, "a"}, {24, "!a"}, {48, "!a"}, {24 * 40, "!"}}, "0=a 48+1s=?"},
		{"never an answer", []visit{{1, "!"}, {2, "!"}}, "*=?"},
	} {
		dir := fetch.Dir(t.TempDir())
		keep(t, dir, "https://a.example", test.visits...)
		keep(t, dir, "https://b.example", visit{1, "other"})
		got, sites := read(t, Values{History: []string{"a.example=" + string(dir)}}, "")
		if want := "a.example: " + test.want; got != want {
			t.Errorf("%s:\ngot  %s\nwant %s", test.name, got, want)
		}
		last := hour(test.visits[len(test.visits)-1].hour).UTC().Truncate(time.Second).Format(time.RFC3339)
		wantNote(t, sites, "https://a.example in "+string(dir)+" ends with the last request for robots.txt, at "+last)
		for _, v := range sites.Versions["a.example"] {
			if sum := sha256.Sum256(v.Text); v.State == audit.Served && v.ID != hex.EncodeToString(sum[:]) {
				t.Errorf("%s: got the ID %s of %q", test.name, v.ID, v.Text)
			}
		}
	}
}

// TestReadOrigins reads histories of several origins.
func TestReadOrigins(t *testing.T) {
	dir := fetch.Dir(t.TempDir())
	keep(t, dir, "https://a.example", visit{1, "a"}, visit{5, "a"}, visit{6, "b"}, visit{9, "b"})
	keep(t, dir, "http://a.example", visit{3, "a"}, visit{7, "a"}, visit{8, "b"}, visit{10, "b"})
	keep(t, dir, "http://b.example:8080", visit{1, "x"})
	keep(t, dir, "https://c.example", visit{1, "c"}, visit{3, "c"})
	keep(t, dir, "http://c.example", visit{2, "!"}, visit{4, "!"})
	folder := string(dir)
	for _, test := range []struct {
		values Values
		want   string
		host   string
	}{
		{Values{History: []string{folder}},
			"a.example: 1=? 3=a 5+1s=? 8=b 9+1s=?\nb.example: 1=x 1+1s=?\nc.example: 1=c 3+1s=?", ""},
		{Values{History: []string{folder}, Site: "a.example"}, "a.example: 1=? 3=a 5+1s=? 8=b 9+1s=?", "a.example"},
		{Values{History: []string{folder}, Site: "https://a.example"}, "a.example: 1=a 5+1s=? 6=b 9+1s=?", "a.example"},
		{Values{History: []string{"http://a.example=" + folder}}, "a.example: 3=a 7+1s=? 8=b 10+1s=?", "a.example"},
		{Values{History: []string{"b.example=" + folder, "https://a.example/=" + folder}},
			"a.example: 1=a 5+1s=? 6=b 9+1s=?\nb.example: 1=x 1+1s=?", ""},
		{Values{History: []string{"c.example=" + folder}}, "c.example: 1=c 3+1s=?", "c.example"},
		{Values{History: []string{"http://c.example=" + folder}}, "c.example: *=?", "c.example"},
	} {
		got, sites := read(t, test.values, "")
		if got != test.want || sites.Host != test.host {
			t.Errorf("%+v:\ngot  %s, host %q\nwant %s, host %q", test.values, got, sites.Host, test.want, test.host)
		}
	}
	_, sites := read(t, Values{History: []string{"a.example=" + folder}}, "")
	wantNote(t, sites, "http://a.example, https://a.example had different robots.txt files at times")

	for _, test := range []struct{ value, want string }{
		{"d.example=" + folder, "no history of d.example in " + folder +
			": it has those of http://a.example, http://b.example:8080, http://c.example, …"},
		{"https://b.example=" + folder, "no history of https://b.example"},
		{t.TempDir(), "there is no history in"},
		{filepath.Join(folder, "missing"), "no such file"},
		{filepath.Join(folder, "README"), "is not a folder"},
	} {
		if err := readError(t, Values{History: []string{test.value}}); !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: got %v, want %s", test.value, err, test.want)
		}
	}
	name := filepath.Join(folder, "x")
	fatal.If(t, os.WriteFile(name, nil, 0o666))
	if err := readError(t, Values{History: []string{folder},
		Robots: []string{"b.example=" + name}}); !strings.Contains(err.Error(),
		"both give versions for host b.example") {
		t.Errorf("got %v", err)
	}
}

// TestReadDamaged reads a history whose text is gone: the text is not known, and that is told.
func TestReadDamaged(t *testing.T) {
	dir := fetch.Dir(t.TempDir())
	keep(t, dir, "https://a.example", visit{1, "a"}, visit{2, "a"}, visit{2, "b"}, visit{3, "b"})
	sum := sha256.Sum256([]byte("a"))
	hash := hex.EncodeToString(sum[:])
	name := filepath.Join(string(dir), "texts", hash[:2], hash+".txt")
	for _, damage := range []func() error{func() error { return os.WriteFile(name, []byte("x"), 0o666) },
		func() error { return os.Remove(name) }} {
		fatal.If(t, damage())
		got, sites := read(t, Values{History: []string{string(dir)}}, "")
		if want := "a.example: 1=? 2=b 3+1s=?"; got != want {
			t.Errorf("got %s, want %s", got, want)
		}
		wantNote(t, sites, "A text of https://a.example is missing or damaged")
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	s, err := Parse(Values{History: []string{string(dir)}})
	fatal.If(t, err)
	if sites, err := s.Read(ctx, nil); !errors.Is(err, context.Canceled) {
		t.Errorf("after the end: got %v, %v", sites, err)
	}
}

// TestAgreed compares agreed with a plain question for each hour.
func TestAgreed(t *testing.T) {
	text := func(s string) audit.Version { return audit.Version{State: audit.Served, Text: []byte(s)} }
	states := []audit.Version{text("a"), text("b"), {State: audit.Nothing}, {State: audit.Unknown}}
	for seed := range uint64(500) {
		random := rand.New(rand.NewPCG(seed, 0)).IntN
		each := make([][]audit.Version, 1+random(3))
		for i := range each {
			for h := range 8 {
				if random(2) == 0 {
					v := states[random(len(states))]
					v.From = hour(float64(h))
					each[i] = append(each[i], v)
				}
			}
		}
		got, _ := agreed(each)
		for h := -1; h < 9; h++ {
			now := hour(float64(h))
			want := at(each[0], now)
			for _, versions := range each[1:] {
				if !same(at(versions, now), want) {
					want = audit.Version{State: audit.Unknown}
				}
			}
			if v := at(got, now); !same(v, want) {
				t.Fatalf("seed %d, hour %d: got %v, want %v", seed, h, v, want)
			}
		}
	}
}
