package ask

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"sync"
	"testing"
	"testing/iotest"

	"github.com/robotsexclusion/robots"
	"github.com/robotsexclusion/robots/conformance"
	"github.com/robotsexclusion/robots/internal/jsonl"
	"github.com/robotsexclusion/robots/internal/printable"
	"github.com/robotsexclusion/robots/internal/test/fatal"
)

// answers returns the answers to lines, fast or slow.
func answers(t testing.TB, in string, slow bool) string {
	t.Helper()
	var out bytes.Buffer
	c := &conversation{out: &out, slow: slow}
	err := c.run(t.Context(), strings.NewReader(in))
	if failed := strings.Count(out.String(), `"error":`); failed != c.failed || err != nil {
		t.Fatalf("%d failed, %v, after the answers %s", c.failed, err, out.String())
	}
	return out.String()
}

const robotsX = `"robots":"User-agent: *\nDisallow: /x\nUser-agent: FooBot\nDisallow: /f\n"`

func TestServe(t *testing.T) {
	const (
		no      = `{"allowed":false,"reason":"rule","line":2,"rule":"Disallow: /x"}`
		yes     = `{"allowed":true,"reason":"no-rule"}`
		noText  = `{"error":"there is no text to go by: the line has no \"robots\", and the line before has left none"}`
		garbage = `{"error":"the line is not a question: a JSON object is expected: invalid character 'g' looking for beginning of value"}`
	)
	for _, test := range []struct {
		name  string
		lines string
		want  string
	}{
		{"text", `{` + robotsX + `,"url":"/x"}`, no},
		{"text of the line before", `{` + robotsX + `,"url":"/x"}` + "\n" + `{"url":"/y"}` + "\n" +
			`{"url":"/x","agent":"FooBot"}`, no + "\n" + yes + "\n" + yes},
		{"no text", `{"url":"/x"}`, noText},
		{"ids", `{"id":7,` + robotsX + `,"url":"/"}` + "\n" + `{"url":"/","id":"a"}` + "\n" +
			`{"id": [1, {"b":null}] ,"url":"/"}` + "\n" + `{"id":null,"url":"/"}` + "\n" + `{"id":-0.50e1,"url":"/"}`,
			`{"id":7,"allowed":true,"reason":"no-rule"}` + "\n" + `{"id":"a","allowed":true,"reason":"no-rule"}` +
				"\n" + `{"id":[1, {"b":null}],"allowed":true,"reason":"no-rule"}` + "\n" +
				`{"id":null,"allowed":true,"reason":"no-rule"}` + "\n" +
				`{"id":-0.50e1,"allowed":true,"reason":"no-rule"}`},
		{"base64", `{"robots_base64":"VXNlci1hZ2VudDogKgpEaXNhbGxvdzogL3gK","url":"/x"}` + "\n" +
			`{"robots_base64":"VXNlci1hZ2VudDogKgpEaXNhbGxvdzogL3gK","url":"/y"}`, no + "\n" + yes},
		{"dialect", `{` + robotsX + `,"url":"/x","dialect":"koster1994"}` + "\n" +
			`{"url":"/x","dialect":"KOSTER1996"}` + "\n" + `{"url":"/x","dialect":"rfc"}`,
			no + "\n" + no + "\n" +
				`{"error":"unknown dialect \"rfc\": the dialects are rfc9309, google, koster1994, koster1996, kollar1996"}`},
		{"garbage keeps the text", `{` + robotsX + `,"url":"/x"}` + "\ngarbage\n\n" + `{"url":"/x"}`,
			no + "\n" + garbage + "\n" +
				`{"error":"the line is not a question: a JSON object is expected: unexpected end of JSON input"}` +
				"\n" + no},
		{"a bad text leaves none", `{` + robotsX + `,"url":"/x"}` + "\n" + `{"robots":5,"id":1,"url":"/x"}` + "\n" +
			`{"url":"/x"}`,
			no + "\n" + `{"id":1,"error":"the line is not a question: \"robots\" is not a string"}` + "\n" + noText},
		{"a broken text leaves none", `{` + robotsX + `,"url":"/x"}` + "\n" + `{"robots":"User-agent` + "\n" +
			`{"url":"/x"}`,
			no + "\n" +
				`{"error":"the line is not a question: a JSON object is expected: invalid character '\\n' in string literal"}` + "\n" + noText},
		{"a text without a question counts", `{` + robotsX + `}` + "\n" + `{"url":"/x"}`,
			`{"error":"the line has no \"url\" to ask about"}` + "\n" + no},
		{"other members", `{"n":1,"m":"x","t":true,"o":{"url":"/y"},` + robotsX + `,"url":"/x"}`, no},
		{"white space", " { " + robotsX + " ,\t\"url\" : \"/x\" } \r\n", no},
		{"escapes", `{` + robotsX + `,"url":"\/\u0078"}`, no},
		{"empty text", `{"robots":"","url":"/x"}`, `{"allowed":true,"reason":"no-group"}`},
		{"robots.txt", `{"robots":"","url":"/robots.txt"}`, `{"allowed":true,"reason":"robots-file"}`},
		{"control characters in a rule",
			`{"robots":"User-agent: *\nDisallow: /\u001b[2J\u0000","url":"/\u001b[2J\u0000"}`,
			`{"allowed":false,"reason":"rule","line":2,"rule":"Disallow: /\u001b[2J\u0000"}`},
		{"nothing", "", ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			for _, slow := range []bool{false, true} {
				if got := strings.TrimSuffix(answers(t, test.lines, slow), "\n"); got != test.want {
					t.Errorf("slow=%v\ngot  %s\nwant %s", slow, got, test.want)
				}
			}
		})
	}
}

// A line may be as long as a large robots.txt. A longer line gets an error and is skipped. The
// text in it must not be mistaken for the text of the line before.
func TestServeLongLines(t *testing.T) {
	long := `{` + robotsX + `,"url":"/x","more":"` + strings.Repeat("a", 3*(256<<10)) + `"}`
	if got, want := answers(t, long+"\n"+long, false),
		`{"allowed":false,"reason":"rule","line":2,"rule":"Disallow: /x"}`+"\n"; got != want+want {
		t.Errorf("got %s", got)
	}
	if testing.Short() {
		t.Skip("a line of 64 MiB takes a second")
	}
	for _, size := range []int{jsonl.MaxLine, 2*jsonl.MaxLine + 5} {
		in := io.MultiReader(strings.NewReader(`{`+robotsX+`,"url":"/x"}`+"\n"),
			io.LimitReader(endless('x'), int64(size)+1),
			strings.NewReader("\n"+`{"url":"/x"}`+"\n"))
		var out bytes.Buffer
		if failed, err := new(Server).Serve(t.Context(), in, &out); failed != 2 || err != nil {
			t.Fatal(failed, err)
		}
		lines := strings.Split(out.String(), "\n")
		if len(lines) != 4 || lines[1] != `{"error":"the line is longer than 64 MiB"}` ||
			!strings.Contains(lines[2], "no text to go by") {
			t.Errorf("%d: got %q", size, lines)
		}
	}
}

type endless byte

func (e endless) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = byte(e)
	}
	return len(p), nil
}

// One may ask one question at a time over a pipe.
func TestServeInteractive(t *testing.T) {
	questions, ask := io.Pipe()
	answer, answers := io.Pipe()
	done := make(chan error, 1)
	go func() {
		_, err := new(Server).Serve(t.Context(), questions, answers)
		done <- err
	}()
	r := bufio.NewReader(answer)
	for i := range 3 {
		// The start of the next line, which is in the same write but for the
		// last, must not hold the answer back.
		end := "\n{"
		if i == 2 {
			end = "\n"
		}
		start := "{"
		if i > 0 {
			start = ""
		}
		fmt.Fprintf(ask, `%s"robots":"","url":"/","id":%d}%s`, start, i, end)
		got, err := r.ReadString('\n')
		if want := fmt.Sprintf(`{"id":%d,"allowed":true,"reason":"no-group"}`+"\n", i); err != nil || got != want {
			t.Errorf("got %q, %v, want %q", got, err, want)
		}
	}
	ask.Close()
	if err := <-done; err != nil {
		t.Error(err)
	}
}

func TestServeErrors(t *testing.T) {
	bad := errors.New("broken")
	if _, err := new(Server).Serve(t.Context(), iotest.ErrReader(bad), io.Discard); err != bad {
		t.Errorf("read: %v", err)
	}
	r, w := io.Pipe()
	r.CloseWithError(bad)
	_, err := new(Server).Serve(t.Context(), strings.NewReader("{}\n"), w)
	if e := (*WriteError)(nil); !errors.As(err, &e) || e.Err != bad ||
		err.Error() != "cannot write the answers: broken" {
		t.Errorf("write: %v", err)
	}
}

type readFunc func(p []byte) (int, error)

func (f readFunc) Read(p []byte) (int, error) { return f(p) }

// A call ends with its context: the line that was read is answered, and none after it.
func TestServeCanceled(t *testing.T) {
	ctx, cancel := context.WithCancelCause(t.Context())
	gone := errors.New("the client is gone")
	in := readFunc(func(p []byte) (int, error) {
		cancel(gone)
		return copy(p, `{"robots":"","url":"/"}`+"\n"), nil
	})
	var out bytes.Buffer
	failed, err := new(Server).Serve(ctx, in, &out)
	if want := `{"allowed":true,"reason":"no-group"}` + "\n"; failed != 0 || err != gone || out.String() != want {
		t.Errorf("%d failed, %v, answers %q, want %v and %q", failed, err, &out, gone, want)
	}
	if _, err := new(Server).Ask(ctx, make([]conformance.Question, 1)); err != gone {
		t.Errorf("Ask: %v, want %v", err, gone)
	}
}

// Calls at the same time, over the same policies, answer as each would alone.
func TestServeConcurrent(t *testing.T) {
	server := &Server{Policies: &Policies{MaxBytes: 4 << 10}} // so that some are dropped
	var wait sync.WaitGroup
	for i := range 8 {
		wait.Go(func() {
			var lines strings.Builder
			for j := range 200 {
				fmt.Fprintf(&lines, `{"robots":"User-agent: *\nDisallow: /%d\n","url":"/%d","dialect":"%s"}`+"\n",
					(i+j)%40, j%40, robots.Dialects()[j%len(robots.Dialects())])
			}
			var out bytes.Buffer
			if failed, err := server.Serve(t.Context(), strings.NewReader(lines.String()), &out); failed != 0 ||
				err != nil {
				t.Errorf("%d failed: %v", failed, err)
			}
			if want := answers(t, lines.String(), true); out.String() != want {
				t.Errorf("the answers differ from those of a call of its own:\n%s\nwant\n%s", &out, want)
			}
		})
	}
	wait.Wait()
}

// FuzzPolicies compares cached policies with policies parsed anew.
func FuzzPolicies(f *testing.F) {
	f.Add("User-agent: *\nDisallow: /x\n", "User-agent: a\nAllow: /\n", "/x")
	f.Add("", "\xff", "")
	f.Fuzz(func(t *testing.T, one, two, url string) {
		kept := &Policies{MaxBytes: 4 * max(len(one), len(two))}
		for range 3 {
			for _, text := range []string{one, two, one} {
				for _, d := range robots.Dialects() {
					got, want := kept.Policy(d, []byte(text)), d.Parse([]byte(text))
					if got.String() != want.String() || got.Dialect() != d ||
						got.For("a").Match(url) != want.For("a").Match(url) {
						t.Fatalf("%v of %q: %v, want %v", d, text, got.For("a").Match(url), want.For("a").Match(url))
					}
				}
			}
		}
		if kept.bytes > kept.MaxBytes {
			t.Fatalf("%d bytes are kept, of at most %d", kept.bytes, kept.MaxBytes)
		}
	})
}

// The same text is parsed once, and a text too large for the limit is never kept.
func TestPolicies(t *testing.T) {
	var p Policies
	text := []byte("User-agent: *\nDisallow: /\n")
	one, two := p.Policy(robots.RFC9309, text), p.Policy(robots.RFC9309, bytes.Clone(text))
	if one != two {
		t.Error("an equal text was parsed again")
	}
	if p.Policy(robots.Google, text) == one {
		t.Error("another dialect has the same policy")
	}
	small := Policies{MaxBytes: 4 * (len(text) - 1)}
	one, two = small.Policy(robots.RFC9309, text), small.Policy(robots.RFC9309, text)
	if one == two || small.bytes != 0 {
		t.Errorf("a text of %d bytes was kept, of at most %d for all", len(text), small.MaxBytes)
	}
}

// The groups of agents are kept, but not of any number of them.
func TestServeManyAgents(t *testing.T) {
	var b strings.Builder
	for i := range 3*maxGroups + 10 {
		fmt.Fprintf(&b, `{%s,"url":"/x","agent":"bot%d"}`+"\n", robotsX, i)
	}
	fmt.Fprintf(&b, `{"url":"/x","agent":"%s"}`+"\n", strings.Repeat("a", maxAgent+1))
	var out bytes.Buffer
	c := &conversation{out: &out}
	fatal.If(t, c.run(t.Context(), strings.NewReader(b.String())))
	groups := c.known.parsed[robots.RFC9309].groups
	if n := len(groups); n != 10 {
		t.Errorf("%d groups are kept, want 10", n)
	}
	if n := strings.Count(out.String(), `"line":2`); n != 3*maxGroups+11 {
		t.Errorf("%d answers, want %d", n, 3*maxGroups+11)
	}
}

// FuzzServe compares the fast reader of questions with the slow one.
func FuzzServe(f *testing.F) {
	for _, line := range []string{
		`{` + robotsX + `,"url":"/x"}`,
		`{` + robotsX + `,"url":"/x"}` + "\n" + `{` + robotsX + `,"url":"/y"}` + "\n" +
			`{"url":"/x","agent":"FooBot","id":12,"dialect":"google"}`,
		`{"id":"a","robots_base64":"VXNlci1hZ2VudDogKgpEaXNhbGxvdzogL3gK","url":"/x"}` + "\n" + `{"url":"/x","id":01}` +
			"\n" + `{"url":"/x","id":-}`,
		`{"robots":"a\"b\\","url":"/"}` + "\n" + `{"robots":"a\"b\\\"","url":"/"}`,
		`{"robots":"\ud800","url":"/é"}` + "\n" + `{"url":"/","url":"/"}` + "\n" + `{"url":null}`,
		"{\"robots_base64\":\"eA==\r\",\"url\":\"/\"}",
		`{"robots":"x","robots_base64":"eA==","url":"/"}`,
		`{"robots":"x","url":"/","id":truefalse}` + "\n" + `{"x":nul,"url":"/"}` + "\n" + `{"url":"/",}` + "\n" + `{,}`,
		"{\"robots\":\"\xff\",\"url\":\"/\"}\n{\"url\":\"/\x7f\"}",
	} {
		f.Add(line)
	}
	f.Fuzz(func(t *testing.T, in string) {
		fast, slow := answers(t, in, false), answers(t, in, true)
		if fast != slow {
			t.Fatalf("%q\nfast %s\nslow %s", in, fast, slow)
		}
		lines := strings.SplitAfter(fast, "\n")
		want := strings.Count(in, "\n")
		if in != "" && !strings.HasSuffix(in, "\n") {
			want++
		}
		if got := len(lines) - 1; got != want {
			t.Fatalf("%d answers to %d lines", got, want)
		}
		for _, line := range lines[:len(lines)-1] {
			var answer struct {
				Allowed *bool
				Error   string
			}
			if err := json.Unmarshal([]byte(line), &answer); err != nil ||
				(answer.Allowed == nil) == (answer.Error == "") {
				t.Fatalf("%q: answer %q: %v", in, line, err)
			}
		}
	})
}

// questions returns n lines about one text, as a robot would ask.
func questions(n int, format func(i int) string) []byte {
	text, err := os.ReadFile("../examples/shop.robots.txt")
	if err != nil {
		panic(err)
	}
	b := append([]byte(`{"robots":`), printable.AppendJSON(nil, string(text))...)
	b = append(b, `,"url":"/"}`+"\n"...)
	for i := range n {
		b = append(b, format(i)...)
		b = append(b, '\n')
	}
	return b
}

var urls = []string{
	"https://example.com/a/b?c=d", "https://example.com/", "https://example.com/shoes/red?sort=price",
	"https://example.com/images/drafts/1.png", "https://example.com/cart", "https://example.com/about/us.html",
}

func plainQuestion(i int) string {
	return fmt.Sprintf(`{"agent":"FooBot","url":"%s"}`, urls[i%len(urls)])
}

// A robot that asks on about one text makes no work for the garbage collector.
func TestServeAllocs(t *testing.T) {
	const n = 1000
	in := questions(n, plainQuestion)
	c := &conversation{out: io.Discard}
	allocs := testing.AllocsPerRun(10, func() {
		for line := range bytes.Lines(in) {
			c.answer(line)
		}
		c.answers = c.answers[:0]
	})
	if allocs > 1 {
		t.Errorf("%v allocations for %d questions, want none", allocs, n)
	}
}

func BenchmarkJSONL(b *testing.B) {
	const n = 10000
	run := func(name string, in []byte) {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			b.SetBytes(int64(len(in)))
			for b.Loop() {
				if _, err := new(Server).Serve(b.Context(), bytes.NewReader(in), io.Discard); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(n*float64(b.N)/b.Elapsed().Seconds(), "asks/s")
		})
	}
	run("plain", questions(n, plainQuestion))
	run("id", questions(n, func(i int) string {
		return fmt.Sprintf(`{"id": %d, "agent": "FooBot", "url": "%s"}`, i, urls[i%len(urls)])
	}))
	text := printable.AppendJSON(nil, string(robotsOfSize(1<<10)))
	run("text=1KiB", questions(n, func(i int) string {
		return fmt.Sprintf(`{"robots":%s,"agent":"FooBot","url":"%s"}`, text, urls[i%len(urls)])
	}))
	run("escapes", questions(n, func(i int) string {
		return fmt.Sprintf(`{"agent":"FooBot","url":"%s"}`, strings.ReplaceAll(urls[i%len(urls)], "/", `\/`))
	}))
	run("text=1KiB/new", questions(n, func(i int) string {
		return fmt.Sprintf(`{"robots":%s,"agent":"FooBot","url":"%s"}`,
			printable.AppendJSON(nil, fmt.Sprintf("# %d\n%s", i, robotsOfSize(1<<10))), urls[i%len(urls)])
	}))
}

// robotsOfSize returns a text of about n bytes.
func robotsOfSize(n int) []byte {
	b := []byte("User-agent: *\n")
	for i := 0; len(b) < n; i++ {
		b = fmt.Appendf(b, "Disallow: /path%d/\n", i)
	}
	return b
}
