package notify_test

import (
	"encoding/xml"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/robotsexclusion/robots/internal/test/fatal"
	"github.com/robotsexclusion/robots/robotsd/internal/monitor/notify"
)

func TestFeed(t *testing.T) {
	name := filepath.Join(t.TempDir(), "feed.xml")
	fatal.If(t, (&notify.Feed{File: name}).Send(t.Context(), hostile()))
	one, err := os.ReadFile(name)
	fatal.If(t, err)
	// A hundred events of before.
	head, rest, _ := strings.Cut(string(one), "  <entry>")
	entry, _, _ := strings.Cut(rest, "</feed>")
	for i := range 100 {
		head += "  <entry>" + strings.ReplaceAll(entry, "ABC-7", fmt.Sprintf("ABC-%d", 99-i))
	}
	fatal.If(t, os.WriteFile(name, []byte(head+"</feed>\n"), 0o666))
	for i := 100; i < 105; i++ {
		e := hostile()
		e.ID = fmt.Sprintf("ABC-%d", i)
		e.Events[0].Time = e.Events[0].Time.Add(time.Duration(i) * time.Minute)
		feed := &notify.Feed{File: name} // another process each time
		for range 1 + i%2 {
			fatal.If(t, feed.Send(t.Context(), e))
		}
	}
	text, err := os.ReadFile(name)
	fatal.If(t, err)
	var feed struct {
		XMLName xml.Name `xml:"http://www.w3.org/2005/Atom feed"`
		ID      string   `xml:"id"`
		Updated string   `xml:"updated"`
		Entries []struct {
			ID      string `xml:"id"`
			Content struct {
				Type  string `xml:"type,attr"`
				Text  string `xml:",chardata"`
				Inner string `xml:",innerxml"`
			} `xml:"content"`
		} `xml:"entry"`
	}
	fatal.If(t, xml.Unmarshal(text, &feed))
	if len(feed.Entries) != 100 || feed.Entries[0].ID != "urn:robots-monitor:robots-ABC-104" ||
		feed.ID != "urn:robots-monitor:robots-ABC-7:feed" || feed.Updated != "2026-11-24T04:48:05Z" {
		t.Errorf("%d entries, the first is %s; the feed is %s, of %s", len(feed.Entries), feed.Entries[0].ID, feed.ID,
			feed.Updated)
	}
	for i, e := range feed.Entries {
		if want := fmt.Sprintf("urn:robots-monitor:robots-ABC-%d", 104-i); e.ID != want || e.Content.Type != "text" {
			t.Fatalf("entry %d is %s of type %s, want %s", i, e.ID, e.Content.Type, want)
		}
		if strings.Contains(e.Content.Inner, "<") || strings.ContainsAny(e.Content.Text, "\x1b\u202e") ||
			!strings.HasPrefix(e.Content.Text, "new: closed to search engines (</a>") {
			t.Fatalf("the content is %s", e.Content.Inner)
		}
	}

	fatal.If(t, os.WriteFile(name, []byte("nothing"), 0o666))
	if err := (&notify.Feed{File: name}).Send(t.Context(), hostile()); err == nil {
		t.Error("a file that is not a feed was replaced")
	}
	if err := (&notify.Feed{File: filepath.Join(t.TempDir(), "none", "feed.xml")}).Send(t.Context(),
		hostile()); err == nil {
		t.Error("a feed in no folder is not an error")
	}
}
