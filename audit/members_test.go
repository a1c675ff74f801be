package audit_test

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/robotsexclusion/robots/audit"
	"github.com/robotsexclusion/robots/internal/test/fatal"
)

// notInYear are the members of the JSON of a report that the twin does not compute in TestYear, and
// the tests that have them. A name without an object is that of an object with all of its members.
var notInYear = map[string]string{
	" notes":                              "the program that prints a report adds them",
	" other_hosts":                        "TestBeyondLimits",
	" more_suspects":                      "TestBeyondLimits",
	" proxied":                            "TestProxies",
	" proxies":                            "TestProxies",
	" without_hours":                      "TestLoadLimits",
	"robots[] days":                       "TestLoadLimits",
	"robots[].days[]":                     "TestLoadLimits",
	"robots[].days[].violations":          "TestLoadLimits",
	" others":                             "TestManyTokens",
	"others":                              "TestManyTokens",
	"others.violations":                   "TestFloodOfNames",
	"others.clients":                      "TestManyTokens",
	"unjudged others":                     "TestManyTokens",
	"unjudged own":                        "TestOwnSoftware",
	"unjudged device":                     "TestDevices",
	"robots[].identity device":            "TestDevices",
	"robots[].clients estimated":          "TestClients",
	"robots[].forged.clients estimated":   "TestClients",
	"robots[].violations.rules[] example": "as the next",
	"robots[].violations.rules[].example": "any line that was a violation of the rule: compareReports looks for it among all of them",
}

// compareMembers requires that compareReports compares a value of each member of the JSON, other
// than zero, with one of the twin, or that notInYear has the member.
func compareMembers(t *testing.T, twin *audit.Report) {
	t.Helper()
	compared := map[string]bool{}
	markMembers(reflect.ValueOf(*withoutExamples(twin)), "", compared)
	for _, member := range membersOf(reflect.TypeFor[audit.Report](), "") {
		object, _, _ := strings.Cut(member, " ")
		excused := notInYear[member] != "" || object != "" && notInYear[object] != ""
		if excused == compared[member] && member != " without_hours" { // a whole year has it, too
			t.Errorf("the member %q is compared: %v, and in notInYear: %v", member, compared[member], excused)
		}
	}
}

// markMembers marks the members of the JSON of a value, as membersOf names them, that are not zero.
func markMembers(v reflect.Value, object string, marked map[string]bool) {
	for field := range fieldsOf(v.Type()) {
		name, _, _ := strings.Cut(field.Tag.Get("json"), ",")
		value := v.FieldByName(field.Name)
		path := strings.TrimPrefix(object+"."+name, ".")
		if value.Kind() == reflect.Slice {
			path += "[]"
		}
		if (value.Kind() != reflect.Slice && value.Kind() != reflect.Map || value.Len() > 0) && !value.IsZero() {
			marked[object+" "+name] = true
		}
		markBelow(value, path, marked)
	}
}

func markBelow(v reflect.Value, path string, marked map[string]bool) {
	switch {
	case v.Type() == reflect.TypeFor[time.Time]():
	case v.Kind() == reflect.Struct:
		markMembers(v, path, marked)
	case v.Kind() == reflect.Pointer && !v.IsNil():
		markBelow(v.Elem(), path, marked)
	case v.Kind() == reflect.Slice:
		for i := range v.Len() {
			markBelow(v.Index(i), path, marked)
		}
	}
}

// TestBeyondLimits has more hosts and more suspects than a report, whatever their order.
func TestBeyondLimits(t *testing.T) {
	const hosts, suspects = 1_100, 1_010
	a := newAuditor(t)
	var l visitLog
	for i := range hosts {
		for range 1 + i%3 {
			l.lines = append(l.lines,
				fmt.Sprintf(`192.0.2.1 - - [02/Mar/2026:00:00:00 +0000] "GET http://h%d.example/ HTTP/1.1" 200 5 "-" "ExampleBot/1.0"`, i))
		}
	}
	toHosts := int64(len(l.lines))
	l.people()
	unnamed := int64(len(l.lines)) - toHosts + 23*suspects
	for i := range suspects {
		client := fmt.Sprintf("10.1.%d.%d", i>>8, i&255)
		l.add(client, i, "/robots.txt", "-", firefox)
		for n := range 22 {
			l.add(client, i+n*60, "/feed.xml", "-", firefox)
		}
	}
	want := ""
	random := rand.New(rand.NewPCG(14, 5))
	for range 3 {
		part := readLines(t, a, 2, l.lines[:5_000])
		fatal.If(t, part.Join(readLines(t, a, 1, l.lines[5_000:])))
		r := part.Report()
		listed := int64(0)
		for _, h := range r.Hosts {
			listed += h.Requests
		}
		if len(r.Hosts) != 1_000+1 || r.OtherHosts < 100 || listed+r.OtherHosts != toHosts+unnamed {
			t.Fatalf("%d hosts with %d requests, and %d to others", len(r.Hosts), listed, r.OtherHosts)
		}
		if len(r.Suspects) != 1_000 || r.MoreSuspects != suspects-1_000 {
			t.Fatalf("%d suspects, and %d more", len(r.Suspects), r.MoreSuspects)
		}
		r.Suspects = nil // their lines have other numbers
		if got := textOf(t, r); want != "" && got != want {
			t.Fatal("the report depends on the order")
		} else {
			want = got
		}
		random.Shuffle(len(l.lines), func(i, j int) { l.lines[i], l.lines[j] = l.lines[j], l.lines[i] })
	}
}
