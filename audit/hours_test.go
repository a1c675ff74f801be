package audit_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"reflect"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/robotsexclusion/robots/audit"
	"github.com/robotsexclusion/robots/audit/accesslog"
	"github.com/robotsexclusion/robots/internal/test/corpus"
	"github.com/robotsexclusion/robots/internal/test/fatal"
)

// hourLogs returns logs of some robots, of the table and others, in some hours.
func hourLogs(random *rand.Rand) (logs []*logFile) {
	begin := time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC).Unix()
	agents := append([]string{smallAgents[5], smallAgents[6], smallAgents[7]}, smallAgents[2])
	for i := range 6 {
		agents = append(agents, fmt.Sprintf("stranger%dbot/1.0 (+https://strange.example/)", i))
	}
	for i := range 3 {
		logs = append(logs, &logFile{name: fmt.Sprintf("%d.log", i)})
	}
	for range 300 {
		logs[random.IntN(3)].add(visit{
			at: begin + random.Int64N(5*day), client: one(dicer{random}, addr("192.0.2.1"), addr("192.0.2.2"),
				addr("192.0.2.9")),
			agent: agents[random.IntN(len(agents))], zoned: true, method: "GET", path: "/x", status: one(dicer{random},
				200, 503), bytes: 10,
		}, time.UTC)
	}
	return logs
}

type dicer struct{ *rand.Rand }

func (d dicer) roll(n int) int { return d.IntN(n) }

// Whatever is left out of the load, it is the same in any order, with any number of workers, and in
// parts, and the twin leaves out the same. All cases are tried with ROBOTS_CORPUS_ALL.
func TestLoadLimits(t *testing.T) {
	corpus.Unraced(t)
	o := audit.Options{Sites: map[string][]audit.Version{"": {{ID: "1", Text: []byte(smallTexts[1])}}},
		Identify: identifySmall}
	some := map[string]int{}
	for seed := range uint64(corpus.Cases(12, 60)) {
		random := rand.New(rand.NewPCG(seed, 133))
		logs := hourLogs(random)
		limits := [2]int{random.IntN(150), random.IntN(200)}
		if seed == 0 {
			limits = [2]int{1000, 1000}
		}
		reset := audit.SetLimits(limits[0], limits[1])
		want, evidence := slowReportOf(o, logs...)
		got := fastReportOf(t, o, 1, logs...)
		if !compareReports(t, got, want, evidence) {
			t.Fatalf("seed %d, limits %v", seed, limits)
		}
		for range corpus.Cases(1, 3) {
			random.Shuffle(len(logs), func(i, j int) { logs[i], logs[j] = logs[j], logs[i] })
			workers := 1 + random.IntN(5)
			if again := fastReportOf(t, o, workers, logs...); !reflect.DeepEqual(again, got) {
				t.Fatalf("seed %d: %d workers and another order give another report", seed, workers)
			}
			if again := reportOfStored(t, readLogs(t, o, workers, logs...)); indented(t, again) != indented(t, got) {
				t.Fatalf("seed %d: stored parts give another report", seed)
			}
			if again := reportOfPieces(t, o, workers, random, logs); indented(t, again) != indented(t, got) {
				t.Fatalf("seed %d: pieces of logs give another report", seed)
			}
		}
		for _, r := range got.Robots {
			known := "others"
			if !strings.HasPrefix(r.Token, "stranger") {
				known = "known"
			}
			switch {
			case len(r.Hours) > 0:
				some[known+" by hour"]++
			case len(r.Days) > 0:
				some[known+" by day"]++
			default:
				some[known+" without"]++
			}
		}
		reset()
	}
	for _, name := range []string{"known by hour", "known by day", "known without", "others by hour",
		"others without"} {
		if some[name] == 0 {
			t.Errorf("no robots are %s: %v", name, some)
		}
	}
}

// Strangers who name thousands of robots in each hour do not make memory or reports grow without a
// limit.
func TestManyHours(t *testing.T) {
	corpus.Unraced(t)
	const limit = 4_000
	defer audit.SetLimits(limit, limit)()
	sizeOf := func(hours int) (kept, report, memory int) {
		part := readWritten(t, newAuditor(t), func(w io.Writer) {
			begin := time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC)
			for h := range hours {
				at := begin.Add(time.Duration(h) * time.Hour).Format("02/Jan/2006:15:04:05 -0700")
				for i := range 400 {
					fmt.Fprintf(w, "192.0.2.1 - - [%s] \"GET / HTTP/1.1\" 200 5 \"-\" \"made-up-%d-bot/1.0\"\n", at, i)
				}
			}
		})
		// Of what the reader has put in pools, one collection frees nothing.
		var before, after runtime.MemStats
		runtime.GC()
		runtime.GC()
		runtime.ReadMemStats(&before)
		r := part.Report()
		data, err := json.Marshal(r)
		fatal.If(t, err)
		for _, robot := range r.Robots {
			kept += len(robot.Hours)
		}
		if kept > limit || kept < limit-hours || r.WithoutHours != len(r.Robots)-kept/hours {
			t.Errorf("%d hours of %d robots: kept %d, and %d robots are without", hours, len(r.Robots), kept,
				r.WithoutHours)
		}
		runtime.GC()
		runtime.GC()
		runtime.ReadMemStats(&after)
		runtime.KeepAlive(r)
		runtime.KeepAlive(part)
		return kept, len(data), int(after.HeapAlloc) - int(before.HeapAlloc)
	}
	kept, small, less := sizeOf(20)
	_, large, more := sizeOf(80)
	t.Logf("%d hours kept: %d and %d bytes of JSON, %d and %d bytes of memory", kept, small, large, less, more)
	if large > small+small/4 || more > less+less/2 {
		t.Errorf("four times as many hours take %d bytes of JSON in place of %d, and %d bytes of memory in place of %d",
			large, small, more, less)
	}
}

// A load by a stranger that no program wrote is refused.
func TestDamagedLoad(t *testing.T) {
	var b bytes.Buffer
	if _, err := readLines(t, newAuditor(t), 1,
		[]string{`192.0.2.1 - - [02/Mar/2026:00:00:00 +0000] "GET / HTTP/1.1" 200 5 "-" "made-up-bot/1.0"`}).WriteTo(&b); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ old, new string }{
		{`"loads":{"known":0`, `"loads":{"known":3`},
		{`"loads":{"known":0`, `"loads":{"known":-1`},
		{`"unknown":18446744073709551615`, `"unknown":1`}, // and yet a robot in no table has a load
	} {
		if !strings.Contains(b.String(), c.old) {
			t.Fatalf("%s lacks %s", b.String(), c.old)
		}
		if _, err := audit.ReadPart(strings.NewReader(rehash(strings.Replace(b.String(), c.old, c.new, 1))),
			nil); err == nil {
			t.Errorf("%s was read", c.new)
		}
	}
}

// readWritten returns the part for a log that a function writes, without holding the log in memory.
func readWritten(t testing.TB, a *audit.Auditor, write func(io.Writer)) *audit.Part {
	t.Helper()
	r, w := io.Pipe()
	go func() {
		write(w)
		w.Close()
	}()
	var reader accesslog.Reader
	reader.Formats = []*accesslog.Format{combined(t)}
	part, err := a.Read(reader.From("log", r), 1)
	fatal.If(t, err)
	return part
}

// rehash returns a stored part with the right hash.
func rehash(part string) string {
	part = part[:strings.LastIndex(part, `{"sha256"`)]
	return fmt.Sprintf("%s{\"sha256\":\"%x\"}\n", part, sha256.Sum256([]byte(part)))
}
