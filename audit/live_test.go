package audit_test

import (
	"cmp"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/robotsexclusion/robots/audit"
	"github.com/robotsexclusion/robots/audit/accesslog"
	"github.com/robotsexclusion/robots/internal/test/corpus"
	"github.com/robotsexclusion/robots/internal/test/fatal"
)

// FuzzLive compares live judgements with those of an audit of the lines until then.
func FuzzLive(f *testing.F) {
	f.Add([]byte(strings.Repeat("\x01\x13\x37\x42", 40)))
	f.Add([]byte("\x00the quick brown fox jumps over the lazy dog, and reads robots.txt"))
	f.Fuzz(func(t *testing.T, data []byte) { compareLive(t, data, &liveCount{}) })
}

// liveCount counts judgements, to see that a test tests something.
type liveCount struct{ certain, informed, milder int }

func TestLive(t *testing.T) {
	var count liveCount
	for seed := range uint64(corpus.Cases(40, 1000)) {
		random := rand.New(rand.NewPCG(seed, 15))
		data := make([]byte, 20+random.IntN(300))
		for i := range data {
			data[i] = byte(random.Uint32())
		}
		if compareLive(t, data, &count); t.Failed() {
			t.Fatalf("seed %d", seed)
		}
	}
	if count.certain < 10 || count.informed == 0 || count.milder == 0 {
		t.Errorf("the logs have too little: %+v", count)
	}
}

// compareLive judges the lines of small logs in the order of their times, each once when it comes
// and again by an audit of the lines until then. It forgets now and then.
func compareLive(t *testing.T, data []byte, count *liveCount) {
	d := &dice{data}
	forgetful := d.roll(2) == 1
	o, logs := smallLogs(d)
	var visits []visit
	for _, l := range logs {
		visits = append(visits, l.visits...)
	}
	slices.SortStableFunc(visits, func(v, w visit) int { return cmp.Compare(v.at, w.at) })
	auditor, err := audit.New(o)
	fatal.If(t, err)
	live := auditor.Live()
	var text strings.Builder
	for i, v := range visits {
		text.WriteString(v.text + "\n")
		reader := accesslog.Reader{Zone: o.Zone}
		part, err := auditor.Read(reader.From("log", strings.NewReader(text.String())), 1)
		fatal.If(t, err)
		line := 0
		for r, err := range reader.From("log", strings.NewReader(text.String())).Requests() {
			fatal.If(t, err)
			if line++; line <= i {
				continue
			}
			got, c := live.Add(r)
			if c != nil {
				got = live.Judge(c)
			}
			want := part.Judge().Judge(r)
			if forgetful {
				live.Forget()
			}
			switch {
			case got == want:
			case c == nil && want.Unjudged == "everyone" && got.Unjudged == "": // no version disallows it
			case !v.zoned && want.Class != audit.Allowed && got.Class == audit.InGrace:
				count.milder++
				continue
			case v.host != "" && o.Sites[v.host] == nil && (got.Unjudged == "host" || got.Unjudged == "forged" &&
				want.Unjudged == "forged"):
				count.milder++
				continue
			default:
				t.Errorf("line %d %s: got %+v, want %+v", i+1, v.text, got, want)
			}
			switch got.Class {
			case audit.Certain:
				count.certain++
			case audit.Informed:
				count.informed++
			}
		}
	}
	if t.Failed() {
		t.Logf("%s", text.String())
		for host, versions := range o.Sites {
			for _, v := range versions {
				t.Logf("%q: %s from %v %v %q", host, v.ID, v.From.UTC(), v.State, v.Text)
			}
		}
	}
}
