package notify

import (
	"context"
	"encoding/xml"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/robotsexclusion/robots/internal/language"
	"github.com/robotsexclusion/robots/internal/printable"
	"github.com/robotsexclusion/robots/robotsd/internal/monitor"
)

// A Feed writes messages to a file as an Atom feed (RFC 4287), which a web server serves to feed
// readers. The file is replaced as a whole, and has the last 100 messages; a message that is sent
// again is there once. A Feed is safe for concurrent use, but one process at a time may write a
// file.
type Feed struct {
	File     string
	Language string // of the text: en, es, ko or ru

	mu sync.Mutex
}

// maxEntries is the number of messages in a feed.
const maxEntries = 100

// An atomFeed is the XML of a feed.
type atomFeed struct {
	XMLName xml.Name    `xml:"http://www.w3.org/2005/Atom feed"`
	ID      string      `xml:"id"`
	Title   string      `xml:"title"`
	Author  string      `xml:"author>name"`
	Updated string      `xml:"updated"`
	Entries []atomEntry `xml:"entry"`
}

// An atomEntry is the XML of a message. Its text has no markup: readers must show it as it is.
type atomEntry struct {
	ID      string   `xml:"id"`
	Title   string   `xml:"title"`
	Updated string   `xml:"updated"`
	Link    atomLink `xml:"link"`
	Content atomText `xml:"content"`
}

type atomLink struct {
	Href string `xml:"href,attr"`
}

type atomText struct {
	Type string `xml:"type,attr"`
	Text string `xml:",chardata"`
}

// Send implements [monitor.Receiver].
func (f *Feed) Send(_ context.Context, m *monitor.Message) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	feed, err := f.read()
	if err != nil {
		return err
	}
	t := textOf(m, language.Parse(f.Language))
	updated := latest(m).UTC().Format(time.RFC3339)
	entry := atomEntry{
		ID: "urn:robots-monitor:" + messageID(m.ID), Title: t.subject, Updated: updated,
		Link: atomLink{printable.Text(m.Events[0].Origin) + "/robots.txt"}, Content: atomText{"text",
			strings.Join(t.all(), "\n")},
	}
	feed.Entries = slices.DeleteFunc(feed.Entries, func(old atomEntry) bool { return old.ID == entry.ID })
	feed.Entries = slices.Insert(feed.Entries, 0, entry)
	if len(feed.Entries) > maxEntries {
		feed.Entries = feed.Entries[:maxEntries]
	}
	if feed.ID == "" {
		feed.ID = entry.ID + ":feed"
	}
	feed.Title, feed.Author, feed.Updated = "robots monitor", "robots monitor", max(feed.Updated, updated)
	return f.write(feed)
}

// read returns the feed in the file, or an empty one if there is no file.
func (f *Feed) read() (*atomFeed, error) {
	feed := new(atomFeed)
	text, err := os.ReadFile(f.File)
	if errors.Is(err, fs.ErrNotExist) {
		return feed, nil
	}
	if err == nil {
		err = xml.Unmarshal(text, feed)
	}
	if err != nil {
		return nil, fmt.Errorf("%s cannot be read as a feed: move the file away to begin a new one: %w",
			printable.Shown(f.File), err)
	}
	return feed, nil
}

// write replaces the file.
func (f *Feed) write(feed *atomFeed) error {
	text, err := xml.MarshalIndent(feed, "", "  ")
	if err != nil {
		return err
	}
	temp, err := os.CreateTemp(filepath.Dir(f.File), ".feed-*")
	if err != nil {
		return err
	}
	_, err = temp.WriteString(xml.Header + string(text) + "\n")
	err = errors.Join(err, temp.Chmod(0o644), temp.Sync(), temp.Close())
	if err == nil {
		err = os.Rename(temp.Name(), f.File)
	}
	if err != nil {
		os.Remove(temp.Name())
	}
	return err
}
