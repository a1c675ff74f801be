package crawl_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/robotsexclusion/robots/crawler/crawl"
	"github.com/robotsexclusion/robots/crawler/internal/objects"
	"github.com/robotsexclusion/robots/crawler/warc"
	"github.com/robotsexclusion/robots/internal/nats/natstest"
	"github.com/robotsexclusion/robots/internal/test/fatal"
)

// A kept is what an object store has of a crawl.
type kept struct {
	archived map[string]int // responses by URL
	results  map[string]int // lines of fetched pages by URL
	objects  map[string]int64
	torn     int // files of the archive without a whole manifest
}

// openObjects opens the object store of a crawl.
func openObjects(t *testing.T, c *crawl.Config) *objects.Store {
	t.Helper()
	s, err := objects.Open(t.Context(), objects.Options{URL: c.ObjectStore, NATS: c.NATS})
	fatal.If(t, err)
	t.Cleanup(func() { s.Close() })
	return s
}

// readObject reads an object.
func readObject(t *testing.T, s *objects.Store, name string) []byte {
	t.Helper()
	r, err := s.Get(t.Context(), name)
	fatal.If(t, err)
	defer r.Close()
	text, err := io.ReadAll(r)
	fatal.If(t, err)
	return text
}

// readObjects reads all that an object store has of a crawl.
func readObjects(t *testing.T, s *objects.Store, crawl string) kept {
	t.Helper()
	k := kept{make(map[string]int), make(map[string]int), make(map[string]int64), 0}
	fatal.If(t, s.List(t.Context(), crawl+"/", func(i objects.Info) error {
		k.objects[i.Name] = i.Size
		return nil
	}))
	read := func(name string) []byte { return readObject(t, s, name) }
	for name := range k.objects {
		switch {
		case strings.HasSuffix(name, ".warc.gz"):
			base := strings.TrimSuffix(name, ".warc.gz")
			if _, ok := k.objects[base+".json"]; !ok {
				k.torn++
				continue
			}
			text := read(name)
			var m struct {
				Version, Entries int
				Objects          []objects.Info
			}
			fatal.If(t, json.Unmarshal(read(base+".json"), &m))
			index := read(base + ".cdxj")
			if m.Version != 1 || len(m.Objects) != 2 || m.Objects[0].Size != int64(len(text)) ||
				m.Entries != bytes.Count(index, []byte("\n")) || m.Entries == 0 {
				t.Errorf("%s has the manifest %+v, and %q", name, m, index)
			}
			for r := warc.NewReader(bytes.NewReader(text)); ; {
				record, err := r.Next()
				if err == io.EOF {
					break
				}
				fatal.If(t, err)
				if record.Type() == warc.TypeResponse && !strings.HasSuffix(record.URL(), "/robots.txt") {
					k.archived[record.URL()]++
				}
			}
		case strings.HasSuffix(name, ".jsonl"):
			for line := range bytes.Lines(read(name)) {
				var r struct {
					URL       string `json:"url"`
					FetchedAt string `json:"fetched_at"`
				}
				fatal.If(t, json.Unmarshal(line, &r))
				if r.FetchedAt != "" {
					k.results[r.URL]++
				}
			}
		}
	}
	return k
}

// wantOnce compares what an object store has with pages that were visited once.
func (k *kept) wantOnce(t *testing.T, pages int) {
	t.Helper()
	if len(k.archived) != pages || len(k.results) != pages || k.torn > 0 {
		t.Errorf("the object store has %d pages and %d results, want %d; %d files are torn", len(k.archived),
			len(k.results), pages, k.torn)
	}
	for url, n := range k.archived {
		if n != 1 || k.results[url] != 1 {
			t.Errorf("%s is %d times in the archive, and %d times in the results", url, n, k.results[url])
		}
	}
}

// TestObjectStore interrupts a worker that uploads, and continues it: the object store has each
// page once, in the archive and in the results, and nothing is uploaded twice.
func TestObjectStore(t *testing.T) {
	t.Parallel()
	for _, kind := range []string{"folder", "nats"} {
		t.Run(kind, func(t *testing.T) {
			t.Parallel()
			s := newSite(t, chain(6))
			c := newCrawler(t)
			c.NATS, c.Name, c.Archive.MaxAge = natstest.Start(t), "stored", 1
			c.ObjectStore = "nats:pages"
			if kind == "folder" {
				c.ObjectStore = "file://" + filepath.ToSlash(t.TempDir())
			}
			ctx, stop := context.WithCancel(t.Context())
			first := *c
			first.OnPage = func(p *crawl.Page) {
				if strings.HasSuffix(p.Line.URL, "/3") {
					stop()
				}
			}
			summary, err := crawl.NewFleetWorker(first, &fleetTimes).Run(ctx, s.URL+"/0")
			if err != nil || summary.Finished {
				t.Fatalf("%+v, %v", summary, err)
			}
			store := openObjects(t, c)
			k := readObjects(t, store, "stored")
			k.wantOnce(t, 4)
			inspected, err := crawl.Inspect(c.Dir)
			fatal.If(t, err)
			status, err := inspected.Status(t.Context(), 1)
			fatal.If(t, errors.Join(err, inspected.Close()))
			if u := status.Unstored; u == nil || u.Files != 0 || u.Bytes != 0 || u.Store != c.ObjectStore {
				t.Errorf("after the leave, %+v is not uploaded", u)
			}
			// What was uploaded is not uploaded again: this object stays away.
			gone := slices.Max(slices.Collect(maps.Keys(k.objects))) // of the results
			fatal.If(t, store.Delete(t.Context(), gone))

			summary, err = crawl.NewFleetWorker(*c, &fleetTimes).Run(t.Context())
			if err != nil || !summary.Finished {
				t.Fatalf("%+v, %v", summary, err)
			}
			now := readObjects(t, store, "stored")
			if _, ok := now.objects[gone]; ok || len(now.objects) <= len(k.objects) {
				t.Errorf("%s was uploaded again; there are %d objects", gone, len(now.objects))
			}
		})
	}
}

// TestObjectStoreFails takes the object store away while a worker crawls: the crawl goes on, its
// end names what is not uploaded, and the next start uploads it.
func TestObjectStoreFails(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "objects")
	s := newSite(t, chain(4))
	c := newCrawler(t)
	c.NATS, c.Name, c.Archive.MaxAge = natstest.Start(t), "stored", 1
	c.ObjectStore = "file://" + filepath.ToSlash(dir)
	_, err := crawl.NewFleetWorker(*c, &fleetTimes).Run(t.Context(), s.URL+"/0")
	if err == nil || !strings.Contains(err.Error(), "no such folder: create it, or mount it") {
		t.Fatalf("without the folder: %v", err)
	}
	fatal.If(t, os.Mkdir(dir, 0o777))
	first := *c
	first.OnPage = func(*crawl.Page) { os.RemoveAll(dir) }
	_, err = crawl.NewFleetWorker(first, &fleetTimes).Run(t.Context(), s.URL+"/0")
	if err == nil || !strings.Contains(err.Error(), "bytes are not uploaded: start this worker again with its folder") {
		t.Fatalf("the folder was removed: %v", err)
	}
	inspected, err := crawl.Inspect(c.Dir)
	fatal.If(t, err)
	status, err := inspected.Status(t.Context(), 1)
	fatal.If(t, errors.Join(err, inspected.Close()))
	if u := status.Unstored; u == nil || u.Files == 0 || u.Bytes == 0 {
		t.Errorf("%+v is not uploaded", u)
	}
	if _, err := os.Stat(dir); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("the folder: %v", err)
	}
	fatal.If(t, os.Mkdir(dir, 0o777))
	summary, err := crawl.NewFleetWorker(*c, &fleetTimes).Run(t.Context())
	if err != nil || !summary.Finished || s.count() != 6 {
		t.Fatalf("%+v, %v, %d requests", summary, err, s.count())
	}
	k := readObjects(t, openObjects(t, c), "stored")
	k.wantOnce(t, 5)
}

// TestObjectStoreAlone refuses an object store for a crawl without workers, and a URL with a
// secret.
func TestObjectStoreAlone(t *testing.T) {
	t.Parallel()
	c := newCrawler(t)
	c.ObjectStore = "s3://pages"
	if _, err := crawl.New(*c).Run(t.Context(), "http://localhost/"); err == nil ||
		!strings.Contains(err.Error(), "--worker") {
		t.Errorf("alone: %v", err)
	}
	c.NATS, c.Name, c.Shared, c.ObjectStore = natstest.Start(t), "stored", true, "s3://me:topsecret@pages"
	if _, err := crawl.New(*c).Run(t.Context(), "http://localhost/"); err == nil ||
		!strings.Contains(err.Error(), "AWS_ACCESS_KEY_ID") || strings.Contains(err.Error(), "topsecret") {
		t.Errorf("with a secret: %v", err)
	}
}
