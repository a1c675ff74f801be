package audit_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/robotsexclusion/robots/audit"
	"github.com/robotsexclusion/robots/audit/accesslog"
	"github.com/robotsexclusion/robots/internal/test/corpus"
	"github.com/robotsexclusion/robots/internal/test/fatal"
)

// headers are the User-Agents of made-up visitors.
var headers = []string{
	"Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)",
	"AdsBot-Google (+http://www.google.com/adsbot.html)",
	"Mozilla/5.0 (compatible; bingbot/2.0; +http://www.bing.com/bingbot.htm)",
	"ExampleBot/1.0 (+https://bot.example/)", "examplebot/2.0 (+https://bot.example/)",
	"curl/8.5.0", "python-requests/2.31.0",
	"Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0", "-",
}

// randomLog returns lines of a log in the combined format, some of them damaged.
func randomLog(random *rand.Rand, lines int) []string {
	begin := time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC)
	paths := []string{"/", "/private/a", "/private/b?q=1", "/open", "/tmp/x", "/robots.txt", "/robots.txt", "*"}
	statuses := []int{301, 404, 403, 429, 503}
	var log []string
	for range lines {
		t := begin.Add(time.Duration(random.Int64N(int64(96 * time.Hour))))
		method := "GET"
		if random.IntN(20) == 0 {
			method = "HEAD"
		}
		status := 200
		if random.IntN(100) == 0 {
			// Each answer that there is no robots.txt makes the requests of a day uncertain.
			status = statuses[random.IntN(len(statuses))]
		}
		line := fmt.Sprintf("192.0.2.%d - - [%s] \"%s %s HTTP/1.1\" %d %d \"-\" \"%s\"", random.IntN(6),
			t.Format("02/Jan/2006:15:04:05 -0700"),
			method, paths[random.IntN(len(paths))], status, random.IntN(60), headers[random.IntN(len(headers))])
		if random.IntN(100) == 0 {
			line = line[:random.IntN(len(line))]
		}
		log = append(log, line)
	}
	return log
}

// newAuditor returns an auditor for a site with several versions.
func newAuditor(t testing.TB) *audit.Auditor {
	t.Helper()
	day := func(n int) time.Time { return time.Date(2026, 3, n, 12, 0, 0, 0, time.UTC) }
	a, err := audit.New(audit.Options{Sites: map[string][]audit.Version{"": {
		{ID: "1", State: audit.Served, Text: []byte("User-agent: *\nDisallow: /private/\nCrawl-delay: 100\n")},
		{ID: "2", From: day(2), State: audit.Nothing},
		{ID: "3", From: day(3), State: audit.Served,
			Text: []byte("User-agent: *\nDisallow: /tmp/\nDisallow: /private/\n\nUser-agent: bingbot\nDisallow: /open\n")},
		{ID: "4", From: day(3).Add(6 * time.Hour), State: audit.Served,
			Text: []byte("User-agent: *\nDisallow: /private/\n")},
	}}})
	fatal.If(t, err)
	return a
}

// readLines returns the part for lines.
func readLines(t testing.TB, a *audit.Auditor, workers int, lines []string) *audit.Part {
	t.Helper()
	var reader accesslog.Reader
	reader.Formats = []*accesslog.Format{combined(t)}
	part, err := a.Read(reader.From("log", strings.NewReader(strings.Join(lines, "\n")+"\n")), workers)
	fatal.If(t, err)
	return part
}

func combined(t testing.TB) *accesslog.Format {
	for _, f := range accesslog.Formats() {
		if f.String() == "combined" {
			return f
		}
	}
	t.Fatal("there is no combined format")
	return nil
}

// reportOf returns a report as JSON. Examples name lines by number, which differ between parts, so
// the report is without them.
func reportOf(t testing.TB, p *audit.Part) string {
	t.Helper()
	return textOf(t, p.Report())
}

// textOf returns the JSON of a report without what depends on the order. It removes that from the
// report.
func textOf(t testing.TB, r *audit.Report) string {
	t.Helper()
	for _, robot := range r.Robots {
		for i := range robot.Violations.Rules {
			robot.Violations.Rules[i].Example = audit.Example{}
		}
	}
	for i := range r.Peaks {
		r.Peaks[i].Lines = nil
	}
	for _, s := range r.Suspects {
		for i := range s.Evidence {
			s.Evidence[i].Lines = nil
		}
	}
	data, err := json.MarshalIndent(r, "", "\t")
	fatal.If(t, err)
	return string(data)
}

// stored returns a part that was written and read again.
func stored(t testing.TB, p *audit.Part) *audit.Part {
	t.Helper()
	var b bytes.Buffer
	n, err := p.WriteTo(&b)
	if err != nil || n != int64(b.Len()) {
		t.Fatalf("wrote %d bytes of %d: %v", n, b.Len(), err)
	}
	p, err = audit.ReadPart(&b, nil)
	fatal.If(t, err)
	return p
}

// A log cut into parts, in any order, by any number of workers, stored and joined, has the same
// report.
func TestParts(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 1))
	a := newAuditor(t)
	for range corpus.Cases(4, 10) {
		log := randomLog(random, 2000)
		want := reportOf(t, readLines(t, a, 1, log))
		random.Shuffle(len(log), func(i, j int) { log[i], log[j] = log[j], log[i] })
		all := readLines(t, a, 1+random.IntN(7), nil)
		for len(log) > 0 {
			n := min(len(log), 1+random.IntN(900))
			part := readLines(t, a, 1+random.IntN(7), log[:n])
			if random.IntN(2) == 0 {
				part = stored(t, part)
			}
			fatal.If(t, all.Join(part))
			log = log[n:]
		}
		// An empty log has one empty line here.
		got := strings.Replace(reportOf(t, stored(t, all)), `"lines": 2001`, `"lines": 2000`, 1)
		if got != want {
			t.Fatalf("got\n%s\nwant\n%s", got, want)
		}
	}
}

// More tokens than an audit keeps are counted together, whatever their order.
func TestManyTokens(t *testing.T) {
	corpus.Unraced(t)
	kept := corpus.Cases(1000, 10_000)
	defer audit.SetMaxTokens(kept)()
	random := rand.New(rand.NewPCG(2, 1))
	a := newAuditor(t)
	var log []string
	for i := range kept + kept/5 {
		for range 1 + i%2 {
			log = append(log,
				fmt.Sprintf(`10.0.%d.%d - - [02/Mar/2026:00:00:%02d +0000] "GET /private/ HTTP/1.1" 200 5 "-" "made-up-%d-bot/1.0"`, i>>8, i&255, i%60, i))
		}
	}
	part := readLines(t, a, 1, log)
	r := part.Report()
	if len(r.Robots) != kept || r.Others == nil || r.Others.Requests < int64(kept/5) ||
		r.Unjudged.Others != r.Others.Requests {
		t.Fatalf("%d robots, others %+v, unjudged %+v", len(r.Robots), r.Others, r.Unjudged)
	}
	if c := r.Others.Clients; !c.Estimated || c.Addresses < int64(kept*18/100) || c.Addresses > int64(kept*22/100) {
		t.Errorf("the others have the clients %+v, want about %d", c, kept/5)
	}
	want := textOf(t, r)
	random.Shuffle(len(log), func(i, j int) { log[i], log[j] = log[j], log[i] })
	all := stored(t, readLines(t, a, 2, log[:kept*7/10]))
	fatal.If(t, all.Join(readLines(t, a, 3, log[kept*7/10:])))
	if got := reportOf(t, stored(t, all)); got != want {
		t.Error("the report depends on the order")
	}
}

// Parts of audits with other versions are not joined.
func TestJoinOther(t *testing.T) {
	other, err := audit.New(audit.Options{Sites: map[string][]audit.Version{"": {{ID: "1"}}}})
	fatal.If(t, err)
	if err := readLines(t, newAuditor(t), 1, nil).Join(readLines(t, other, 1, nil)); err == nil {
		t.Error("the parts were joined")
	}
}

// A flood of names does not push a guilty robot out of a report, wherever it stands in the log.
func TestFloodOfNames(t *testing.T) {
	corpus.Unraced(t)
	a := newAuditor(t)
	guilty := func(lines []string) []string {
		for i := range 30 {
			lines = append(lines, fmt.Sprintf(
				`192.0.2.1 - - [02/Mar/2026:00:00:%02d +0000] "GET /private/ HTTP/1.1" 200 5 "-" "EvilBot/1.0"`, i))
		}
		return lines
	}
	lines := guilty(nil)
	for i := range 15_000 {
		lines = append(lines, fmt.Sprintf(
			`10.0.%d.%d - - [02/Mar/2026:00:00:%02d +0000] "GET /private/ HTTP/1.1" 200 5 "-" "flood%dbot/1.0"`,
			i>>8, i&255, i%60, i))
	}
	r := readLines(t, a, 2, guilty(lines)).Report()
	first := r.Robots[0]
	if first.Token != "EvilBot" || first.Violations.Certain != 60 || len(r.Robots) != 10_000 {
		t.Errorf("first %s with %+v of %d robots", first.Token, first.Violations.Count, len(r.Robots))
	}
	if o := r.Others; o == nil || o.Requests != 5_001 || o.Violations.Certain != 5_001 || r.Unjudged.Others != 0 {
		t.Errorf("others %+v", o)
	}
}

// A part of another form is refused, with the reason.
func TestOldPart(t *testing.T) {
	var b bytes.Buffer
	if _, err := readLines(t, newAuditor(t), 1, nil).WriteTo(&b); err != nil {
		t.Fatal(err)
	}
	old := bytes.Replace(b.Bytes(), []byte(`"form":8`), []byte(`"form":7`), 1)
	if _, err := audit.ReadPart(bytes.NewReader(old), nil); err == nil ||
		!strings.Contains(err.Error(), "its form is 7") {
		t.Errorf("the error is %v", err)
	}
}

// A stored part keeps bytes that are not UTF-8, in lines, headers, and names of hosts and logs.
func TestStoredBytes(t *testing.T) {
	format, err := accesslog.ParseFormat("vhost-combined")
	fatal.If(t, err)
	var log strings.Builder
	for i, host := range []string{"a.example", "b\xff.example"} {
		fmt.Fprintf(&log,
			"%s:80 192.0.2.%d - - [01/Mar/2026:10:00:00 +0000] \"GET /private/\xff HTTP/1.1\" 200 5 \"-\" \"ExampleBot/1.0 \xff\"\n", host, i)
	}
	a, err := audit.New(audit.Options{Sites: map[string][]audit.Version{"a.example": {{ID: "1", State: audit.Served,
		Text: []byte("User-agent: *\nDisallow: /private/\n")}}}})
	fatal.If(t, err)
	reader := accesslog.Reader{Formats: []*accesslog.Format{format}}
	part, err := a.Read(reader.From("\xff.log", strings.NewReader(log.String())), 1)
	fatal.If(t, err)
	got, want := stored(t, part).Report(), part.Report()
	if want.Requests != 2 || len(want.Hosts) != 2 || len(want.Robots) != 1 ||
		len(want.Robots[0].Violations.Rules) != 1 {
		t.Fatalf("the log was read as %+v", want)
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got  %+v\nwant %+v", got, want)
	}
}

// A stored part keeps its notes, and the hash is theirs too.
func TestStoredNotes(t *testing.T) {
	part := readLines(t, newAuditor(t), 1, nil)
	part.Notes = json.RawMessage(`{"formats": ["combined"]}`)
	var b bytes.Buffer
	if _, err := part.WriteTo(&b); err != nil {
		t.Fatal(err)
	}
	read, err := audit.ReadPart(bytes.NewReader(b.Bytes()), nil)
	if err != nil || string(read.Notes) != `{"formats":["combined"]}` {
		t.Fatalf("got %s, %v", read.Notes, err)
	}
	if _, err := audit.ReadPart(bytes.NewReader(bytes.Replace(b.Bytes(), []byte("combined"), []byte("combinex"), 1)),
		nil); err == nil {
		t.Error("changed notes: no error")
	}
	part.Notes = nil
	if read = stored(t, part); read.Notes != nil {
		t.Errorf("without notes: got %s", read.Notes)
	}
}

// A stored part with any byte changed, or cut off anywhere, is refused. Every 111th byte is tried,
// or every 37th with ROBOTS_CORPUS_ALL.
func TestDamagedPart(t *testing.T) {
	corpus.Unraced(t)
	var b bytes.Buffer
	if _, err := readLines(t, newAuditor(t), 1, randomLog(rand.New(rand.NewPCG(3, 1)), 300)).WriteTo(&b); err != nil {
		t.Fatal(err)
	}
	whole := b.Bytes()
	for i := 0; i < len(whole); i += corpus.Cases(333, 37) {
		damaged := slices.Clone(whole)
		damaged[i] ^= 1 << (i % 8)
		if _, err := audit.ReadPart(bytes.NewReader(damaged), nil); err == nil && !bytes.EqualFold(damaged, whole) {
			t.Errorf("byte %d changed from %q to %q: no error", i, whole[i], damaged[i])
		}
		if _, err := audit.ReadPart(bytes.NewReader(whole[:i]), nil); err == nil {
			t.Errorf("cut off after %d bytes: no error", i)
		}
	}
}

// A part by a stranger, with a right hash, may be refused; a report of it never panics.
func FuzzReadPart(f *testing.F) {
	var b bytes.Buffer
	if _, err := readLines(f, newAuditor(f), 1, randomLog(rand.New(rand.NewPCG(4, 1)), 12)).WriteTo(&b); err != nil {
		f.Fatal(err)
	}
	f.Add(b.Bytes()[:bytes.LastIndex(b.Bytes(), []byte(`{"sha256"`))])
	f.Fuzz(func(t *testing.T, data []byte) {
		data = bytes.TrimRight(data, "\n")
		data = append(data, '\n')
		hash := sha256.Sum256(data)
		p, err := audit.ReadPart(strings.NewReader(fmt.Sprintf("%s{\"sha256\":%q}\n", data,
			hex.EncodeToString(hash[:]))), nil)
		if err != nil {
			return
		}
		p.Report()
	})
}

// The hours of a robot add up to its requests, bytes and errors, and the answers of a host to the
// requests for its robots.txt.
func TestHours(t *testing.T) {
	r := readLines(t, newAuditor(t), 2, randomLog(rand.New(rand.NewPCG(5, 1)), 3000)).Report()
	for _, robot := range r.Robots {
		var requests, bytes, errors int64
		for i, h := range robot.Hours {
			requests, bytes, errors = requests+h.Requests, bytes+h.Bytes, errors+h.Errors
			if i > 0 && !h.Begin.After(robot.Hours[i-1].Begin) || h.Begin.Truncate(time.Hour) != h.Begin ||
				h.Requests == 0 {
				t.Errorf("%s: hour %+v", robot.Token, h)
			}
		}
		if requests != robot.Requests || bytes != robot.Bytes || errors != robot.Statuses.ServerError ||
			len(robot.Hours) < 50 {
			t.Errorf("%s: %d requests, %d bytes, %d errors in %d hours of %+v", robot.Token, requests, bytes, errors,
				len(robot.Hours), robot)
		}
	}
	if a := r.Hosts[0].RobotsTxt; a.Read < 300 || a.OtherSize > a.Read || a.Nothing+a.Forbidden+a.Failed < 2 {
		t.Errorf("answers %+v", a)
	}
}
