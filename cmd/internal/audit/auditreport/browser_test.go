package auditreport_test

import (
	"bufio"
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"

	"github.com/robotsexclusion/robots/audit"
	"github.com/robotsexclusion/robots/internal/language"
	"github.com/robotsexclusion/robots/internal/test/fatal"
)

// A browser is a running Chromium, driven by the Chrome DevTools Protocol over pipes: a JSON object
// and a null byte for each message. It shows one page at a time.
type browser struct {
	t       *testing.T
	folder  string
	in      io.Writer
	out     *bufio.Reader
	last    int
	session string
	logs    []string // what the page writes to the console, and its exceptions
}

// newBrowser starts Chromium.
func newBrowser(t *testing.T) *browser {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("a program gets no more pipes on Windows")
	}
	program := chromium(t)
	folder, err := os.MkdirTemp("", "report")
	fatal.If(t, err)
	t.Cleanup(func() { os.RemoveAll(folder) }) // processes of the browser may still write there
	read, in, err := os.Pipe()
	fatal.If(t, err)
	out, write, err := os.Pipe()
	fatal.If(t, err)
	cmd := exec.Command(program, "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
		"--user-data-dir="+filepath.Join(folder, "profile"), "--remote-debugging-pipe", "about:blank")
	cmd.ExtraFiles = []*os.File{read, write}
	fatal.If(t, cmd.Start())
	read.Close()
	write.Close()
	b := &browser{t: t, folder: folder, in: in, out: bufio.NewReader(out)}
	t.Cleanup(func() {
		cmd.Process.Kill()
		cmd.Wait()
		in.Close()
		out.Close()
	})
	return b
}

// open opens a page in a new tab, for a test.
func (b *browser) open(t *testing.T, page string) {
	t.Helper()
	b.t, b.session, b.logs = t, "", nil
	name := filepath.Join(b.folder, "report.html")
	fatal.If(t, os.WriteFile(name, []byte(page), 0o666))
	target := b.call("Target.createTarget", map[string]any{"url": "about:blank"})["targetId"]
	b.session = b.call("Target.attachToTarget", map[string]any{"targetId": target,
		"flatten": true})["sessionId"].(string)
	for _, domain := range []string{"Page", "Runtime", "Log"} {
		b.call(domain+".enable", nil)
	}
	b.call("Page.navigate", map[string]any{"url": "file://" + filepath.ToSlash(name)})
	for b.message()["method"] != "Page.loadEventFired" {
	}
}

// send sends a message, and returns its number.
func (b *browser) send(method string, params map[string]any) int {
	b.t.Helper()
	b.last++
	message := map[string]any{"id": b.last, "method": method, "params": params}
	if b.session != "" {
		message["sessionId"] = b.session
	}
	text, err := json.Marshal(message)
	if err != nil {
		b.t.Fatal(err)
	}
	if _, err := b.in.Write(append(text, 0)); err != nil {
		b.t.Error(err)
	}
	return b.last
}

// message returns the next message of the browser.
func (b *browser) message() (message map[string]any) {
	b.t.Helper()
	text, err := b.out.ReadBytes(0)
	if err != nil {
		b.t.Fatalf("the browser ended: %v", err)
	}
	if err := json.Unmarshal(bytes.TrimSuffix(text, []byte{0}), &message); err != nil {
		b.t.Fatal(err)
	}
	switch message["method"] {
	case "Log.entryAdded", "Runtime.consoleAPICalled", "Runtime.exceptionThrown":
		b.logs = append(b.logs, string(text))
	}
	return message
}

// call returns the result of a method.
func (b *browser) call(method string, params map[string]any) map[string]any {
	b.t.Helper()
	id := b.send(method, params)
	for {
		message := b.message()
		if message["id"] != float64(id) {
			continue
		}
		result, ok := message["result"].(map[string]any)
		if !ok {
			b.t.Fatalf("%s: %v", method, message)
		}
		return result
	}
}

// value returns the value of an expression of JavaScript as text.
func (b *browser) value(expression string) string {
	b.t.Helper()
	result := b.call("Runtime.evaluate", map[string]any{"expression": expression})["result"].(map[string]any)
	return fmt.Sprint(result["value"])
}

// draw waits until the page is drawn anew.
func (b *browser) draw() {
	b.t.Helper()
	b.call("Runtime.evaluate", map[string]any{"awaitPromise": true,
		"expression": "new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))"})
}

// press presses keys.
func (b *browser) press(keys ...string) {
	b.t.Helper()
	codes := map[string]int{"Tab": 9, "Enter": 13}
	for _, key := range keys {
		event := map[string]any{"type": "keyDown", "key": key, "code": key, "windowsVirtualKeyCode": codes[key]}
		if key == "Enter" {
			event["text"] = "\r"
		}
		b.call("Input.dispatchKeyEvent", event)
		b.call("Input.dispatchKeyEvent", map[string]any{"type": "keyUp", "key": key, "code": key,
			"windowsVirtualKeyCode": codes[key]})
	}
}

// manyRobots returns a report with evidence for more than a sheet of paper, and robots without
// evidence.
func manyRobots() *audit.Report {
	r := withHours("ExampleBot")
	violator := r.Robots[0]
	r.Robots = nil
	for i := range 60 {
		robot := violator
		robot.Token = fmt.Sprintf("robot%02d", i)
		robot.Requests = int64(100 + i)
		if i >= 30 {
			robot.Violations = audit.Violations{}
		}
		r.Robots = append(r.Robots, robot)
	}
	return r
}

// TestChromium opens pages in a real browser.
func TestChromium(t *testing.T) {
	b := newBrowser(t)
	t.Run("run", b.testRun)
	t.Run("keyboard", b.testKeyboard)
	t.Run("numbers", b.testNumbers)
	t.Run("tables", b.testTables)
	t.Run("narrow", b.testNarrow)
	t.Run("colors", b.testColors)
	t.Run("paper", b.testPaper)
	b.t = t
}

// testRun: the script runs, so the policy allows it, and nothing
// from the log does.
func (b *browser) testRun(t *testing.T) {
	b.open(t, pageOf(t, withHours(hostile), language.English))
	if n := b.value(`document.querySelectorAll(".robots th > button[type=button]").length`); n != "9" {
		t.Errorf("%s columns can be sorted, want 9: the script did not run", n)
	}
	if len(b.logs) > 0 {
		t.Errorf("the browser complains: %s", b.logs)
	}
}

// testKeyboard sorts the table and opens evidence without a mouse.
func (b *browser) testKeyboard(t *testing.T) {
	b.open(t, pageOf(t, manyRobots(), language.English))
	first := `document.querySelector("table.sort tbody th").textContent`
	if name := b.value(first); name != "robot00" {
		t.Errorf("%s is first, want robot00", name)
	}
	b.press("Tab", "Tab", "Tab", "Tab", "Enter") // the region, three columns
	if name := b.value(first); name != "robot59" {
		t.Errorf("sorted by requests, %s is first, want robot59 (%s)", name,
			b.value(`document.activeElement.outerHTML`))
	}
	if order := b.value(`document.activeElement.parentElement.getAttribute("aria-sort")`); order != "descending" {
		t.Errorf("the order is %s, want descending", order)
	}
	// six columns, the number of requests, the first row
	b.press("Tab", "Tab", "Tab", "Tab", "Tab", "Tab", "Tab", "Tab", "Enter")
	if open := b.value(`document.activeElement.localName + document.activeElement.parentElement.open`); open != "summarytrue" {
		t.Errorf("the evidence of the first row is not open: %s", open)
	}
	if style := b.value(`getComputedStyle(document.activeElement).outlineStyle`); style != "solid" {
		t.Errorf("the outline of what has the focus is %s, want solid", style)
	}
}

// testNumbers opens the evidence of a robot by its numbers.
func (b *browser) testNumbers(t *testing.T) {
	b.open(t, pageOf(t, manyRobots(), language.English))
	if n := b.value(`document.querySelectorAll("details[open]").length`); n != "0" {
		t.Fatalf("%s details are open", n)
	}
	b.call("Runtime.evaluate",
		map[string]any{"expression": `document.querySelectorAll(".robots > tbody")[1].querySelector("td.bad a").click()`})
	b.draw()
	if open := b.value(`[...document.querySelectorAll("details[open]")].map(e => e.closest("tbody").querySelector("th").textContent).join()`); open != "robot01" {
		t.Errorf("the number of certain violations of robot01 opens the evidence of %q", open)
	}
	if bad := b.value(`[...document.querySelectorAll("td a")].filter(a => !document.querySelector(a.hash).closest("tbody").contains(a)).length`); bad != "0" {
		t.Errorf("%s numbers open the evidence of another robot", bad)
	}
}

// testTables sorts a table of hosts, whose rows have nothing below them.
func (b *browser) testTables(t *testing.T) {
	r := manyRobots()
	r.Hosts = []audit.Host{{Name: "b.example", Requests: 9}, {Name: "a.example", Requests: 1000},
		{Name: "c.example", Requests: 20}}
	b.open(t, pageOf(t, r, language.English))
	for _, c := range []struct{ button, want string }{{"0", "a.example b.example c.example"},
		{"1", "a.example c.example b.example"}} {
		names := b.value(`(() => {
			const table = [...document.querySelectorAll("table")].find(t => t.textContent.includes("b.example"))
			table.tHead.querySelectorAll("button")[` + c.button + `].click()
			return [...table.tBodies[0].rows].map(r => r.cells[0].textContent).join(" ")
		})()`)
		if names != c.want {
			t.Errorf("sorted by column %s, the hosts are %s, want %s", c.button, names, c.want)
		}
	}
	if len(b.logs) > 0 {
		t.Errorf("the browser complains: %s", b.logs)
	}
}

// testNarrow shows a page on a telephone: nothing but wide tables is wider than it.
func (b *browser) testNarrow(t *testing.T) {
	b.open(t, pageOf(t, manyRobots(), language.English))
	b.call("Emulation.setDeviceMetricsOverride", map[string]any{"width": 360, "height": 740, "deviceScaleFactor": 2,
		"mobile": false})
	b.draw()
	if fits := b.value(`document.documentElement.scrollWidth <= 360`); fits != "true" {
		t.Errorf("the page is wider than 360 pixels: %s",
			b.value(`[...document.querySelectorAll("main > section > *")].filter(e => e.getBoundingClientRect().right > 360).map(e => e.outerHTML.slice(0, 200)).join()`))
	}
	b.checkAxis()
	if shown := b.value(`getComputedStyle(document.querySelector("td.side")).display`); shown != "none" {
		t.Errorf("columns at the side are shown: %s", shown)
	}
	if shown := b.value(`getComputedStyle(document.querySelector("dd.fold")).display`); shown != "block" {
		t.Errorf("what the columns at the side have is not shown below: %s", shown)
	}
}

// checkAxis: the dates below a chart are within its width, beside each other, and below the bars.
func (b *browser) checkAxis() {
	b.t.Helper()
	boxes := b.value(`(() => {
		const chart = document.querySelector("figure svg").getBoundingClientRect()
		const texts = [...document.querySelector(".axis").querySelectorAll("text")].map(e => e.getBoundingClientRect())
		const bad = texts.filter((e, i) => e.left < chart.left - 1 || e.right > chart.right + 1 || e.top < chart.bottom || i > 0 && e.left < texts[i-1].right + 2)
		return texts.length + " dates, " + bad.length + " misplaced"
	})()`)
	if boxes != "3 dates, 0 misplaced" {
		b.t.Errorf("below the first chart are %s", boxes)
	}
}

// testColors shows a page in light, in dark and on paper.
func (b *browser) testColors(t *testing.T) {
	b.open(t, pageOf(t, manyRobots(), language.English))
	for _, test := range []struct{ media, scheme, want, axis string }{
		{"screen", "light", "rgb(255, 255, 255)", "rgb(90, 90, 90)"},
		{"screen", "dark", "rgb(22, 22, 22)", "rgb(168, 168, 168)"},
		{"print", "dark", "rgb(255, 255, 255)", "rgb(51, 51, 51)"},
	} {
		b.call("Emulation.setEmulatedMedia", map[string]any{"media": test.media,
			"features": []map[string]string{{"name": "prefers-color-scheme", "value": test.scheme}}})
		if got := b.value(`getComputedStyle(document.body).backgroundColor`); got != test.want {
			t.Errorf("%s, %s: the background is %s, want %s", test.media, test.scheme, got, test.want)
		}
		if got := b.value(`getComputedStyle(document.querySelector(".axis text")).fill`); got != test.axis {
			t.Errorf("%s, %s: dates of charts are %s, want %s", test.media, test.scheme, got, test.axis)
		}
		b.draw()
		b.checkAxis()
	}
}

// testPaper prints a page: each sheet with rows of robots has the head of the table, evidence is
// open, and what opens below robots without evidence is left out.
func (b *browser) testPaper(t *testing.T) {
	text, err := exec.LookPath("pdftotext")
	if err != nil {
		t.Skip("there is no pdftotext")
	}
	b.open(t, pageOf(t, manyRobots(), language.English))
	pdf, err := base64.StdEncoding.DecodeString(b.call("Page.printToPDF", nil)["data"].(string))
	fatal.If(t, err)
	cmd := exec.CommandContext(t.Context(), text, "-layout", "-", "-")
	cmd.Stdin = bytes.NewReader(pdf)
	out, err := cmd.Output()
	fatal.If(t, err)
	sheets := strings.Split(string(out), "\f")
	rows, row := 0, regexp.MustCompile(`(?m)^robot\d\d `)
	for i, sheet := range sheets {
		n := len(row.FindAllString(sheet, -1))
		if rows += n; n > 0 && !strings.Contains(sheet, "operator") {
			t.Errorf("sheet %d has %d robots, and no head", i+1, n)
		}
	}
	if rows != 60 || len(sheets) < 3 {
		t.Errorf("%d robots on %d sheets, want 60 on more than 2:\n%s", rows, len(sheets), out)
	}
	if n := strings.Count(string(out), "192.0.2.1 ExampleBot"); n != 30 {
		t.Errorf("the evidence is shown %d times, want 30", n)
	}
	if strings.Contains(string(out), "No request that was judged") {
		t.Error("robots without evidence have details on paper")
	}
}
