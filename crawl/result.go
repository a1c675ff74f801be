package crawl

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	"github.com/robotsexclusion/robots/crawl/store"
	"github.com/robotsexclusion/robots/internal/printable"
	"github.com/robotsexclusion/robots/page"
)

// A Result is a line of the results: what became of a URL.
type Result struct {
	URL       string    `json:"url"`
	Status    int       `json:"status,omitempty"`     // of HTTP; 0 if there was no answer
	Reason    Reason    `json:"reason,omitempty"`     // why it was not visited, or came to nothing
	FetchedAt time.Time `json:"fetched_at,omitzero"`  // when it was requested
	MediaType string    `json:"media_type,omitempty"` // that the server named
	Octets    int64     `json:"octets,omitempty"`     // of the body
	Address   string    `json:"address,omitempty"`    // of the server
	Truncated string    `json:"truncated,omitempty"`  // why the body is not whole
	Redirect  string    `json:"redirect,omitempty"`   // where it leads
	Title     string    `json:"title,omitempty"`
	Canonical string    `json:"canonical,omitempty"` // what the page names as its address
	Index     *bool     `json:"index,omitempty"`     // whether the page may be indexed
	Depth     uint32    `json:"depth"`               // how many links from a seed
	Via       string    `json:"via,omitempty"`       // the page with the link
	Archive   string    `json:"archive,omitempty"`   // the file of the archive with the answer
	Offset    int64     `json:"offset,omitempty"`    // in that file, of the record with it, in octets
	Error     string    `json:"error,omitempty"`

	state page.State
}

func newResult(it *store.Item) *Result { return &Result{URL: it.URL, Depth: it.Depth, Via: it.Via} }

// Results is the file of results, or what has them in place of a file.
type results struct {
	f      *os.File // nil if there is none
	to     io.Writer
	buffer bytes.Buffer
}

// openResults opens what is to have the results.
func (c *Crawler) openResults() (*results, error) {
	if c.ResultsTo != nil {
		return &results{to: c.ResultsTo}, nil
	}
	return openResults(cmp.Or(c.Results, filepath.Join(c.Dir, "results.jsonl")))
}

// openResults opens a file of results, and cuts off a line that a killed process has
// not finished.
func openResults(name string) (*results, error) {
	f, err := os.OpenFile(name, os.O_RDWR|os.O_CREATE, 0o666)
	if err != nil {
		return nil, err
	}
	if info, err := f.Stat(); err == nil && !info.Mode().IsRegular() {
		return &results{f: f, to: f}, nil
	}
	size, err := f.Seek(0, io.SeekEnd)
	var last [1 << 16]byte
	for end := size; err == nil && end > 0; {
		n := min(end, int64(len(last)))
		if _, err = f.ReadAt(last[:n], end-n); err != nil {
			break
		}
		if i := bytes.LastIndexByte(last[:n], '\n'); i >= 0 {
			size = end - n + int64(i) + 1
			break
		}
		end -= n
		size = end
	}
	if err == nil {
		if err = f.Truncate(size); err == nil {
			_, err = f.Seek(size, io.SeekStart)
		}
	}
	if err != nil {
		f.Close()
		return nil, fmt.Errorf("open the results: %w", err)
	}
	return &results{f: f, to: f}, nil
}

// add adds a line.
func (r *results) add(result *Result) error {
	line, err := json.Marshal(result)
	if err != nil {
		return err
	}
	r.buffer.Write(printable.JSON(line))
	r.buffer.WriteByte('\n')
	return nil
}

// flush writes what was added.
func (r *results) flush() error {
	_, err := r.buffer.WriteTo(r.to)
	if err != nil {
		return fmt.Errorf("write the results: %w", err)
	}
	return nil
}

func (r *results) close() error {
	err := r.flush()
	if r.f == nil {
		return err
	}
	if closeErr := r.f.Close(); err == nil {
		err = closeErr
	}
	return err
}
