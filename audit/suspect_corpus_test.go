package audit_test

import (
	"bytes"
	"hash/fnv"
	"net/netip"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/robotsexclusion/robots/agent"
	"github.com/robotsexclusion/robots/audit"
	"github.com/robotsexclusion/robots/audit/accesslog"
	"github.com/robotsexclusion/robots/internal/test/corpus"
	"github.com/robotsexclusion/robots/internal/test/fatal"
)

// A hidden log is a real log in which robots have the headers of browsers.
type hiddenLog struct {
	text   []byte
	robots map[string]int // requests of robots by address
	others map[string]int // requests of browsers and apps by address
}

// hide replaces the headers of robots by those of browsers of the same log. It keeps the lines of
// the addresses that the function chooses.
func hide(t *testing.T, name string, chosen func(address string) bool) hiddenLog {
	t.Helper()
	whole := corpus.Gunzip(t, corpus.Path(t, "logs", name))
	browsers := map[string]int{}
	requests := func(yield func(*accesslog.Request)) {
		var reader accesslog.Reader
		for r, err := range reader.From(name, bytes.NewReader(whole)).Requests() {
			if err == nil && chosen(addressOf(r.Client)) {
				yield(r)
			}
		}
	}
	requests(func(r *accesslog.Request) {
		if agent.Lookup(string(r.UserAgent)).Kind == agent.Browser {
			browsers[string(r.UserAgent)]++
		}
	})
	var names []string
	for header := range browsers {
		names = append(names, header)
	}
	slices.SortFunc(names, func(g, h string) int {
		if browsers[g] != browsers[h] {
			return browsers[h] - browsers[g]
		}
		return strings.Compare(g, h)
	})
	names = names[:min(len(names), 20)]
	out := hiddenLog{robots: map[string]int{}, others: map[string]int{}}
	requests(func(r *accesslog.Request) {
		line, header := string(r.Text), string(r.UserAgent)
		switch agent.Lookup(header).Kind {
		case agent.Robot:
			out.robots[addressOf(r.Client)]++
			h := fnv.New32a()
			h.Write([]byte(header))
			at := strings.LastIndex(line, header)
			if at < 0 || len(names) == 0 {
				return
			}
			line = line[:at] + names[int(h.Sum32()%uint32(len(names)))] + line[at+len(header):]
		case agent.Program:
			return
		default:
			out.others[addressOf(r.Client)]++
		}
		out.text = append(append(out.text, line...), '\n')
	})
	return out
}

func addressOf(a netip.Addr) string {
	if a.Is4() {
		return a.String()
	}
	return netip.PrefixFrom(a, 64).Masked().String()
}

// half returns addresses by a hash, so that thresholds are chosen on one half and measured on the
// other.
func half(which uint32) func(string) bool {
	return func(address string) bool {
		h := fnv.New32a()
		h.Write([]byte(address))
		return h.Sum32()>>7&1 == which
	}
}

func all(string) bool { return true }

// Robots whose names are hidden are found, and few others. doc/audit-suspicion.md has the figures.
// All logs are read if ROBOTS_CORPUS_ALL is set.
func TestHiddenRobots(t *testing.T) {
	const semicomplete = "large/semicomplete-2015.log.gz"
	tests := []hiddenTest{
		{semicomplete, "the half tuned on", half(0), 4, 3},
		{semicomplete, "the other half", half(1), 5, 4},
		{"large/shop-zanbil-2019.log.gz", "all", all, 2, 1},
	}
	if corpus.All() {
		tests = append(tests, hiddenTest{"large/honeypot-form-2015.log.gz", "all", all, 0, 0},
			hiddenTest{"large/lnav-playground-2022.log.gz", "all", all, 0, 0}, hiddenTest{"large/honeynet-2004.log.gz",
				"all", all, 0, 1})
		small, err := filepath.Glob(corpus.Path(t, "logs", "small", "*", "*.gz"))
		if err != nil || len(small) == 0 {
			t.Fatal("no small logs", err)
		}
		for _, path := range small {
			name, err := filepath.Rel(corpus.Path(t, "logs"), path)
			fatal.If(t, err)
			tests = append(tests, hiddenTest{name, "all", all, 0, 1})
		}
	}
	for _, test := range tests {
		test.run(t)
	}
}

type hiddenTest struct {
	name, which  string
	chosen       func(address string) bool
	found, wrong int // robots found at least, other clients suspected at most
}

func (test hiddenTest) run(t *testing.T) {
	log := hide(t, test.name, test.chosen)
	a, err := audit.New(audit.Options{})
	fatal.If(t, err)
	var reader accesslog.Reader
	part, err := a.Read(reader.From(test.name, bytes.NewReader(log.text)), 2)
	fatal.If(t, err)
	suspected := map[string]audit.Suspect{}
	for _, s := range part.Report().Suspects {
		suspected[s.Address] = s
		if s.Address == "" {
			t.Logf("%s: header %q at %d addresses, %d requests, %s", test.name, s.UserAgent, s.Addresses, s.Requests,
				kinds(s))
		}
	}
	robots, found, others, wrong := 0, 0, 0, 0
	for address, n := range log.robots {
		if n < 20 {
			continue
		}
		robots++
		if _, ok := suspected[address]; ok {
			found++
		} else {
			t.Logf("%s: missed %s with %d requests", test.name, address, n)
		}
	}
	for address, n := range log.others {
		if log.robots[address] > 0 {
			continue
		}
		if n >= 20 {
			others++
		}
		if s, ok := suspected[address]; ok {
			wrong++
			t.Logf("%s: suspected %s with %d requests, %s", test.name, address, n, kinds(s))
		}
	}
	t.Logf("%s, %s: found %d of %d robots; suspected %d of %d others, of which %d have 20 requests", test.name,
		test.which, found, robots, wrong, len(log.others), others)
	if found < test.found || wrong > test.wrong {
		t.Errorf("%s, %s: found %d robots, suspected %d others; want at least %d and at most %d", test.name, test.which,
			found, wrong, test.found, test.wrong)
	}
}

func kinds(s audit.Suspect) string {
	var b strings.Builder
	for _, e := range s.Evidence {
		b.WriteString(e.Kind)
		if e.Strong {
			b.WriteByte('!')
		}
		b.WriteByte(' ')
	}
	return b.String()
}
