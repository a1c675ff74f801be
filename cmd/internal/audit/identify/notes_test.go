package identify

import (
	"encoding/json"
	"math/rand/v2"
	"net/netip"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/robotsexclusion/robots/agent"
	"github.com/robotsexclusion/robots/internal/language"
	"github.com/robotsexclusion/robots/internal/printable"
	"github.com/robotsexclusion/robots/internal/test/fatal"
	"github.com/robotsexclusion/robots/internal/test/nameserver"
)

// TestSilentDNS asks a DNS server that is not there: the robots are unverifiable, and the notes say
// that nothing answered, once for each address and robot.
func TestSilentDNS(t *testing.T) {
	id, err := New(t.Context(), &agent.Verifier{Server: "127.0.0.1:1"}, true)
	fatal.If(t, err)
	for range 2 {
		for _, request := range []struct{ header, client string }{
			{"Googlebot/2.1", "192.0.2.2"}, {"Googlebot/2.1", "192.0.2.1"}, {"bingbot/2.0", "192.0.2.1"},
			{"NobodyKnowsBot/1.0", "192.0.2.3"},
		} {
			if got := id.Identify(agent.Lookup(request.header),
				netip.MustParseAddr(request.client)); got != agent.Unverifiable {
				t.Errorf("%+v: got %v", request, got)
			}
		}
	}
	want := []Unanswered{
		{"Googlebot", []netip.Addr{netip.MustParseAddr("192.0.2.1"), netip.MustParseAddr("192.0.2.2")}},
		{"bingbot", []netip.Addr{netip.MustParseAddr("192.0.2.1")}},
	}
	notes := id.Notes()
	if !reflect.DeepEqual(notes.Unanswered, want) {
		t.Errorf("got %v, want %v", notes.Unanswered, want)
	}
	for l := range language.Language(len(language.Codes())) {
		if text := strings.Join(notes.In(l), "\n"); !strings.Contains(text, " 3") ||
			!strings.Contains(text, "Googlebot (2), bingbot (1)") {
			t.Errorf("%v: got %s", l, text)
		}
	}
}

// TestNameless checks that an audit says of an address what agents verify says by the same
// evidence: a missing name proves nothing where the published ranges are not known, and the notes
// say so.
func TestNameless(t *testing.T) {
	server := nameserver.Start(t, `
		192.0.2.1 PTR a.googlebot.com.
		a.googlebot.com. A 192.0.2.1
		203.0.113.2 PTR host.example.net.
	`)
	googlebot := agent.Lookup("Googlebot/2.1")
	for _, folder := range []string{"", rangesOf(t, googlebot, 0)} {
		id, err := New(t.Context(), &agent.Verifier{Server: server.Address(), Folder: folder}, true)
		fatal.If(t, err)
		same := &agent.Verifier{Server: server.Address(), Folder: folder, MaxAge: MaxAge}
		for address, want := range map[string]agent.Result{"192.0.2.1": agent.Verified, "203.0.113.2": agent.Forged,
			"203.0.113.3": agent.Unverifiable} {
			if folder != "" && want == agent.Unverifiable {
				want = agent.Forged // by the ranges
			}
			client := netip.MustParseAddr(address)
			verdict, err := same.Verify(t.Context(), client, googlebot.Recipe())
			fatal.If(t, err)
			if got := id.Identify(googlebot, client); got != want || verdict.Result != want {
				t.Errorf("%s, ranges in %q: got %v, and agents verify says %v, want %v", address, folder, got,
					verdict.Result, want)
			}
		}
		for l := range language.Language(len(language.Codes())) {
			notes := strings.Join(id.Notes().In(l), "\n")
			if got, want := strings.Contains(notes, "Googlebot (1)"), folder == ""; got != want ||
				folder == "" && strings.Contains(notes, "https://") {
				t.Errorf("%v: got the notes %s", l, notes)
			}
		}
	}
}

// Without --verify nothing is asked, so nothing is without an answer.
func TestUnaskedDNS(t *testing.T) {
	id, err := New(t.Context(), &agent.Verifier{Server: "127.0.0.1:1"}, false)
	fatal.If(t, err)
	id.Identify(agent.Lookup("Googlebot/2.1"), netip.MustParseAddr("192.0.2.1"))
	if got := id.Notes().In(language.English); len(got) != 0 {
		t.Errorf("got %q", got)
	}
}

// TestJoinNotes divides notes among identifiers, with repeats, in any order: joined they are the
// same, also as JSON.
func TestJoinNotes(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 1))
	for range 200 {
		parts := make([]*Notes, 1+random.IntN(4))
		whole := new(Notes)
		for range random.IntN(12) {
			n := new(Notes)
			switch random.IntN(4) {
			case 0:
				n.Ranges = []Ranges{{"https://example.com/" + string(rune('a'+random.IntN(3))),
					[]string{stateRead, stateOld}[random.IntN(2)], "2026-03-0" + string(rune('1'+random.IntN(2)))}}
			case 1:
				n.MaxAsked = random.IntN(3)
			case 2:
				n.Nameless = []Unanswered{{"a",
					[]netip.Addr{netip.AddrFrom4([4]byte{192, 0, 2, byte(random.IntN(5))})}}}
			case 3:
				n.Unanswered = []Unanswered{{string(rune('a' + random.IntN(3))),
					[]netip.Addr{netip.AddrFrom4([4]byte{192, 0, 2, byte(random.IntN(5))})}}}
			}
			whole = JoinNotes(whole, n)
			for range 1 + random.IntN(2) { // perhaps twice
				i := random.IntN(len(parts))
				parts[i] = JoinNotes(parts[i], n)
			}
		}
		for i, n := range parts {
			data, err := json.Marshal(n)
			if err == nil {
				err = json.Unmarshal(data, &parts[i])
			}
			fatal.If(t, err)
		}
		random.Shuffle(len(parts), func(i, j int) { parts[i], parts[j] = parts[j], parts[i] })
		if got := JoinNotes(parts...); !reflect.DeepEqual(got, whole) {
			t.Fatalf("got %+v, want %+v", got, whole)
		}
	}
}

// Stored notes may be by anybody: what they say is safe for a terminal.
func TestHostileNotes(t *testing.T) {
	const hostile = "\x1b[2J\u202e%[9]d\n"
	n := Notes{Ranges: []Ranges{{hostile, stateRead, hostile}, {hostile, stateOld, hostile},
		{hostile, stateMissing, hostile}, {hostile, hostile, hostile}}}
	for range 20 {
		n.Unanswered = append(n.Unanswered, Unanswered{Token: hostile})
		n.Nameless = append(n.Nameless, Unanswered{Token: hostile})
	}
	for l := range language.Language(len(language.Codes())) {
		if notes := n.In(l); len(notes) != 6 ||
			slices.ContainsFunc(notes, func(s string) bool {
				return !printable.IsText(s) || strings.Contains(s, "%!") ||
					len(s) > 2000
			}) {
			t.Errorf("%v: got %q", l, notes)
		}
	}
}
