package fetch

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/robotsexclusion/robots"
	"github.com/robotsexclusion/robots/internal/printable"
)

// Dir is a [Cache] in a folder, which is created if necessary. A Dir also keeps the history of
// each origin: see [Dir.History] and [Dir.At]. Several processes may use one folder at once.
// The folder must be on a local file system: over a network, appending a line is not atomic.
// Processes find the entries of other processes, but processes that ask for an origin at the
// same moment each fetch it. Only [Dir.Prune] removes entries, texts and history.
//
// The folder has
//
//	README                              says what follows
//	origins/4f/https_a.example-….json   what is known of an origin now
//	history/4f/https_a.example-….jsonl  what was in force when, a line for each change
//	texts/9b/9b74c989….txt              each text once, named by its SHA-256
//	tmp/                                files that are being written
//	lock, gate                          keep those who prune from those who write
//
// The name of an origin's files is the origin, cut to 60 bytes of lower-case letters, digits,
// dots, hyphens and underscores, and the first half of its SHA-256. The JSON files have one
// object per line. The last member of each object, "sum", is the first 8 bytes of the SHA-256
// of everything before the comma that precedes the member. Lines with a wrong sum, and
// incomplete lines, are ignored. Files are replaced whole, by a rename, after their contents
// are synced to disk. Lines are appended with one write. So a process may be killed at any
// time.
//
// Files that killed processes left in tmp are removed after an hour. The maximum size of a text
// is 64 MiB.
type Dir string

const (
	maxText  = 64 << 20 // bytes of one text
	maxEntry = 1 << 20  // bytes of the entry of an origin
)

const readme = `This folder is a cache of robots.txt, and its history.

origins/XX/NAME.json   what is known of an origin now
history/XX/NAME.jsonl  what was in force from which time on, a line for each change
texts/XX/SHA256.txt    each text once, by its SHA-256
tmp/                   files that are being written
lock, gate             keep those who prune from those who write

NAME is the origin, made fit for a file name, and the start of its SHA-256, whose
first two digits are XX. Lines of JSON end with a checksum of what stands before
it; those with a wrong one do not count. The whole folder, an origin or a text
may be deleted. Then robots.txt is fetched again, and the history begins again.

A line of a history has

origin             whose robots.txt it is
time               from which on the line counts, until that of the next line
state              ok, unavailable (all is allowed), unreachable (nothing is, or
                   what the text says if there is one; after 30 days all is)
status, cause      what the server answered, and why the state is not ok
url                that was asked for, after redirects
sha256, size, cut  of the text in force; cut if there was more than the limit
unreachable_since  when the first attempt failed
previous_seen      when what the line before says was last seen
`

// Get implements [Cache]. For damaged data, the error wraps [ErrCorrupt].
func (d Dir) Get(ctx context.Context, origin string) (*Entry, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	e, err := d.entry(origin)
	if err != nil {
		return nil, err
	}
	if e.File != nil {
		text, err := d.text(e.File.SHA256, e.File.Size)
		if errors.Is(err, fs.ErrNotExist) {
			err = fmt.Errorf("fetch: the entry for %s is %w: its text %s is gone", origin, ErrCorrupt, e.File.SHA256)
		}
		if err != nil {
			return nil, err
		}
		e.File.Policy = robots.Parse(text)
	}
	if err := e.check(origin); err != nil {
		return nil, fmt.Errorf("fetch: the entry for %s is %w: %w", origin, ErrCorrupt, err)
	}
	return e, nil
}

// entry reads the entry of an origin, without its text.
func (d Dir) entry(origin string) (*Entry, error) {
	name := d.file("origins", origin, ".json")
	data, err := readFile(name, maxEntry)
	if err != nil {
		return nil, fmt.Errorf("fetch: no entry for %s: %w", origin, err)
	}
	e := new(Entry)
	if err := unseal(data, e); err != nil {
		return nil, fmt.Errorf("fetch: %s is %w: %w", name, ErrCorrupt, err)
	}
	return e, nil
}

// text reads a text and checks its hash and size.
func (d Dir) text(hash string, size int) ([]byte, error) {
	if !isHash(hash) {
		return nil, fmt.Errorf("fetch: the name of a text is %w: %s", ErrCorrupt, printable.Quoted(hash, 80))
	}
	name := d.textFile(hash)
	data, err := readFile(name, maxText)
	if err != nil {
		return nil, fmt.Errorf("fetch: no text %s: %w", hash, err)
	}
	if sum := sha256.Sum256(data); hex.EncodeToString(sum[:]) != hash || len(data) != size {
		return nil, fmt.Errorf("fetch: %s is %w: it has another SHA-256 or size", name, ErrCorrupt)
	}
	return data, nil
}

// Put implements [Cache]. Put also appends to the history if the policy in force has changed.
// The text, the history and the entry are written in this order, so that each exists before
// another file refers to it.
func (d Dir) Put(ctx context.Context, e *Entry) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if err := d.prepare(); err != nil {
		return fmt.Errorf("fetch: cannot use %q as a cache: %w", string(d), err)
	}
	shared, err := d.share(ctx)
	if err == nil {
		err = d.put(e)
		shared.Close()
	}
	if err != nil {
		return fmt.Errorf("fetch: cannot keep the entry for %s: %w", e.Origin, err)
	}
	return nil
}

func (d Dir) put(e *Entry) error {
	if e.File != nil {
		if err := d.putText(e.File); err != nil {
			return err
		}
	}
	if err := d.addHistory(e); err != nil {
		return err
	}
	data, err := seal(e)
	if err != nil {
		return err
	}
	return d.replace(d.file("origins", e.Origin, ".json"), data)
}

// putText stores a text, unless it is stored already.
func (d Dir) putText(f *File) error {
	text := f.Policy.String()
	if len(text) > maxText {
		return fmt.Errorf("its text has %d bytes, which is more than %d", len(text), maxText)
	}
	if !isHash(f.SHA256) {
		return fmt.Errorf("%s is not a SHA-256", printable.Quoted(f.SHA256, 80))
	}
	name := d.textFile(f.SHA256)
	if there, err := readFile(name, maxText); err == nil && string(there) == text {
		// The new time tells Prune that the text was put again.
		if now := time.Now(); os.Chtimes(name, now, now) == nil {
			return nil
		}
	}
	if err := d.replace(name, []byte(text)); err != nil {
		return err
	}
	syncFolder(filepath.Dir(name)) // the history will refer to the text
	return nil
}

// file returns the path of an origin's file in a folder.
func (d Dir) file(folder, origin, extension string) string {
	sum := sha256.Sum256([]byte(origin))
	hash := hex.EncodeToString(sum[:16])
	readable := strings.Map(func(c rune) rune {
		switch {
		case 'a' <= c && c <= 'z', '0' <= c && c <= '9', c == '.', c == '-', c == '_':
			return c
		}
		return '_'
	}, strings.Replace(origin, "://", "_", 1))
	return filepath.Join(string(d), folder, hash[:2], readable[:min(len(readable), 60)]+"-"+hash+extension)
}

// textFile returns the path of a text.
func (d Dir) textFile(hash string) string {
	return filepath.Join(string(d), "texts", hash[:2], hash+".txt")
}

// prepare creates the folder and removes leftovers of killed processes.
func (d Dir) prepare() error {
	if d == "" {
		return errors.New("the path is empty: name a folder")
	}
	if err := os.MkdirAll(d.path("tmp"), 0o777); err != nil {
		return err
	}
	d.sweep()
	name := filepath.Join(string(d), "README")
	if _, err := os.Lstat(name); errors.Is(err, fs.ErrNotExist) {
		return d.replace(name, []byte(readme))
	}
	return nil
}
