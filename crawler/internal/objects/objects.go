// Package objects keeps whole files outside of a machine: in a bucket of JetStream, in a bucket of
// S3, or in a folder that several machines mount.
//
// An object is written once. A [Store.Put] of the same name with the same content succeeds, and
// with other content fails with [ErrExists]. A reader sees an object only when all of it is there,
// and reads it with its SHA-256 compared.
package objects

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"io"
	"io/fs"
	"net/url"
	"os"
	"strings"
	"time"

	"github.com/robotsexclusion/robots/internal/printable"
)

// MaxSize is the maximum size of an object in bytes, which S3 takes in one request.
const MaxSize = 5 << 30

// maxName is the maximum length of a name in bytes.
const maxName = 512

var (
	// ErrExists is the error of an object that exists with other content.
	ErrExists = errors.New("it exists with other content, which was not replaced")
	// ErrDamaged is the error of an object whose content is not what was put there.
	ErrDamaged = errors.New("it is damaged: its SHA-256 is another one than when it was put")
	// ErrTooLarge is the error of an object of more than MaxSize bytes.
	ErrTooLarge = fmt.Errorf("it has more than %d bytes", int64(MaxSize))
)

// permanent marks an error that another attempt would give again.
type permanent struct{ error }

func (p permanent) Unwrap() error { return p.error }

// An Info describes an object.
type Info struct {
	Name string `json:"name"`
	Size int64  `json:"size"`
	Sum  string `json:"sha256,omitempty"` // SHA-256 in hexadecimal; Store.List may leave it out
}

// Options say where a store is.
type Options struct {
	// URL is nats:BUCKET, s3://BUCKET/PREFIX or file:///FOLDER. S3 takes its credentials, its
	// region and its endpoint from the environment and files of AWS.
	URL string
	// NATS is the address of the servers of a bucket of JetStream, as internal/nats reads it.
	NATS string
	// Replicas is the number of servers that keep a bucket of JetStream that is created; 0 means 1.
	Replicas int
	// Temp is the folder for temporary files; "" means that of the system.
	Temp string
}

// A bucket is one kind of store. Names are valid.
type bucket interface {
	put(ctx context.Context, info Info, content io.Reader) error
	// get returns the content, and what is known of it. The error wraps fs.ErrNotExist if there is
	// no such object.
	get(ctx context.Context, name string) (io.ReadCloser, Info, error)
	list(ctx context.Context, prefix string, fn func(Info) error) error
	delete(ctx context.Context, name string) error
	close() error
}

// A Store keeps objects by name. Names are paths of letters, digits, "-", "_" and "." with slashes
// between; no part begins with a dot. Its methods are safe for concurrent use.
type Store struct {
	bucket bucket
	place  string // without secrets
	temp   string
}

// Open opens a store, and creates a bucket of JetStream if there is none. Buckets of S3 and folders
// must exist.
func Open(ctx context.Context, o Options) (*Store, error) {
	kind, place, err := parse(o.URL)
	if err != nil {
		return nil, err
	}
	s := &Store{place: o.URL, temp: o.Temp}
	switch kind {
	case "nats":
		s.bucket, err = openJetStream(ctx, place, o)
	case "s3":
		s.bucket, err = openS3(ctx, place)
	case "file":
		s.bucket, err = openFolder(place)
	}
	if err != nil {
		return nil, fmt.Errorf("the object store %s: %w", printable.Shown(s.place), err)
	}
	return s, nil
}

// Check returns an error for a URL that Open would not understand. It has no secret.
func Check(text string) error {
	_, _, err := parse(text)
	return err
}

// parse returns the kind of a store and the rest of its URL.
func parse(text string) (kind, rest string, err error) {
	const forms = "write nats:BUCKET, s3://BUCKET/PREFIX or file:///FOLDER"
	u, err := url.Parse(text)
	if err != nil {
		return "", "", errors.New("the URL of the object store cannot be read: " + forms)
	}
	switch {
	case u.User != nil:
		return "", "", errors.New("the URL of the object store has a user or a password: leave them out, " +
			"and give S3 its credentials with AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, " +
			"or the file ~/.aws/credentials")
	case u.RawQuery != "" || u.Fragment != "":
		return "", "", errors.New("the URL of the object store has a question mark or a #: " + forms)
	case u.Scheme == "nats" && validName(u.Opaque) && !strings.ContainsAny(u.Opaque, "/."):
		return "nats", u.Opaque, nil
	case u.Scheme == "s3" && u.Host != "" && validName(u.Host+strings.TrimSuffix(u.Path, "/")):
		return "s3", u.Host + strings.TrimSuffix(u.Path, "/"), nil
	case u.Scheme == "file" && (u.Host == "" || u.Host == "localhost") && strings.HasPrefix(u.Path, "/"):
		return "file", u.Path, nil
	}
	return "", "", fmt.Errorf("%s is not the URL of an object store: %s", printable.Quoted(text, 100), forms)
}

// validName reports whether a name can be that of an object.
func validName(name string) bool {
	for _, c := range name {
		if !('a' <= c|0x20 && c|0x20 <= 'z' || '0' <= c && c <= '9' || strings.ContainsRune("-_./", c)) {
			return false
		}
	}
	return fs.ValidPath(name) && !strings.HasPrefix(name, ".") && !strings.Contains(name, "/.") &&
		!strings.HasSuffix(name, sumSuffix) && len(name) <= maxName
}

// String returns the URL of the store, which has no secret.
func (s *Store) String() string { return s.place }

// Close closes the connections of the store.
func (s *Store) Close() error { return s.bucket.close() }

// wrap says what failed, and where.
func (s *Store) wrap(act, name string, err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("%s %s in the object store %s: %w", act, printable.Quoted(name, maxName),
		printable.Shown(s.place), err)
}

// Put stores the rest of a stream as an object. The content of an io.ReadSeeker is read twice, and
// must not change meanwhile; any other stream goes through a temporary file.
func (s *Store) Put(ctx context.Context, name string, r io.Reader) (Info, error) {
	info, err := s.put(ctx, name, r)
	return info, s.wrap("put", name, err)
}

func (s *Store) put(ctx context.Context, name string, r io.Reader) (info Info, err error) {
	if !validName(name) {
		return info, errName
	}
	content, ok := r.(io.ReadSeeker)
	if !ok {
		f, err := os.CreateTemp(s.temp, "object-*")
		if err != nil {
			return info, err
		}
		defer os.Remove(f.Name())
		defer f.Close()
		content = f
	}
	start, err := content.Seek(0, io.SeekCurrent)
	if err != nil {
		return info, err
	}
	sum := sha256.New()
	var to io.Writer = sum
	if !ok {
		to = io.MultiWriter(sum, content.(*os.File))
	}
	if info.Size, err = io.Copy(to, io.LimitReader(r, MaxSize+1)); err != nil {
		return info, err
	}
	if info.Size > MaxSize {
		return info, ErrTooLarge
	}
	info.Name, info.Sum = name, hex.EncodeToString(sum.Sum(nil))
	err = s.attempt(ctx, info.Size, func(ctx context.Context) error {
		if _, err := content.Seek(start, io.SeekStart); err != nil {
			return err
		}
		return s.bucket.put(ctx, info, io.LimitReader(content, info.Size))
	})
	return info, err
}

var errName = permanent{errors.New("a name is of letters, digits, - and _, with dots and slashes between, 512 at most")}

// attempts is how often an exchange is tried.
const attempts = 3

// attempt tries an exchange until it succeeds, or fails for good. An exchange may take a minute,
// and a second for each 256 KiB.
func (s *Store) attempt(ctx context.Context, size int64, do func(ctx context.Context) error) error {
	for n := 1; ; n++ {
		one, cancel := context.WithTimeout(ctx, time.Minute+time.Duration(size>>18)*time.Second)
		err := do(one)
		cancel()
		var final permanent
		if err == nil || n == attempts || errors.As(err, &final) || errors.Is(err, fs.ErrNotExist) || ctx.Err() != nil {
			return cmp.Or(context.Cause(ctx), err)
		}
		select {
		case <-time.After(time.Duration(n*n) * 200 * time.Millisecond):
		case <-ctx.Done():
		}
	}
}

// Get returns the content of an object. The last Read returns [ErrDamaged] in place of io.EOF if
// the content is not what was put. The error wraps fs.ErrNotExist if there is no such object.
func (s *Store) Get(ctx context.Context, name string) (io.ReadCloser, error) {
	if !validName(name) {
		return nil, s.wrap("get", name, errName)
	}
	ctx, cancel := context.WithCancel(ctx)
	var content io.ReadCloser
	var info Info
	var err error
	for n := 1; ; n++ { // the context of an attempt lasts as long as its content
		content, info, err = s.bucket.get(ctx, name)
		var final permanent
		if err == nil || n == attempts || errors.As(err, &final) || errors.Is(err, fs.ErrNotExist) || ctx.Err() != nil {
			break
		}
		select {
		case <-time.After(time.Duration(n*n) * 200 * time.Millisecond):
		case <-ctx.Done():
		}
	}
	if err != nil {
		cancel()
		return nil, s.wrap("get", name, err)
	}
	return &compared{s, info, content, sha256.New(), 0, cancel}, nil
}

// A compared reader compares what it reads with its SHA-256.
type compared struct {
	store *Store
	info  Info
	io.ReadCloser
	sum    hash.Hash
	size   int64
	cancel context.CancelFunc
}

func (c *compared) Read(p []byte) (int, error) {
	n, err := c.ReadCloser.Read(p)
	c.sum.Write(p[:n])
	c.size += int64(n)
	switch {
	case c.size > c.info.Size,
		err == io.EOF && (c.size < c.info.Size || hex.EncodeToString(c.sum.Sum(nil)) != c.info.Sum):
		return n, c.store.wrap("get", c.info.Name, ErrDamaged)
	case err != nil && err != io.EOF:
		return n, c.store.wrap("get", c.info.Name, err)
	}
	return n, err
}

func (c *compared) Close() error {
	defer c.cancel()
	return c.ReadCloser.Close()
}

// List calls fn with each object whose name begins with a prefix, in any order, until fn returns an
// error. The prefix is empty or ends with a slash.
func (s *Store) List(ctx context.Context, prefix string, fn func(Info) error) error {
	if prefix != "" && (!strings.HasSuffix(prefix, "/") || !validName(strings.TrimSuffix(prefix, "/"))) {
		return s.wrap("list", prefix, errors.New("a prefix is a name and a slash"))
	}
	var all []Info
	err := s.attempt(ctx, 0, func(ctx context.Context) error {
		all = all[:0]
		return s.bucket.list(ctx, prefix, func(i Info) error {
			if validName(i.Name) { // others are not of this program
				all = append(all, i)
			}
			return nil
		})
	})
	for _, i := range all {
		if err == nil {
			err = fn(i)
		}
	}
	return s.wrap("list", prefix, err)
}

// Delete deletes an object. It is not an error if there is none.
func (s *Store) Delete(ctx context.Context, name string) error {
	if !validName(name) {
		return s.wrap("delete", name, errName)
	}
	err := s.attempt(ctx, 0, func(ctx context.Context) error { return s.bucket.delete(ctx, name) })
	return s.wrap("delete", name, err)
}

// same decides about an object that exists already, with known size and sum.
func same(exists, wanted Info) error {
	if exists.Size == wanted.Size && exists.Sum == wanted.Sum {
		return nil
	}
	return permanent{ErrExists}
}
