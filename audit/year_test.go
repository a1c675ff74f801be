package audit_test

import (
	"bytes"
	"math/rand/v2"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/robotsexclusion/robots/audit"
	"github.com/robotsexclusion/robots/audit/accesslog"
	"github.com/robotsexclusion/robots/internal/test/corpus"
	"github.com/robotsexclusion/robots/internal/test/fatal"
)

// TestYear compares the package with what a site with a hundred robots did, and with its slow twin
// on the logs: of a month if ROBOTS_CORPUS_ALL is set, and of a year if ROBOTS_AUDIT_ALL is set.
// The order of the logs, the number of workers and the division into parts change nothing.
func TestYear(t *testing.T) {
	days := int64(6)
	switch {
	case os.Getenv("ROBOTS_AUDIT_ALL") != "":
		days = 365
	case corpus.All():
		days = 30
	case testing.Short():
		days = 4
	}
	random := rand.New(rand.NewPCG(23, 10))
	y := newYear(random, days, true)
	y.run()
	o, logs := y.options(), y.logs()

	want, evidence := slowReportOf(o, logs...)
	got := fastReportOf(t, o, 1, logs...)
	p := allPaces(got)
	t.Logf("pace of %d requests: %d gaps too short, %d requests too many, %d at another time", p.Judged, p.Faster,
		p.RequestRate.Exceeded, p.VisitTime.Outside)
	t.Logf("%d lines, %d requests, %d robots, violations %+v, unjudged %+v, %d versions", got.Lines, got.Requests,
		len(got.Robots), allViolations(got), got.Unjudged, len(got.Versions))
	y.truth.compare(t, got)
	if !compareReports(t, got, want, evidence) {
		return
	}
	if !testing.Short() { // four days do not have all members
		compareMembers(t, want)
	}
	if p.Judged < 1000 || p.Faster < 50 || p.RequestRate.Exceeded < 50 || p.VisitTime.Outside < 50 {
		t.Errorf("pace %+v %+v %+v is too little to compare", p, p.RequestRate, p.VisitTime)
	}
	if n := allViolations(got); n.Certain < 50 || n.Informed < 50 || n.Grace < 50 {
		t.Errorf("violations %+v are too few to compare", n)
	}

	variants := 1
	counts := []int{1, 2, 7}
	switch {
	case testing.Short():
		counts = []int{7}
	case !corpus.All():
		counts = []int{1, 7}
	}
	for _, workers := range counts {
		variants += 4
		random.Shuffle(len(logs), func(i, j int) { logs[i], logs[j] = logs[j], logs[i] })
		if again := fastReportOf(t, o, workers, logs...); !reflect.DeepEqual(again, got) {
			t.Errorf("%d workers and another order of logs give another report", workers)
		}
		if again := reportOfStored(t, readLogs(t, o, workers, logs...)); !reflect.DeepEqual(again, got) {
			t.Errorf("parts that %d workers read and that were stored give another report", workers)
		}
		if again := reportOfFiles(t, o, workers, logs); !reflect.DeepEqual(again, got) {
			t.Errorf("%d workers on files give another report", workers)
		}
		if again := reportOfPieces(t, o, workers, random, logs); indented(t, withoutLines(again)) != indented(t,
			withoutLines(got)) {
			t.Errorf("pieces of logs in any order give another report with %d workers", workers)
		}
	}

	// The audit is not told the zone of the times without one.
	y = newYear(random, min(max(days/2, 3), 60), false)
	y.run()
	got = fastReportOf(t, y.options(), 2, y.logs()...)
	y.truth.compare(t, got)
	want, evidence = slowReportOf(y.options(), y.logs()...)
	compareReports(t, got, want, evidence)
	t.Logf("%d variants", variants+1)
}

// allPaces returns the sums of the figures of pace.
func allPaces(r *audit.Report) audit.Pace {
	sum := audit.Pace{RequestRate: &audit.RequestRate{}, VisitTime: &audit.VisitTime{}}
	for _, robot := range r.Robots {
		p := robot.Pace
		sum.Judged += p.Judged
		sum.Faster += p.Faster
		if p.RequestRate != nil {
			sum.RequestRate.Exceeded += p.RequestRate.Exceeded
		}
		if p.VisitTime != nil {
			sum.VisitTime.Outside += p.VisitTime.Outside
		}
	}
	return sum
}

// reportOfStored writes parts, reads them, and joins them.
func reportOfStored(t *testing.T, parts []*audit.Part) *audit.Report {
	t.Helper()
	var all *audit.Part
	for _, part := range parts {
		var b bytes.Buffer
		if _, err := part.WriteTo(&b); err != nil {
			t.Fatal(err)
		}
		read, err := audit.ReadPart(&b, nil)
		fatal.If(t, err)
		if all == nil {
			all = read
		} else if err := all.Join(read); err != nil {
			t.Fatal(err)
		}
	}
	return all.Report()
}

// reportOfFiles reads all logs at once, from files.
func reportOfFiles(t *testing.T, o audit.Options, workers int, logs []*logFile) *audit.Report {
	t.Helper()
	t.Chdir(t.TempDir()) // so that the files have the names of the logs
	var names []string
	for _, l := range logs {
		fatal.If(t, os.WriteFile(l.name, []byte(l.text.String()), 0o600))
		names = append(names, l.name)
	}
	auditor, err := audit.New(o)
	fatal.If(t, err)
	reader := accesslog.Reader{Zone: o.Zone}
	part, err := auditor.Read(reader.Open(names...), workers)
	fatal.If(t, err)
	return part.Report()
}

// withoutLines returns a report without the numbers of lines of suspects and peaks, which are other
// ones in pieces of logs.
func withoutLines(r *audit.Report) *audit.Report {
	without := *r
	without.Suspects, without.Peaks = slices.Clone(r.Suspects), slices.Clone(r.Peaks)
	for i := range without.Suspects {
		evidence := slices.Clone(r.Suspects[i].Evidence)
		for k := range evidence {
			evidence[k].Lines = nil
		}
		without.Suspects[i].Evidence = evidence
	}
	for i := range without.Peaks {
		without.Peaks[i].Lines = nil
	}
	return &without
}

// reportOfPieces cuts logs at ends of lines, and reads the pieces in any order.
func reportOfPieces(t *testing.T, o audit.Options, workers int, random *rand.Rand, logs []*logFile) *audit.Report {
	t.Helper()
	var pieces []*logFile
	for _, l := range logs {
		lines := strings.SplitAfter(l.text.String(), "\n")
		for len(lines) > 0 {
			n := 1 + random.IntN(len(lines))
			piece := &logFile{name: l.name}
			piece.text.WriteString(strings.Join(lines[:n], ""))
			pieces, lines = append(pieces, piece), lines[n:]
		}
	}
	random.Shuffle(len(pieces), func(i, j int) { pieces[i], pieces[j] = pieces[j], pieces[i] })
	return fastReportOf(t, o, workers, pieces...)
}
