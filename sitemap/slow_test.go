package sitemap_test

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"io"
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/robotsexclusion/robots/sitemap"
)

// A slowSet is a sitemap or an index as the slow twin reads it, with encoding/xml, which
// supports namespaces.
type slowSet struct {
	URLs     []slowEntry `xml:"http://www.sitemaps.org/schemas/sitemap/0.9 url"`
	Sitemaps []slowEntry `xml:"http://www.sitemaps.org/schemas/sitemap/0.9 sitemap"`
	Items    []slowItem  `xml:"channel>item"`
}

type slowEntry struct {
	Loc        string `xml:"http://www.sitemaps.org/schemas/sitemap/0.9 loc"`
	LastMod    string `xml:"http://www.sitemaps.org/schemas/sitemap/0.9 lastmod"`
	ChangeFreq string `xml:"http://www.sitemaps.org/schemas/sitemap/0.9 changefreq"`
	Priority   string `xml:"http://www.sitemaps.org/schemas/sitemap/0.9 priority"`
}

type slowItem struct {
	Link    string `xml:"link"`
	PubDate string `xml:"pubDate"`
}

var slowURLs = regexp.MustCompile(`^(?i:https?)://[^\x00-\x20/\\?#:]`)

// slowRead returns the entries of a well-formed sitemap that follows the schema, or of a
// feed of RSS, and the number of invalid ones.
func slowRead(data []byte) (entries []sitemap.Entry, bad int, err error) {
	var set slowSet
	if err := xml.Unmarshal(data, &set); err != nil {
		return nil, 0, err
	}
	add := func(kind sitemap.Kind, list []slowEntry) {
		for _, s := range list {
			e := sitemap.Entry{URL: slowTrim(s.Loc), Kind: kind, Priority: 0.5}
			if !slowURLs.MatchString(e.URL) || utf8.RuneCountInString(e.URL) >= 2048 {
				bad++
				continue
			}
			e.LastMod, e.Precision = slowDate(slowTrim(s.LastMod))
			for _, f := range []string{"always", "hourly", "daily", "weekly", "monthly", "yearly", "never"} {
				if strings.EqualFold(slowTrim(s.ChangeFreq), f) {
					e.ChangeFreq = f
				}
			}
			if text := slowTrim(s.Priority); text != "" {
				fmt.Sscan(text, &e.Priority)
			}
			entries = append(entries, e)
		}
	}
	add(sitemap.Page, set.URLs)
	add(sitemap.Sitemap, set.Sitemaps)
	for _, item := range set.Items {
		add(sitemap.Page, []slowEntry{{Loc: item.Link, LastMod: item.PubDate}})
	}
	return entries, bad, nil
}

// slowTrim removes the white space of Unicode, and characters without width.
func slowTrim(s string) string {
	for {
		t := strings.Trim(strings.TrimSpace(s), "\u200b\ufeff")
		if t == s {
			return s
		}
		s = t
	}
}

// slowDate reads W3C Datetime and the dates of RSS.
func slowDate(text string) (t time.Time, p string) {
	for _, f := range []struct {
		layout string
		p      string
	}{
		{"2006", "year"}, {"2006-01", "month"}, {"2006-01-02", "day"},
		{"2006-01-02T15:04Z07:00", "minute"}, {"2006-01-02T15:04:05Z07:00", "second"},
		{time.RFC1123Z, "second"},
	} {
		t, err := time.Parse(f.layout, text)
		if t = t.UTC(); err != nil || t.Year() < 1990 {
			continue
		}
		if strings.ContainsAny(text, ".,") && f.p == "second" && f.layout != time.RFC1123Z {
			f.p = "fraction"
		}
		return t, f.p
	}
	return time.Time{}, ""
}

// compare compares the entries of a well-formed document with those of the twin. It
// compares only dates that the twin can read.
func compare(t *testing.T, data []byte) (n int) {
	t.Helper()
	want, wantBad, err := slowRead(data)
	if err != nil {
		t.Fatalf("%v in\n%s", err, data)
	}
	bad := 0
	for e, err := range sitemap.Read(bytes.NewReader(data), sitemap.Options{}) {
		if err != nil {
			bad++
			continue
		}
		if n < len(want) && want[n].Precision == "" {
			e.LastMod, e.Precision = time.Time{}, ""
		}
		if e.Line = 0; n >= len(want) || e != want[n] {
			t.Errorf("entry %d is %+v, want %+v of\n%.2000s", n, e, append(want, sitemap.Entry{})[min(n, len(want))],
				data)
		}
		n++
	}
	if n != len(want) || bad != wantBad {
		t.Errorf("%d entries and %d that are no good, want %d and %d of\n%.2000s", n, bad, len(want), wantBad, data)
	}
	return n
}

// A scribe writes well-formed sitemaps in random variants.
type scribe struct {
	*rand.Rand
	b      strings.Builder
	prefix string
}

// document returns a sitemap with these texts in its fields.
func (s *scribe) document(texts ...string) []byte {
	s.prefix = []string{"", "", "ns0:", "s-m:"}[s.IntN(4)]
	root, entry := "urlset", "url"
	if s.IntN(4) == 0 {
		root, entry = "sitemapindex", "sitemap"
	}
	if s.IntN(2) == 0 {
		s.b.WriteString("\ufeff"[:3*s.IntN(2)] + "<?xml version='1.0' encoding=\"UTF-8\"?>")
	}
	s.noise()
	xmlns := "xmlns"
	if s.prefix != "" {
		xmlns += ":" + s.prefix[:len(s.prefix)-1]
	}
	s.b.WriteString("<" + s.prefix + root + " " + xmlns +
		"=\n'http://www.sitemaps.org/schemas/sitemap/0.9' xmlns:image=\"i\" a='\">/'>")
	for range s.IntN(4) {
		s.noise()
		s.b.WriteString("<" + s.prefix + entry + ">")
		for _, i := range s.Perm(4) {
			s.noise()
			s.extension()
			if i == 0 || s.IntN(3) > 0 {
				s.element(s.prefix+[]string{"loc", "lastmod", "changefreq", "priority"}[i], texts[i])
			}
		}
		s.extension()
		s.b.WriteString("</" + s.prefix + entry + " >")
	}
	s.noise()
	s.b.WriteString("</" + s.prefix + root + ">")
	s.noise()
	return []byte(s.b.String())
}

// noise writes markup without meaning.
func (s *scribe) noise() {
	s.b.WriteString([]string{"", "", "\n\t", "<!-- <url> ' & ]]> -->", "<?php '<loc>' ?>"}[s.IntN(5)])
}

// extension writes an element outside the protocol.
func (s *scribe) extension() {
	s.b.WriteString([]string{"", "", "<image:image><image:loc>http://example.com/i</image:loc></image:image>",
		"<image:loc>http://example.com/j</image:loc>",
		"<image:z/>", "<image:x a = \"1\" b='/>'/>", "<image:y><" + s.prefix + "x/></image:y>"}[s.IntN(7)])
}

// element writes a field with its text.
func (s *scribe) element(name, text string) {
	fmt.Fprintf(&s.b, "<%s>%s", name, []string{"", " ", "\n \t"}[s.IntN(3)])
	for text != "" {
		n := min(len(text), 1+s.IntN(10))
		for n < len(text) && !utf8.RuneStart(text[n]) {
			n++
		}
		var escaped strings.Builder
		xml.EscapeText(&escaped, []byte(text[:n]))
		switch part := escaped.String(); {
		case part == text[:n] && s.IntN(3) == 0, s.IntN(3) == 0 && !strings.ContainsAny(text[:n], "]\r") &&
			!strings.Contains(part, "\ufffd"):
			s.b.WriteString("<![CDATA[" + text[:n] + "]]>")
		case s.IntN(8) == 0:
			s.b.WriteString(part + "<!--x-->")
		default:
			s.b.WriteString(part)
		}
		text = text[n:]
	}
	fmt.Fprintf(&s.b, "%s</%s>", []string{"", " \n"}[s.IntN(2)], name)
}

// TestTwin compares many documents.
func TestTwin(t *testing.T) {
	n := 0
	for seed := range uint64(3000) {
		s := &scribe{Rand: rand.New(rand.NewPCG(seed, 0))}
		n += compare(t, s.document(
			[]string{"http://example.com/?a=1&b=<>\"'\u00a0", "/x", "HTTPS://exämple.com/\ufeff", "",
				"https://example.com/]]&#12;]>"}[s.IntN(5)],
			[]string{"2020-02-29T23:59:59.5-07:30", "2021", "1980-01-01", "2020-02-30"}[s.IntN(4)],
			[]string{"weekly", "NEVER", "often"}[s.IntN(3)],
			[]string{"1.0", "0.25", "1", "0"}[s.IntN(4)]))
	}
	if n < 1000 {
		t.Errorf("only %d entries", n)
	}
}

// FuzzTwin compares documents with any texts.
func FuzzTwin(f *testing.F) {
	f.Add(uint64(1), "http://example.com/?a&amp;b", "2020-01-01T00:00:00Z", "daily")
	f.Add(uint64(2), "https://\u00fc\ud7ff\U0010ffff", "2016-12-31T23:59:59.999999999999-23:59", "")
	f.Add(uint64(3), "http://a\r\n\t ]]>", "1990", "ALWAYS ")
	f.Fuzz(func(t *testing.T, seed uint64, loc, lastmod, freq string) {
		s := &scribe{Rand: rand.New(rand.NewPCG(seed, 1))}
		compare(t, s.document(loc, lastmod, freq, "0.5"))
	})
}

// FuzzRead reads random bytes, whole and in small pieces: the results must be equal.
func FuzzRead(f *testing.F) {
	for _, test := range formats {
		if len(test.text) < 2000 {
			f.Add([]byte(test.text), 1)
		}
	}
	for _, h := range huge {
		f.Add([]byte(h.begin+strings.Repeat(h.text, 10)+h.end), 7)
	}
	f.Add([]byte(zip(head+"<url><loc>http://example.com/</loc></url></urlset>")), 3)
	f.Add([]byte("\xff\xfe<\x00u\x00r\x00l\x00s\x00e\x00t\x00>\x00"), 2)
	f.Fuzz(func(t *testing.T, data []byte, piece int) {
		o := sitemap.Options{MaxSize: 1 << 20, MaxEntries: 1000, Alternates: piece&1 == 0}
		whole := transcript(t, bytes.NewReader(data), o)
		if pieces := transcript(t, &inPieces{data, 1 + piece&15}, o); pieces != whole {
			t.Errorf("in pieces:\n%s\nwhole:\n%s", pieces, whole)
		}
	})
}

// transcript returns all results of reading a document as text.
func transcript(t *testing.T, r io.Reader, o sitemap.Options) string {
	var b strings.Builder
	n, last := 0, 0
	for e, err := range sitemap.Read(r, o) {
		if n++; n > o.MaxEntries+3 && !o.Alternates {
			t.Fatal("there is no end")
		}
		if err != nil {
			fmt.Fprintln(&b, err)
			continue
		}
		if !slowURLs.MatchString(e.URL) || utf8.RuneCountInString(e.URL) >= 2048 || e.Priority < 0 || e.Priority > 1 ||
			e.Line < 1 ||
			(e.Precision == "") != e.LastMod.IsZero() || e.LastMod.Location() != time.UTC {
			t.Fatalf("entry %+v", e)
		}
		if e.Line < last && e.Kind != sitemap.Alternate {
			t.Fatalf("entry %+v after line %d", e, last)
		}
		if e.Kind != sitemap.Alternate {
			last = e.Line
		}
		fmt.Fprintln(&b, e)
	}
	return b.String()
}

// inPieces reads a few bytes at a time.
type inPieces struct {
	data []byte
	n    int
}

func (r *inPieces) Read(p []byte) (int, error) {
	if len(r.data) == 0 {
		return 0, io.EOF
	}
	n := copy(p[:min(len(p), r.n)], r.data)
	r.data = r.data[n:]
	return n, nil
}
