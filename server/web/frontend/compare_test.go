package main

import (
	"bufio"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// serveLive starts robots serve with options, and returns the address of its page.
func serveLive(t *testing.T, options ...string) string {
	t.Helper()
	binary := filepath.Join(t.TempDir(), "robotsd")
	build := exec.Command("go", "build", "-o", binary, "./robotsd")
	build.Dir = "../../.."
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	serve := exec.Command(binary, append([]string{"serve", "--listen", "127.0.0.1:0", "--allow-private"},
		options...)...)
	stderr, err := serve.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := serve.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { serve.Process.Kill(); serve.Wait() })
	lines := bufio.NewScanner(stderr)
	for lines.Scan() {
		if _, address, ok := strings.Cut(lines.Text(), "listening at "); ok {
			return address
		}
	}
	t.Fatal("the service did not start")
	return ""
}

// A pastVersion is a version of a history in a folder of package fetch.
type pastVersion struct {
	state  string
	status int
	text   string // "" for none
}

// writeHistory writes a history as the README of the folder describes it: the first version is of a
// day, and each other one of a day later.
func writeHistory(t *testing.T, dir, origin string, versions []pastVersion) {
	t.Helper()
	sum := func(s string, n int) string { h := sha256.Sum256([]byte(s)); return fmt.Sprintf("%x", h[:n]) }
	write := func(name, content string) {
		if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(content), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	var b strings.Builder
	day := time.Date(2025, 1, 1, 12, 0, 0, 0, time.UTC)
	for _, v := range versions {
		line := map[string]any{"origin": origin, "time": day, "state": v.state, "status": v.status, "url": origin +
			"/robots.txt"}
		if v.state != "ok" {
			line["cause"] = "a test"
		}
		if v.state == "unreachable" {
			line["unreachable_since"] = day
		}
		if v.text != "" {
			hash := sum(v.text, 32)
			line["sha256"], line["size"] = hash, len(v.text)
			write(filepath.Join(dir, "texts", hash[:2], hash+".txt"), v.text)
		}
		object, err := json.Marshal(line)
		if err != nil {
			t.Fatal(err)
		}
		start := strings.TrimSuffix(string(object), "}")
		fmt.Fprintf(&b, "%s,\"sum\":\"%s\"}\n", start, sum(start, 8))
		day = day.AddDate(0, 0, 1)
	}
	readable := strings.ReplaceAll(strings.Replace(origin, "://", "_", 1), ":", "_")
	hash := sum(origin, 16)
	write(filepath.Join(dir, "history", hash[:2], readable+"-"+hash+".jsonl"), b.String())
}

// typeInto writes a site into the field of a form, and sends the form.
func (p *tab) typeInto(form, site string) {
	p.t.Helper()
	get[any](p, fmt.Sprintf(`void (document.querySelector(%s).value = "")`, quoted(form+" input")))
	p.run(chromedp.SendKeys(form+" input", site+"\r", chromedp.ByQuery))
}

// Both sides are fetched, and say where they are from.
func TestTwoSites(t *testing.T) {
	site := func(rule string) string {
		s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			io.WriteString(w, "User-agent: *\nDisallow: "+rule+"\n# "+hostile+"\n")
		}))
		t.Cleanup(s.Close)
		return s.URL
	}
	one, two := site("/one/"), site("/two/")
	p := open(t, serveLive(t), 1280, false, "en")
	p.run(chromedp.Click("#tab-compare", chromedp.ByQuery))
	p.typeInto(".pane .live", one)
	p.waitText(".pane .source", one)
	p.typeInto(".compare > .live", two)
	p.waitText(".compare > .source", two)
	p.waitText(".change.closed", "/two/")
	p.waitText(".change.open", "/one/")
	p.run(chromedp.Click(`//button[.="Swap"]`, chromedp.BySearch))
	p.waitText(".pane .source", two)
	p.waitText(".change.closed", "/one/")

	// Without a history, the service says so.
	p.typeInto(".past .live", one)
	p.waitText(".warning", "keeps no history")
	p.check()
}

// The time line has the versions with another meaning, each with what it changes, and fills both
// sides.
func TestTimeline(t *testing.T) {
	const origin = "http://127.0.0.1:1"
	const shop = "User-agent: *\nDisallow: /cart/\n"
	dir := t.TempDir()
	writeHistory(t, dir, origin, []pastVersion{
		{"ok", 200, shop}, {"ok", 200, "# " + hostile + "\n" + shop}, {"ok", 200, shop +
			"\nUser-agent: GPTBot\nDisallow: /\n"},
		{"unreachable", 503, shop + "\nUser-agent: GPTBot\nDisallow: /\n"}, {"unavailable", 404, ""},
		{"ok", 200, "User-agent: *\nDisallow: /" + hostile + "\nUser-agent: " + hostile + "\nDisallow: /\n"},
	})
	p := open(t, serveLive(t, "--cache", dir), 1280, false, "en")
	p.run(chromedp.Click("#tab-compare", chromedp.ByQuery))
	p.typeInto(".past .live", origin)
	p.waitText(".past .summary", "6 versions, 3 changes of meaning.")
	points := get[[]string](p,
		`[...document.querySelectorAll(".point")].map((e) => e.className + ": " + e.textContent)`)
	for i, want := range []string{"point closed", "No robots.txt (404): open to all.",
		"Unreachable (503): the last text stays in force.", "closed for GPTBot",
		"then 1 version with the same meaning"} {
		if i >= len(points) || !strings.Contains(points[i], want) {
			t.Errorf("point %d has no %q: %q", i, want, points)
		}
	}
	if len(points) != 5 {
		t.Errorf("there are %d points: %q", len(points), points)
	}
	if n := get[int](p,
		`document.querySelectorAll(".past script, .past img, .past iframe, .past style").length`); n > 0 {
		t.Errorf("a text became %d elements", n)
	}

	// With the mouse: the change of a point.
	p.run(chromedp.Click(".point:nth-child(4) button", chromedp.ByQuery))
	p.waitText(".changes h3", "GPTBot")
	p.wait(`document.querySelector(".pane .source").textContent.includes("2025") && document.querySelector(".compare > .source").textContent.includes("2025")`)

	// With the keyboard: the first version against the last but one.
	get[any](p, `void document.querySelector(".past .live input").focus()`)
	p.tabTo("Before: ")
	p.press(kb.ArrowDown, 4) // radio buttons are one stop of Tab
	p.wait(`document.querySelectorAll(".point")[4].querySelector("input[name=past-before]").checked`)
	p.tabTo("After: ")
	p.press(" ", 1)
	p.wait(`document.querySelector("input[name=past-after]:checked") !== null`)
	p.waitText(".changes", "for")

	// An origin that nobody asked for, and no origin.
	p.typeInto(".past .live", "http://127.0.0.1:2")
	p.waitText(".warning", "has not fetched http://127.0.0.1:2 yet")
	p.check()
}

// A history of 10,000 versions is bounded, and the page says so.
func TestLongTimeline(t *testing.T) {
	const origin = "http://127.0.0.1:1"
	versions := make([]pastVersion, 10_000)
	for i := range versions {
		versions[i] = pastVersion{"ok", 200, fmt.Sprintf("User-agent: *\nDisallow: /%d\n", i%50)}
	}
	dir := t.TempDir()
	writeHistory(t, dir, origin, versions)
	p := open(t, serveLive(t, "--cache", dir), 1280, false, "en")
	p.run(chromedp.Click("#tab-compare", chromedp.ByQuery))
	p.typeInto(".past .live", origin)
	p.waitText(".past .summary",
		"300 versions, 299 changes of meaning. There are earlier versions, which are not shown.")
	p.check()
}

// Several files at once are versions in the order of their names, with or without a service.
func TestTimelineOfFiles(t *testing.T) {
	dir := t.TempDir()
	var names []string
	for name, text := range map[string]string{"robots-10.txt": "User-agent: *\nDisallow: /ten\n",
		"robots-2.txt": "User-agent: *\nDisallow: /two\n", `<img src=x onerror=ran()>.txt`: hostile,
		"robots-9.txt": "# the same\nUser-agent: *\nDisallow: /two\n"} {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		names = append(names, path)
	}
	p := open(t, testView(t), 360, true, "en")
	p.run(chromedp.Evaluate(`document.querySelector("#tab-compare").click()`, nil))
	p.upload(".past input[type=file]", names)
	p.waitText(".past .summary", "4 files: 4 versions, 2 changes of meaning.")
	titles := get[[]string](p, `[...document.querySelectorAll(".point h3")].map((e) => e.textContent)`)
	if strings.Join(titles, " ") != "robots-10.txt robots-2.txt <img src=x onerror=ran()>.txt" {
		t.Errorf("the points are %q", titles)
	}
	if over := p.excess(); over > 0 {
		t.Errorf("the page is %d px too wide", over)
	}
	p.check()
}

// upload chooses files.
func (p *tab) upload(selector string, files []string) {
	p.t.Helper()
	p.run(chromedp.SetUploadFiles(selector, files, chromedp.ByQuery))
}
