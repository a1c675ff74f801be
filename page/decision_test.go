package page_test

import (
	"encoding/json"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode"

	"github.com/robotsexclusion/robots"
	"github.com/robotsexclusion/robots/page"
)

func headers(values ...string) page.Options {
	return page.Options{Header: http.Header{"X-Robots-Tag": values}, Now: time.Date(2026, 1, 31, 12, 0, 0, 0, time.UTC)}
}

// TestString has a sentence for every answer.
func TestString(t *testing.T) {
	for _, test := range []struct{ value, want string }{
		{"", "may be indexed, links may be followed"},
		{"index, follow", "may be indexed (X-Robots-Tag 1: index), links may be followed (X-Robots-Tag 1: follow)"},
		{"none", "may not be indexed (X-Robots-Tag 1: none), links may not be followed (X-Robots-Tag 1: none)"},
		{"googlebot: noindex", "may not be indexed (X-Robots-Tag 1: googlebot: noindex), links may be followed"},
		{"noindex indexifembedded",
			"may not be indexed (X-Robots-Tag 1: noindex), but where it is embedded (X-Robots-Tag 1: indexifembedded), links may be followed"},
		{"indexifembedded", "may be indexed, links may be followed"},
		{"noarchive", "may be indexed, links may be followed, no copy may be shown (X-Robots-Tag 1: noarchive)"},
		{"nosnippet", "may be indexed, links may be followed, no snippet may be shown (X-Robots-Tag 1: nosnippet)"},
		{"max-snippet: 50",
			"may be indexed, links may be followed, snippets have at most 50 characters (X-Robots-Tag 1: max-snippet:50)"},
		{"max-snippet: -1 max-video-preview:-1", "may be indexed, links may be followed"},
		{"max-snippet: 99999999999999999999",
			"may be indexed, links may be followed, snippets have at most 2147483647 characters (X-Robots-Tag 1: max-snippet:99999999999999999999)"},
		{"max-image-preview:none",
			"may be indexed, links may be followed, no picture may be shown (X-Robots-Tag 1: max-image-preview:none)"},
		{"max-image-preview:Large",
			"may be indexed, links may be followed, pictures may be shown in size large (X-Robots-Tag 1: max-image-preview:Large)"},
		{"max-video-preview:0",
			"may be indexed, links may be followed, of videos only a still picture may be shown (X-Robots-Tag 1: max-video-preview:0)"},
		{"max-video-preview:9",
			"may be indexed, links may be followed, videos may be shown for at most 9 seconds (X-Robots-Tag 1: max-video-preview:9)"},
		{"notranslate noimageindex",
			"may be indexed, links may be followed, no translation may be offered (X-Robots-Tag 1: notranslate), pictures may not be indexed (X-Robots-Tag 1: noimageindex)"},
		{"noai", "may be indexed, links may be followed, may not be used to train AI (X-Robots-Tag 1: noai)"},
		{"noimageai",
			"may be indexed, links may be followed, pictures may not be used to train AI (X-Robots-Tag 1: noimageai)"},
		{"index unavailable_after: 2026-01-01",
			"may not be indexed (X-Robots-Tag 1: unavailable_after: 2026-01-01), links may be followed"},
		{"unavailable_after: 2026-02-01",
			"may be indexed, until 2026-02-01T00:00:00Z (X-Robots-Tag 1: unavailable_after: 2026-02-01), links may be followed"},
		{"noindex noindex noindex noindex noindex",
			"may not be indexed (X-Robots-Tag 1: noindex; X-Robots-Tag 1: noindex; X-Robots-Tag 1: noindex and 2 more), links may be followed"},
	} {
		if got := read(t, nil, headers(test.value)).For("Googlebot").String(); got != test.want {
			t.Errorf("%s:\n got %s\nwant %s", test.value, got, test.want)
		}
	}
}

// TestFields has the typed answers.
func TestFields(t *testing.T) {
	d := read(t, nil,
		headers("noindex, nofollow, indexifembedded, noarchive, max-snippet:0, max-image-preview:standard, max-video-preview:9",
			"notranslate, noimageindex, noimageai, unavailable_after: Friday, 25-Jun-10 15:00:00 PST")).For()
	if d.Index || d.Follow || !d.IndexIfEmbedded || d.Archive || d.Snippet || d.MaxSnippet != 0 ||
		d.MaxImagePreview != "standard" ||
		d.MaxVideoPreview != 9 || d.Translate || d.ImageIndex || !d.AI || d.ImageAI ||
		!d.UnavailableAfter.Equal(time.Date(2010, 6, 25, 23, 0, 0, 0, time.UTC)) {
		t.Errorf("%+v", d)
	}
	d = read(t, nil, headers()).For()
	if !d.Index || !d.Follow || d.IndexIfEmbedded || !d.Archive || !d.Snippet || d.MaxSnippet != -1 ||
		d.MaxImagePreview != "any" ||
		d.MaxVideoPreview != -1 || !d.Translate || !d.ImageIndex || !d.AI || !d.ImageAI ||
		!d.UnavailableAfter.IsZero() {
		t.Errorf("nothing said: %+v", d)
	}
	d = read(t, nil, headers("unavailable_after: 2026-01-31T12:00:00Z")).For()
	at := d.UnavailableAfter
	if !d.Index || !d.IndexAt(at) || d.IndexAt(at.Add(time.Second)) {
		t.Errorf("%v", d)
	}
	// Without a time given, it is that of the question.
	o := headers("unavailable_after: 2010-06-25")
	o.Now = time.Time{}
	if d := read(t, nil, o).For(); d.Index {
		t.Errorf("%v", d)
	}
}

// TestWhy checks the deciding directives and the overruled ones.
func TestWhy(t *testing.T) {
	doc := read(t, nil, headers("all, noindex, max-snippet:50",
		"bingbot: noarchive, googlebot: max-snippet:20, foo, max-snippet:x"))
	names := func(list []page.Directive) string {
		var all []string
		for _, d := range list {
			all = append(all, d.String())
		}
		return strings.Join(all, " ")
	}
	d := doc.For("Googlebot")
	for _, test := range []struct{ what, got, want string }{
		{"indexing", names(d.Why("noindex")), "noindex"},
		{"following", names(d.Why("follow")), "all"},
		{"snippets", names(d.Why("nosnippet")), "googlebot: max-snippet:20"},
		{"archiving", names(d.Why("noarchive")), ""},
		{"no directive", names(d.Why("foo")), ""},
		{"in force", names(d.InForce()), "all noindex googlebot: max-snippet:20"},
		{"overruled", names(d.Overruled()), "max-snippet:50"},
		{"in force in 1996", names(doc.In(page.Reading1996).For("Googlebot").InForce()), "all"},
		{"overruled in 1996", names(doc.In(page.Reading1996).For("Googlebot").Overruled()),
			"noindex max-snippet:50 googlebot: max-snippet:20"},
	} {
		if test.got != test.want {
			t.Errorf("%s: %q, want %q", test.what, test.got, test.want)
		}
	}
}

// TestOwnTag finds the tag of a robot in its place among the others.
func TestOwnTag(t *testing.T) {
	o := headers("zorba: nofollow")
	o.Meta = []page.Meta{{Name: "Zorba", Content: "index"}}
	doc := read(t,
		[]byte("<meta name=robots content=follow><meta name=zorba content='all, index'><meta name=robots content=index>"), o)
	var got []string
	for _, d := range append(doc.For("zorba").InForce(), doc.For("zorba").Overruled()...) {
		got = append(got, d.Source.String())
	}
	want := []string{"X-Robots-Tag 1", "given meta 1", "line 1", "line 1", "line 1", "line 1"}
	if !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

func TestMarshal(t *testing.T) {
	o := headers("all, noindex",
		"googlebot: max-image-preview:LARGE, unavailable_after: 25 Jun 2030 15:00:00 PST, max-snippet:50, max-snippet:20, foo")
	d := read(t,
		[]byte("\n<meta name=\"\u202eGoogleBot\u202c\" content=x><meta name=googlebot content='noydir, nocache'>"),
		o).For("googlebot", "\u202eGooglebot\u202c")
	want := `{"index":false,"follow":true,"directives":{"noindex":true,"follow":true,"nocache":true,"max-snippet":20,"max-image-preview":"large",` +
		`"unavailable_after":"2030-06-25T23:00:00Z","noydir":true},"reading":"restrictive","because":[` +
		`{"name":"all","source":{"place":"X-Robots-Tag","number":1},"in_force":true},` +
		`{"name":"noindex","source":{"place":"X-Robots-Tag","number":1},"in_force":true},` +
		`{"name":"max-image-preview","robot":"googlebot","value":"LARGE","source":{"place":"X-Robots-Tag","number":2},"in_force":true},` +
		`{"name":"unavailable_after","robot":"googlebot","value":"25 Jun 2030 15:00:00 PST","source":{"place":"X-Robots-Tag","number":2},"in_force":true},` +
		`{"name":"max-snippet","robot":"googlebot","value":"50","source":{"place":"X-Robots-Tag","number":2},"in_force":false},` +
		`{"name":"max-snippet","robot":"googlebot","value":"20","source":{"place":"X-Robots-Tag","number":2},"in_force":true},` +
		`{"name":"noydir","robot":"googlebot","source":{"place":"meta","name":"googlebot","line":2,"offset":40},"in_force":true},` +
		`{"name":"nocache","robot":"googlebot","source":{"place":"meta","name":"googlebot","line":2,"offset":40},"in_force":true}]}`
	got, err := json.Marshal(d)
	if err != nil || string(got) != want {
		t.Errorf("%v\n got %s\nwant %s", err, got, want)
	}
}

// TestTerminal prints a hostile page.
func TestTerminal(t *testing.T) {
	const evil = "\x1b[31m\u202e\u009b\x00\xff"
	o := headers(evil+": noindex, "+evil, "googlebot: "+evil+":"+evil)
	o.Meta = []page.Meta{{Name: evil + "bot", Content: "noindex"}}
	o.MaxLinks = 10
	doc := read(t, []byte("<meta charset=utf-8><meta name='"+evil+"bot' content='noindex, max-snippet:"+evil+
		"'><a href='"+evil+"' rel='nofollow "+evil+"'>"), o)
	d := doc.For(evil, evil+"bot")
	var printed []string
	for _, dir := range doc.Directives {
		text, err := json.Marshal(dir)
		if err != nil {
			t.Error(err)
		}
		printed = append(printed, dir.String(), string(text))
	}
	for _, v := range []any{d, doc, d.Under(robots.Match{}), d.Link(doc.Links[0])} {
		object, err := json.Marshal(v)
		if err != nil {
			t.Error(err)
		}
		printed = append(printed, string(object))
	}
	answer, _ := page.AppendAnswer(nil, []byte(`{"reading": "\u001b\u009b", "id": 1}`), 0)
	printed = append(printed, d.String(), d.Link(doc.Links[0]).String(), d.Under(robots.Match{}).String(),
		string(answer))
	for _, text := range printed {
		if i := strings.IndexFunc(text, func(c rune) bool { return !unicode.IsGraphic(c) }); i >= 0 {
			t.Errorf("%q has %q in it", text, text[i:min(len(text), i+8)])
		}
	}
}

// TestDocJSON has what the page says in one object.
func TestDocJSON(t *testing.T) {
	doc := read(t,
		[]byte("<title>T</title><meta name=robots content='noindex, max-snippet:x'>\n<link rel=canonical href=/c><div data-nosnippet></div>"), page.Options{MaxLinks: 9})
	want := `{"title":"T","description":"","state":"static","canonicals":[{"url":"/c","source":{"place":"rel","line":2,"offset":68}}],` +
		`"charset":{"name":"utf-8","found":"default"},"size":122,"cut":"none","directives":[` +
		`{"name":"noindex","source":{"place":"meta","name":"robots","line":1,"offset":16}},` +
		`{"name":"max-snippet","value":"x","source":{"place":"meta","name":"robots","line":1,"offset":16},"error":"value \"x\" is not a number such as 0 or 50, or -1 for no limit"}],` +
		`"links":[{"url":"/c","element":"link","rel":["canonical"],"source":{"place":"rel","line":2,"offset":68}}],` +
		`"nosnippet":[{"element":"div","line":2,"offset":96,"end":122}]}`
	got, err := json.Marshal(doc)
	if err != nil || string(got) != want {
		t.Errorf("%v\n got %s\nwant %s", err, got, want)
	}
}

func TestUnder(t *testing.T) {
	policy := robots.Parse([]byte("User-agent: *\nDisallow: /x\n")).For("")
	d := read(t, []byte("\n<meta name=robots content='noindex, nofollow, noarchive'>"), page.Options{}).For()
	one := read(t, nil, headers("noindex")).For()
	for _, test := range []struct {
		verdict page.Verdict
		want    string
		json    string
	}{
		{d.Under(policy.Match("/y")),
			"may be fetched: allowed: no rule of the group matches; may not be indexed (line 2: noindex), links may not be followed (line 2: nofollow), no copy may be shown (line 2: noarchive)",
			`{"fetch":true,"index":false,"follow":false,"match":{"allowed":true,"reason":"no-rule"},"page":{`},
		{d.Under(policy.Match("/x")),
			"may not be fetched: disallowed by line 2: Disallow: /x; so its noindex (line 2), nofollow (line 2) and noarchive (line 2) are never seen",
			`{"fetch":false,"index":false,"follow":false,"match":{"allowed":false,"reason":"rule","line":2,"rule":"Disallow: /x"},"page":{`},
		{one.Under(policy.Match("/x")),
			"may not be fetched: disallowed by line 2: Disallow: /x; so its noindex (X-Robots-Tag 1) is never seen",
			`{"fetch":false,`},
		{(*page.Decision)(nil).Under(policy.Match("/x")),
			"may not be fetched: disallowed by line 2: Disallow: /x; so nothing that the page says is ever seen",
			`{"fetch":false,"index":false,"follow":false,"match":{"allowed":false,"reason":"rule","line":2,"rule":"Disallow: /x"}}`},
		{read(t, nil, headers()).For().Under(policy.Match("/y")),
			"may be fetched: allowed: no rule of the group matches; may be indexed, links may be followed",
			`{"fetch":true,"index":true,"follow":true,`},
	} {
		if got := test.verdict.String(); got != test.want {
			t.Errorf("\n got %s\nwant %s", got, test.want)
		}
		if got, err := json.Marshal(test.verdict); err != nil || !strings.HasPrefix(string(got), test.json) {
			t.Errorf("%v\n got %s\nwant %s", err, got, test.json)
		}
	}
}

func TestNames(t *testing.T) {
	for _, test := range []struct{ got, want string }{
		{page.Reading1996.String(), "1996"}, {page.Reading(9).String(), "unknown"},
		{page.CutSize.String(), "size"}, {(page.CutSize | page.CutLinks).String(), "size, links"},
		{page.Cut(0).String(), "none"},
		{read(t, []byte("<meta name=robots content=max-image-preview:LARGE>"), page.Options{}).For().MaxImagePreview,
			"large"},
		{read(t, nil, page.Options{}).For().MaxImagePreview, "any"},
		{read(t, []byte("<meta name=robots content=noindex>"), page.Options{}).Directives[0].Source.Place, "meta"},
	} {
		if test.got != test.want {
			t.Errorf("%q, want %q", test.got, test.want)
		}
	}
	var r page.Reading
	if err := r.UnmarshalText([]byte("Restrictive")); err != nil || r != page.Restrictive {
		t.Errorf("%v, %v", r, err)
	}
}
