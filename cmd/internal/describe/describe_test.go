package describe

import (
	"context"
	"crypto/ed25519"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"os"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/robotsexclusion/robots"
	"github.com/robotsexclusion/robots/agent"
	"github.com/robotsexclusion/robots/agent/botauth"
	"github.com/robotsexclusion/robots/agent/keydir"
	"github.com/robotsexclusion/robots/internal/language"
	"github.com/robotsexclusion/robots/internal/test/fatal"
	"github.com/robotsexclusion/robots/lint"
	"golang.org/x/net/html"
)

// text returns a description of ExampleBot with some members changed; nil leaves a member out.
func text(t *testing.T, changes map[string]any) []byte {
	t.Helper()
	members := map[string]any{
		"token": "ExampleBot", "operator": "Example Inc.", "purposes": []string{"search"},
		"about":      "ExampleBot reads pages for the search of example.com.",
		"user_agent": "Mozilla/5.0 (compatible; ExampleBot/1.0; +https://bot.example.com/)",
		"page":       "https://bot.example.com/", "contact": []string{"mailto:bot@example.com"}, "robots_txt": "yes",
	}
	for name, value := range changes {
		if members[name] = value; value == nil {
			delete(members, name)
		}
	}
	data, err := json.Marshal(members)
	fatal.If(t, err)
	return data
}

// describe returns the description of a text that must be right.
func describe(t *testing.T, changes map[string]any) *Description {
	t.Helper()
	d, err := Parse(text(t, changes))
	fatal.If(t, err)
	return d
}

func newKey(t *testing.T) (ed25519.PrivateKey, botauth.Key) {
	t.Helper()
	_, private, err := ed25519.GenerateKey(nil)
	fatal.If(t, err)
	public, err := botauth.NewKey(private.Public())
	fatal.If(t, err)
	return private, public
}

// files returns the documents by their names.
func files(t *testing.T, d *Description, o Options) map[string]File {
	t.Helper()
	list, err := d.Files(o)
	fatal.If(t, err)
	byName := make(map[string]File)
	for _, f := range list {
		byName[f.Name] = f
	}
	return byName
}

// TestPublished serves the documents, and has the readers of this module read them from there: the
// addresses, the keys, and the card.
func TestPublished(t *testing.T) {
	t.Parallel()
	documents := make(map[string]File)
	s := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		f, ok := documents[r.URL.Path]
		if !ok {
			http.NotFound(w, r)
			return
		}
		w.Header().Set("Content-Type", f.Type)
		w.Write(f.Data)
	}))
	defer s.Close()
	private, public := newKey(t)
	d := describe(t, map[string]any{
		"page": s.URL + "/bots/example/", "addresses": []string{"192.0.2.0/25", "2001:db8:1::/48", "203.0.113.9"},
		"dns": []string{"bot.example.com"}, "trigger": "crawler",
	})
	all := files(t, d, Options{Keys: []botauth.Key{public}, Now: time.Now()})
	for name, f := range all {
		served, ok := strings.CutPrefix(name, serveFolder)
		if want := s.URL + strings.TrimSuffix(served, "index.html"); ok && f.URL != want {
			t.Errorf("%s is to be served at %s, want %s", name, f.URL, want)
		}
		documents[strings.TrimPrefix(f.URL, s.URL)] = f
	}

	table, err := agent.ParseTable(all[sendFolder+"/robots-table.json"].Data)
	fatal.If(t, err)
	robot := table.Lookup(d.UserAgent)
	if !robot.Known() || robot.Token != "ExampleBot" || robot.Docs() != d.Page || robot.Operator != "Example Inc." ||
		robot.Obedience().String() != "yes" || robot.Checked() == "" {
		t.Errorf("the table has %+v, documented at %s", robot, robot.Docs())
	}
	ranges := agent.Recipe{Ranges: robot.Recipe().Ranges}
	verifier := &agent.Verifier{Client: s.Client()}
	for addr, want := range map[string]agent.Result{
		"192.0.2.127": agent.Verified, "192.0.2.128": agent.Forged, "2001:db8:1::7": agent.Verified,
		"203.0.113.9": agent.Verified, "203.0.113.8": agent.Forged,
	} {
		got, err := verifier.Verify(t.Context(), netip.MustParseAddr(addr), ranges)
		if err != nil || got.Result != want {
			t.Errorf("%s: %v, %v, want %v", addr, got.Result, err, want)
		}
	}
	document := all["serve/bots/example/ranges.json"].Data
	if found, err := agent.InRanges(document, netip.MustParseAddr("192.0.2.1")); err != nil || found.Created.IsZero() ||
		found.Prefixes != 3 || found.Skipped > 0 {
		t.Errorf("the range document: %+v, %v", found, err)
	}

	keys := &keydir.Client{UserAgent: "Test/1.0 (+https://example.org)", Transport: s.Client().Transport}
	check := &botauth.Verifier{Keys: keys.Key}
	signed := func(key ed25519.PrivateKey) botauth.Verdict {
		r := httptest.NewRequest(http.MethodGet, "https://www.example.org/page", nil)
		fatal.If(t, (&botauth.Signer{Key: key, Agent: d.SignatureAgent()}).Sign(r, time.Now()))
		return check.Verify(r, time.Now())
	}
	if v := signed(private); v.Result != botauth.Verified {
		t.Errorf("the published key: %v", v)
	}
	other, _ := newKey(t)
	if v := signed(other); v.Result == botauth.Verified || !strings.Contains(v.String(), "does not publish this key") {
		t.Errorf("another key: %v", v)
	}
	card, err := keys.Source(context.Background(), botauth.Agent{URL: d.cardURL(), Type: "cimd"})
	fatal.If(t, err)
	if c := card.Card; c.Name != "ExampleBot" || c.ProductToken != "ExampleBot" || c.UserAgent != d.UserAgent ||
		c.RangesURL != d.rangesURL() || c.Trigger != "crawler" || !slices.Equal(c.Contacts, d.Contact) {
		t.Errorf("the card: %+v", c)
	}
	if _, ok := card.Keys.Key(public.ID()); !ok {
		t.Error("the card does not lead to the key")
	}
}

// TestListEntry checks that the pattern for crawler-user-agents finds the headers, and nothing
// near.
func TestListEntry(t *testing.T) {
	t.Parallel()
	for _, token := range []string{"ExampleBot", "example.com_bot", "News-Bot!"} {
		d := describe(t, map[string]any{"token": token, "user_agent": token + "/1.0 (+https://bot.example.com/)"})
		var entries []ListEntry
		now := time.Date(2026, 11, 29, 23, 0, 0, 0, time.UTC)
		data := files(t, d, Options{Now: now})[sendFolder+"/crawler-user-agents.json"].Data
		fatal.If(t, json.Unmarshal(data, &entries))
		if len(entries) != 1 || entries[0].AddedOn != "2026/11/29" || entries[0].URL != d.Page ||
			!slices.Equal(entries[0].Instances, []string{d.UserAgent}) {
			t.Fatalf("%+v", entries)
		}
		pattern := regexp.MustCompile(entries[0].Pattern)
		near := strings.ReplaceAll(d.UserAgent, token, strings.NewReplacer(".", "-", "B", "8", "'", "").Replace(token))
		if !pattern.MatchString(d.UserAgent) || pattern.MatchString(near) {
			t.Errorf("the pattern %s: %s %v, %s %v", pattern, d.UserAgent, pattern.MatchString(d.UserAgent), near,
				pattern.MatchString(near))
		}
	}
}

// elements returns the elements of a page, and the texts of its pre elements.
func elements(t *testing.T, page []byte) (names map[string]int, texts []string) {
	t.Helper()
	root, err := html.Parse(strings.NewReader(string(page)))
	fatal.If(t, err)
	names = make(map[string]int)
	for n := range root.Descendants() {
		if n.Type != html.ElementNode {
			continue
		}
		names[n.Data]++
		for _, a := range n.Attr {
			if strings.HasPrefix(a.Key, "on") || a.Key == "href" && !strings.HasPrefix(a.Val, "https://") &&
				!strings.HasPrefix(a.Val, "mailto:") {
				t.Errorf("<%s %s=%q>", n.Data, a.Key, a.Val)
			}
		}
		if n.Data == "pre" && n.FirstChild != nil {
			texts = append(texts, n.FirstChild.Data)
		}
	}
	return names, texts
}

// TestPageSnippets checks that the parts of robots.txt on the page do what the page says of them,
// to the robot only, and that lint has nothing to say of them.
func TestPageSnippets(t *testing.T) {
	t.Parallel()
	for _, changes := range []map[string]any{
		{}, {"crawl_delay": "pause"}, {"everyone": false}, {"robots_txt": "partly", "fallback": []string{"Googlebot"}},
		{"token": "News-Bot!", "user_agent": "News-Bot!/2.0 (+https://bot.example.com/)"},
		{"token": "example.com_bot", "user_agent": "example.com_bot (+https://bot.example.com/)"},
	} {
		d := describe(t, changes)
		_, snippets := elements(t, files(t, d, Options{Now: time.Now()})["serve/index.html"].Data)
		want := []struct{ closed, open string }{{"/", ""}, {"/private/x", "/x"}}
		if len(snippets) < len(want) {
			t.Fatalf("%s: %q", d.Token, snippets)
		}
		for i, snippet := range snippets {
			policy := robots.ParseString(snippet)
			if report := lint.Run(policy, lint.Options{}); len(report.Diagnostics) > 0 {
				t.Errorf("%q: %v", snippet, report.Diagnostics)
			}
			group := d.table.Subject(d.UserAgent).Group(policy)
			if i >= len(want) {
				if delay, ok := group.CrawlDelay(); !ok || delay.Delay != 10*time.Second {
					t.Errorf("%q: Crawl-delay %v, %v", snippet, delay.Delay, ok)
				}
				continue
			}
			if group.Allowed(want[i].closed) || want[i].open != "" && !group.Allowed(want[i].open) ||
				!agent.Group(policy, "OtherBot/1.0").Allowed("/") {
				t.Errorf("%q does not do what the page says", snippet)
			}
		}
	}
	if _, snippets := elements(t, files(t, describe(t, map[string]any{"robots_txt": "no"}),
		Options{})["serve/index.html"].Data); len(snippets) > 0 {
		t.Errorf("a robot that does not obey robots.txt: %q", snippets)
	}
}

// TestPageEscapes writes markup and scripts to all members, in all languages: the page shows them.
func TestPageEscapes(t *testing.T) {
	t.Parallel()
	const evil = `</title><script>alert(1)</script><img src=x onerror=alert(1)>"'` + "`{{.}}&lt;"
	plain := describe(t, map[string]any{"source": "https://example.com/src"})
	for code := range slices.Values(language.Codes()) {
		o := Options{Language: language.Parse(code), Now: time.Now()}
		want, _ := elements(t, files(t, plain, o)["serve/index.html"].Data)
		d := describe(t, map[string]any{
			"name": evil, "operator": evil, "about": evil, "user_agent": "ExampleBot/1.0 " + evil,
			"source":  "https://example.com/?'onclick='alert(1)",
			"contact": []string{"https://example.com/'onclick=alert(1)"},
		})
		page := files(t, d, o)["serve/index.html"].Data
		got, _ := elements(t, page)
		if len(got) != len(want) || got["script"] > 0 || got["img"] > 0 || got["a"] != want["a"] {
			t.Errorf("%s: elements %v, want %v\n%s", code, got, want, page)
		}
		if strings.Contains(string(page), "ZgotmplZ") {
			t.Errorf("%s: the template refused a URL", code)
		}
	}
}

// TestRefused checks wrong descriptions: each error names the member.
func TestRefused(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		member string
		value  any
		want   string
	}{
		{"token", nil, `"token" is missing`},
		{"token", "Example Bot", "not a product token"},
		{"token", "*", "not a product token"},
		{"operator", "  ", `"operator" is missing`},
		{"operator", "a\u202eb", `"operator" has characters that are not shown`},
		{"about", nil, `"about" is missing`},
		{"about", "a\x1b[2J", `"about" has characters that are not shown`},
		{"about", strings.Repeat("a", maxAbout+1), `"about" has 4001 bytes`},
		{"user_agent", "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0",
			`"user_agent" is taken for`},
		{"user_agent", "Googlebot/2.1 (+http://www.google.com/bot.html)",
			`"user_agent" is taken for a header of "Googlebot"`},
		{"user_agent", "ExampleBot/1.0\r\nX: y", `"user_agent" has characters`},
		{"user_agent", "ExampleBot/1.0 é", "ASCII only"},
		{"purposes", []string{}, `"purposes" is missing`},
		{"purposes", []string{"everything"}, `purpose "everything" is none of`},
		{"purposes", "search", `"purposes" is a string`},
		{"robots_txt", nil, `"robots_txt" is "": write yes or partly or no`},
		{"robots_txt", "always", `"robots_txt" is "always"`},
		{"trigger", "cron", `"trigger" is "cron": write crawler or fetcher`},
		{"crawl_delay", "10", `crawl_delay "10" is none of`},
		{"fallback", []string{"NoSuchBotAnywhere"}, `fallback "NoSuchBotAnywhere" is not a robot`},
		{"dns", []string{"Example"}, `dns "Example" is not a domain`},
		{"source", "javascript:alert(1)", "source"},
		{"contact", nil, `"contact" is missing`},
		{"contact", []string{"javascript:alert(1)"}, `"contact" has "javascript:alert(1)"`},
		{"contact", []string{"bot@example.com"}, `"contact" has "bot@example.com"`},
		{"contact", []string{"mailto:Bot <bot@example.com>"}, `"contact" has`},
		{"page", nil, `"page" is ""`},
		{"page", "http://bot.example.com/", `"page" is "http://bot.example.com/"`},
		{"page", "https://bot.example.com/bot", `"page" is`},
		{"page", "https://bot.example.com/../../etc/", `"page" is`},
		{"page", "https://bot.example.com/%2e%2e/", `"page" is`},
		{"page", "https://bot.example.com/.well-known/", `"page" is`},
		{"page", "https://bot.example.com/a//b/", `"page" is`},
		{"page", "https://user@bot.example.com/", `"page" is`},
		{"page", "https://bot.example.com/?", `"page" is`},
		{"page", "https://bot.example.com/\\..\\", `"page" is`},
		{"addresses", []string{"192.0.2.7/24"}, "write 192.0.2.0/24"},
		{"addresses", []string{"10.0.0.0/8"}, "which nobody on the Internet has"},
		{"addresses", []string{"::1"}, "which nobody on the Internet has"},
		{"addresses", []string{"192.0.2"}, `"addresses" has "192.0.2"`},
		{"addresses", []string{"fe80::1%eth0"}, `"addresses" has`},
		{"addresses", []string{"64.0.0.0/2"}, `"addresses":`},
		{"agent", "x", `unknown field "agent"`},
	} {
		d, err := Parse(text(t, map[string]any{test.member: test.value}))
		if err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: %v: %+v, error %v, want %s", test.member, test.value, d, err, test.want)
		}
	}
	for _, data := range []string{
		"", "[]", `{"token": "A"`, `{"token": "A"} {}`, "null", strings.Repeat(" ", MaxSize+1),
	} {
		if _, err := Parse([]byte(data)); err == nil {
			t.Errorf("%.20q is not an error", data)
		}
	}
}

// TestDocument checks the description in doc/crawler.md.
func TestDocument(t *testing.T) {
	t.Parallel()
	data, err := os.ReadFile("../../../doc/crawler.md")
	fatal.If(t, err)
	_, text, _ := strings.Cut(string(data), "$ cat bot.json\n")
	text, _, ok := strings.Cut(text, "$ robots agents describe")
	d, err := Parse([]byte(text))
	if !ok || err != nil || d.Token != "ExampleBot" {
		t.Errorf("%v: %s", err, text)
	}
}

// TestSchema checks that the entry has only members of the schema of the table, and a source as the
// table of this module asks it.
func TestSchema(t *testing.T) {
	t.Parallel()
	data, err := os.ReadFile("../../../agent/data/schema.json")
	fatal.If(t, err)
	var schema struct {
		Defs map[string]struct {
			Required   []string
			Properties map[string]json.RawMessage
		} `json:"$defs"`
	}
	fatal.If(t, json.Unmarshal(data, &schema))
	d := describe(t, map[string]any{"addresses": []string{"192.0.2.0/24"}, "dns": []string{"bot.example.com"},
		"crawl_delay": "rate", "everyone": true, "fallback": []string{"Googlebot"},
		"source": "https://example.com/src"})
	var table struct {
		Sources map[string]map[string]any
		Robots  []map[string]any
	}
	entry := files(t, d, Options{Now: time.Now()})[path.Join(sendFolder, "robots-table.json")].Data
	fatal.If(t, json.Unmarshal(entry, &table))
	has := func(entry map[string]any, def string) {
		for _, member := range schema.Defs[def].Required {
			if entry[member] == nil {
				t.Errorf("%s lacks %s", def, member)
			}
		}
		for member := range entry {
			if schema.Defs[def].Properties[member] == nil {
				t.Errorf("%s has %s, which the schema does not have", def, member)
			}
		}
	}
	has(table.Robots[0], "robot")
	has(table.Sources["examplebot"], "source")
	if !regexp.MustCompile(`^[a-z0-9-]+$`).MatchString(sourceName("News-Bot!")) {
		t.Errorf("the source %q", sourceName("News-Bot!"))
	}
}
