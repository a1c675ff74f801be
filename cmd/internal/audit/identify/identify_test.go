package identify

import (
	"net/netip"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/robotsexclusion/robots/agent"
	"github.com/robotsexclusion/robots/internal/language"
	"github.com/robotsexclusion/robots/internal/test/fatal"
)

// ranges makes a folder with the ranges of GPTBot, fetched some time ago.
func ranges(t *testing.T, age time.Duration) (folder string, gptBot agent.Agent) {
	t.Helper()
	gptBot = agent.Lookup("GPTBot/1.2")
	return rangesOf(t, gptBot, age), gptBot
}

// rangesOf writes the ranges of a robot into a folder.
func rangesOf(t *testing.T, robot agent.Agent, age time.Duration) (folder string) {
	t.Helper()
	if len(robot.Recipe().Ranges) == 0 {
		t.Fatalf("%s has no published ranges", robot.Token)
	}
	folder = t.TempDir()
	for _, source := range robot.Recipe().Ranges {
		name := filepath.Join(folder, url.QueryEscape(source))
		fatal.If(t, os.WriteFile(name, []byte(`{"prefixes": [{"ipv4Prefix": "192.0.2.0/24"}]}`), 0o666))
		then := time.Now().Add(-age)
		fatal.If(t, os.Chtimes(name, then, then))
	}
	return folder
}

// TestIdentify checks ranges of several ages: old ones prove nothing about other addresses, and
// very old ones prove nothing.
func TestIdentify(t *testing.T) {
	const day = 24 * time.Hour
	for _, test := range []struct {
		age           time.Duration
		listed, other agent.Result
		note          string
	}{
		{day, agent.Verified, agent.Forged, "are those of 2"},
		{10 * day, agent.Verified, agent.Unverifiable, "too old"},
		{40 * day, agent.Unverifiable, agent.Unverifiable, "older than 30 days"},
	} {
		folder, gptBot := ranges(t, test.age)
		id, err := New(t.Context(), &agent.Verifier{Folder: folder}, false)
		fatal.If(t, err)
		of := id.Of(gptBot)
		if got, want := of != nil, test.listed == agent.Verified; got != want {
			t.Errorf("%v: has a function: got %v, want %v", test.age, got, want)
		}
		if id.Of(agent.Lookup("NobodyKnowsBot/1.0")) != nil {
			t.Errorf("%v: an unknown robot has a function", test.age)
		}
		for _, client := range []netip.Addr{netip.MustParseAddr("192.0.2.7"), netip.MustParseAddr("203.0.113.7")} {
			if of != nil && of(client) != id.Identify(gptBot, client) {
				t.Errorf("%v: of %s: got %v", test.age, client, of(client))
			}
		}
		for range 2 {
			if got := id.Identify(gptBot, netip.MustParseAddr("192.0.2.7")); got != test.listed {
				t.Errorf("%v: listed: got %v, want %v", test.age, got, test.listed)
			}
			if got := id.Identify(gptBot, netip.MustParseAddr("203.0.113.7")); got != test.other {
				t.Errorf("%v: other: got %v, want %v", test.age, got, test.other)
			}
		}
		for l := range language.Language(len(language.Codes())) {
			notes := id.Notes().In(l)
			if len(notes) != len(gptBot.Recipe().Ranges) {
				t.Errorf("%v: got the notes %q", test.age, notes)
			}
			if l == language.English && !strings.Contains(notes[0], test.note) {
				t.Errorf("%v: got the note %q, want %q in it", test.age, notes[0], test.note)
			}
		}
	}
}

// TestUnverifiable checks requests about which there is nothing to ask.
func TestUnverifiable(t *testing.T) {
	folder, gptBot := ranges(t, 0)
	id, err := New(t.Context(), &agent.Verifier{Folder: folder}, false)
	fatal.If(t, err)
	if got := id.Identify(agent.Lookup("NobodyKnowsBot/1.0"),
		netip.MustParseAddr("192.0.2.7")); got != agent.Unverifiable {
		t.Errorf("without a recipe: got %v", got)
	}
	if got := id.Identify(gptBot, netip.Addr{}); got != agent.Unverifiable {
		t.Errorf("without an address: got %v", got)
	}
	if got := id.Notes().In(language.English); len(got) != 0 {
		t.Errorf("got the notes %q", got)
	}
}

// TestMaxAddresses checks that the results kept are bounded, that ranges still count beyond, and
// that the limit is told.
func TestMaxAddresses(t *testing.T) {
	googlebot := agent.Lookup("Googlebot/2.1") // its addresses also have names
	id, err := New(t.Context(), &agent.Verifier{Folder: rangesOf(t, googlebot, 0)}, true)
	fatal.If(t, err)
	id.maxAddresses = 2
	for _, client := range []string{"192.0.2.1", "192.0.2.2", "192.0.2.3", "192.0.2.4"} {
		if got := id.Identify(googlebot, netip.MustParseAddr(client)); got != agent.Verified {
			t.Errorf("%s: got %v", client, got)
		}
	}
	if n := len(id.answers); n != 2 {
		t.Errorf("%d results are kept, want 2", n)
	}
	if notes := id.Notes().In(language.English); !slices.ContainsFunc(notes,
		func(s string) bool { return strings.Contains(s, "more than 2 addresses") }) {
		t.Errorf("the limit is not told: %q", notes)
	}
}

// TestNew refuses a folder that is not there: it would look like one without ranges.
func TestNew(t *testing.T) {
	folder := t.TempDir()
	file := filepath.Join(folder, "file")
	fatal.If(t, os.WriteFile(file, nil, 0o666))
	for _, name := range []string{file, filepath.Join(folder, "nowhere")} {
		if _, err := New(t.Context(), &agent.Verifier{Folder: name}, false); err == nil {
			t.Errorf("%s: got no error", name)
		}
	}
}
