package agent

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

const (
	// maxStale is how long a document that cannot be renewed still proves that an address belongs
	// to a robot. Addresses get other owners.
	maxStale = 30 * 24 * time.Hour
	// lookAgain is the pause between two looks into the folder for a document that is missing or
	// old.
	lookAgain = time.Second
	// retryAfter is the pause after a fetch that failed.
	retryAfter = 5 * time.Minute
	// maxSources is the maximum number of documents in memory.
	maxSources = 1024
	// unfinished begins the name of a file that is not complete, before the number of
	// os.CreateTemp.
	unfinished = "new-"
	// abandonedAfter is the age of an unfinished file whose process cannot be writing it any more.
	abandonedAfter = time.Hour
	// maxHops is the maximum number of redirects of a fetch.
	maxHops = 5
)

// A source is a range document that a [Verifier] keeps in memory.
type source struct {
	name string        // its URL or path
	busy chan struct{} // a lock: holds a value while a caller uses the fields below

	// fresh has the ranges of a document at a URL, while they need not be renewed, for callers that
	// do not want to wait for the lock.
	fresh atomic.Pointer[freshRanges]

	ranges *addressRanges // nil until it was read
	read   time.Time      // when the operator's server, or the user, gave it
	err    error          // the last error of reading or renewing

	looked  time.Time  // when the folder was last looked into for it
	valid   validators // of the document in ranges
	retry   time.Time  // when a fetch may be tried again
	changed time.Time  // the time and size of the file it was read from
	size    int64
}

// freshRanges are ranges that need not be renewed until a time.
type freshRanges struct {
	*addressRanges
	until time.Time
}

// isURL reports whether a source is a URL. All others are paths of files.
func isURL(name string) bool { return strings.Contains(name, "://") }

// checkSource returns an error for a name that cannot be a range document.
func checkSource(name string) error {
	if !isURL(name) {
		if name == "" {
			return errors.New("a range document without a name: give its https URL or the path of a file")
		}
		return nil
	}
	u, err := url.Parse(name)
	switch {
	case err != nil:
		return fmt.Errorf("the range document %q: %w", name, err)
	case u.Scheme != "https":
		return fmt.Errorf("the range document %s is not at an https URL, so that anybody on the way could change it: fetch it yourself and give its path", name)
	case u.Host == "":
		return fmt.Errorf("the range document %s has no host", name)
	}
	return nil
}

// check returns an error if a name is not that of a source. Sources in use were checked before.
func (v *Verifier) check(name string) error {
	v.mu.Lock()
	s := v.sources[name]
	v.mu.Unlock()
	if s != nil {
		return nil
	}
	return checkSource(name)
}

// source returns the source with the given name, locked for the caller until the caller calls
// release.
func (v *Verifier) source(ctx context.Context, name string) (s *source, release func(), err error) {
	v.mu.Lock()
	s = v.sources[name]
	if s == nil {
		if v.sources == nil {
			v.sources = make(map[string]*source)
		}
		if len(v.sources) >= maxSources {
			for other := range v.sources {
				delete(v.sources, other) // any: those in use come back when they are asked for
				break
			}
		}
		s = &source{name: name, busy: make(chan struct{}, 1)}
		v.sources[name] = s
	}
	v.mu.Unlock()
	select {
	case s.busy <- struct{}{}:
		return s, func() { <-s.busy }, nil
	case <-ctx.Done():
		return nil, nil, ctx.Err()
	}
}

// document reads or renews a range document if needed. It returns the facts about the document and,
// if the document is usable, its ranges.
func (v *Verifier) document(ctx context.Context, name string) (RangeDocument, *addressRanges) {
	s, release, err := v.source(ctx, name)
	if err != nil {
		return RangeDocument{Source: name, Error: err.Error()}, nil
	}
	defer release()
	stale := false
	if isURL(name) {
		stale = v.renew(ctx, s)
	} else {
		s.load(name)
	}
	s.fresh.Store(nil)
	if isURL(name) && !stale && s.ranges != nil {
		s.fresh.Store(&freshRanges{s.ranges, s.read.Add(v.maxAge())})
	}
	return s.facts(stale), s.ranges
}

// facts returns the facts about the document.
func (s *source) facts(stale bool) RangeDocument {
	d := RangeDocument{Source: s.name}
	if s.err != nil {
		d.Error = s.err.Error()
	}
	if s.ranges != nil {
		d.Created, d.Read, d.Stale = s.ranges.created, s.read.UTC(), stale
		d.Prefixes, d.Skipped = len(s.ranges.prefixes), s.ranges.skipped
	}
	return d
}

// load reads the file at path, unless the file is unchanged.
func (s *source) load(path string) {
	info, err := os.Stat(path)
	if err != nil {
		s.ranges, s.err = nil, err
		return
	}
	if s.ranges != nil && info.ModTime().Equal(s.changed) && info.Size() == s.size {
		return
	}
	ranges, _, err := readRanges(path, info)
	if err != nil {
		s.ranges, s.err = nil, fmt.Errorf("%s: %w", path, err)
		return
	}
	s.ranges, s.err = ranges, nil
	s.read, s.changed, s.size = info.ModTime(), info.ModTime(), info.Size()
}

// readRanges reads a range document from a file, and returns its text too.
func readRanges(path string, info os.FileInfo) (*addressRanges, []byte, error) {
	if !info.Mode().IsRegular() {
		return nil, nil, errors.New("not a regular file")
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, nil, err
	}
	defer f.Close()
	data, err := readAll(f)
	if err != nil {
		return nil, nil, err
	}
	ranges, err := parseRanges(data)
	return ranges, data, err
}

// readAll reads a whole document, if it is not too large.
func readAll(r io.Reader) ([]byte, error) {
	data, err := io.ReadAll(io.LimitReader(r, maxDocument+1))
	if err == nil && len(data) > maxDocument {
		err = fmt.Errorf("the range document is larger than %d bytes", maxDocument)
	}
	return data, err
}

// renew updates a document at a URL: from memory, from the folder, and then from the URL. It
// reports whether the document is still older than it should be.
func (v *Verifier) renew(ctx context.Context, s *source) (stale bool) {
	maxAge := v.maxAge()
	if s.ranges != nil && time.Since(s.read) < maxAge {
		return false
	}
	v.loadKept(s)
	if s.ranges != nil && time.Since(s.read) < maxAge {
		return false
	}
	switch {
	case v.Client == nil:
		s.err = errors.New("there is no HTTP client to fetch it")
	case time.Now().Before(s.retry):
		// The last fetch failed, and s.err says why.
	default:
		err := v.fetch(ctx, s)
		if err == nil {
			return false
		}
		s.err = err
		if ended(ctx) == nil { // a caller that gave up says nothing about the server
			s.retry = time.Now().Add(retryAfter)
		}
	}
	if s.ranges != nil && time.Since(s.read) > maxStale {
		s.ranges = nil
	}
	return true
}

// maxAge returns the age from which a document is fetched again.
func (v *Verifier) maxAge() time.Duration {
	if v.MaxAge == 0 {
		return 24 * time.Hour
	}
	return v.MaxAge
}

// loadKept takes the document from the folder, if that has a newer one than memory. An unreadable
// document counts as missing: it is fetched again.
func (v *Verifier) loadKept(s *source) {
	if v.Folder == "" || time.Since(s.looked) < lookAgain {
		return
	}
	v.readKept(s)
}

// readKept is loadKept at any time. A missing document is not an error.
func (v *Verifier) readKept(s *source) error {
	s.looked = time.Now()
	path := v.kept(s.name)
	info, err := os.Stat(path)
	if last := lastPart(s.name); errors.Is(err, fs.ErrNotExist) && last != "" {
		path = filepath.Join(v.Folder, last)
		info, err = os.Stat(path)
	}
	if errors.Is(err, fs.ErrNotExist) || err == nil && s.ranges != nil && !info.ModTime().After(s.read) {
		return nil
	}
	if err != nil {
		return err
	}
	ranges, data, err := readRanges(path, info)
	if err != nil {
		return err
	}
	s.ranges, s.read, s.err, s.valid = ranges, info.ModTime(), nil, keptValidators(path, data)
	return nil
}

// kept returns the path of the file that keeps the document of a URL.
func (v *Verifier) kept(name string) string { return filepath.Join(v.Folder, keptName(name)) }

// keptName returns the name of that file. It shows the URL, unless it would be too long for a file
// system.
func keptName(name string) string {
	file := url.QueryEscape(name)
	if len(file) > 200 {
		file = fmt.Sprintf("%x", sha256.Sum256([]byte(name)))
	}
	return file
}

// lastParts has the URLs of the table by the last parts of their paths, or "" for several. It is
// made at its first use: see TestImport.
var lastParts struct {
	sync.Once
	sources map[string]string
}

func makeLastParts() {
	sources := make(map[string]string)
	for a := range All() {
		for _, source := range a.Recipe().Ranges {
			last := lastPartOf(source)
			if other, ok := sources[last]; ok && other != source {
				source = ""
			}
			sources[last] = source
		}
	}
	lastParts.sources = sources
}

// lastPart returns the last part of the path of a URL, or "" if another URL of the table has it
// too.
func lastPart(source string) string {
	last := lastPartOf(source)
	lastParts.Do(makeLastParts)
	if other, ok := lastParts.sources[last]; ok && other != source {
		return ""
	}
	return last
}

// lastPartOf returns the last part of the path of a URL, if it can be the name of a file, or "".
func lastPartOf(source string) string {
	u, err := url.Parse(source)
	if err != nil {
		return ""
	}
	last := path.Base(u.Path)
	if strings.Trim(last, "./") == "" || strings.ContainsAny(last, `/\:`) || len(last) > 200 {
		return ""
	}
	return last
}

// fetch gets the document from its URL and keeps it. An error leaves the old document unchanged.
func (v *Verifier) fetch(ctx context.Context, s *source) error {
	ctx, cancel := context.WithTimeout(ctx, v.timeout())
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, s.name, nil)
	if err != nil {
		return err
	}
	if s.ranges != nil {
		s.valid.addTo(req.Header)
	}
	client := *v.Client
	client.CheckRedirect = func(req *http.Request, via []*http.Request) error {
		if req.URL.Scheme != "https" {
			return errors.New("redirected to a URL that is not https")
		}
		if len(via) > maxHops {
			return fmt.Errorf("redirected more than %d times", maxHops)
		}
		if v.Client.CheckRedirect != nil {
			return v.Client.CheckRedirect(req, via)
		}
		return nil
	}
	resp, err := client.Do(req)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	switch {
	case resp.StatusCode == http.StatusNotModified && s.ranges != nil:
		s.read, s.err = time.Now(), nil
		if v.Folder != "" {
			os.Chtimes(v.kept(s.name), s.read, s.read) // a failure only makes the next fetch earlier
		}
		return nil
	case resp.StatusCode != http.StatusOK:
		return fmt.Errorf("fetch %s: status %d, not 200", s.name, resp.StatusCode)
	}
	data, err := readAll(resp.Body)
	if err != nil {
		return fmt.Errorf("fetch %s: %w", s.name, err)
	}
	ranges, err := parseRanges(data)
	if err != nil {
		return fmt.Errorf("fetch %s: %w", s.name, err)
	}
	s.ranges, s.read, s.valid = ranges, time.Now(), validatorsIn(resp.Header, data)
	s.err = nil
	if err := v.keep(s, data); err != nil {
		s.err = fmt.Errorf("keep the range document in the folder: %w", err) // it stays in memory
	}
	return nil
}

// keep writes a document and its validators into the folder, each atomically. The file gets the
// time of s, so that it does not look newer than the document in memory.
func (v *Verifier) keep(s *source, data []byte) error {
	if v.Folder == "" {
		return nil
	}
	if err := os.MkdirAll(v.Folder, 0o777); err != nil {
		return err
	}
	v.removeAbandoned()
	if err := putFile(v.kept(s.name), data, s.read); err != nil {
		return err
	}
	s.valid.keep(v.kept(s.name), s.read) // a failure only makes the next fetch unconditional
	return nil
}

// removeAbandoned removes files that putFile began in the folder long ago: their processes were
// killed. Other files stay, and a failure only leaves an unused file.
func (v *Verifier) removeAbandoned() {
	entries, err := os.ReadDir(v.Folder)
	if err != nil {
		return
	}
	for _, e := range entries {
		number, ok := strings.CutPrefix(e.Name(), unfinished)
		if !ok || number == "" || strings.Trim(number, "0123456789") != "" || !e.Type().IsRegular() {
			continue
		}
		if info, err := e.Info(); err == nil && time.Since(info.ModTime()) > abandonedAfter {
			os.Remove(filepath.Join(v.Folder, e.Name()))
		}
	}
}

// putFile writes a file, completely or not at all, and gives it a time.
func putFile(name string, data []byte, at time.Time) error {
	f, err := os.CreateTemp(filepath.Dir(name), unfinished+"*")
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	if err == nil {
		err = f.Sync()
	}
	if e := f.Close(); err == nil {
		err = e
	}
	if err == nil {
		err = os.Chtimes(f.Name(), at, at)
	}
	if err == nil {
		err = os.Rename(f.Name(), name)
	}
	if err != nil {
		os.Remove(f.Name())
	}
	return err
}
