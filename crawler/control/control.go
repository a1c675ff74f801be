// Package control reads the status of a crawl that runs in another process, and adds URLs to
// the crawl, over a socket in the crawl's folder.
//
//	cfg := crawl.Config{Dir: "crawl", ...}
//	cfg.Attend = func(c *crawl.Crawl) (leave func()) {
//		s, err := control.Listen(cfg.Dir, c)
//		...
//		return s.Close
//	}
//	summary, err := crawl.New(cfg).Run(ctx)
//
// and, in another process,
//
//	report, err := control.Ask(ctx, "crawl", 20)
//	...
//	added, err := control.Submit(ctx, "crawl", "https://example.com/")
//
// # Protocol
//
// The protocol is HTTP with JSON bodies:
//
//	GET /status?hosts=20               a crawl.Status
//	GET /host?name=example.com&urls=10 a list of crawl.HostStatus, which may be empty
//	POST /urls {"urls": ["https://example.com/", …]}
//	                                   a list of crawl.Submission, sent once the URLs are durable
//
// A failed request gets an object with "error": with status 400 if the request is wrong, and
// 503 if the crawl is just starting or ending.
//
// # Access
//
// The socket is "control/socket" in the folder of the crawl. Only the user that runs the crawl
// may enter the folder "control". A socket left by a killed crawl does no harm: connections to
// it fail, and the next crawl replaces it.
//
// The name of a socket may have some 100 bytes. If the name of the folder is longer, both
// sides connect through a temporary link to the folder, in the folder for temporary files.
package control

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/robotsexclusion/robots/internal/printable"
)

const (
	folder    = "control" // in the folder of the crawl
	socket    = "socket"  // in the folder "control"
	mostBytes = 100       // bytes of the name of a socket: systems take 104 or 108 with the final zero
)

// reach returns a name of a file in the folder of a socket that is short enough for a socket.
// reach makes a temporary link to the folder if no other name is short enough. The caller must
// call done when the name is not needed any more.
func reach(dir, file string) (name string, done func(), err error) {
	if name = filepath.Join(dir, file); len(name) <= mostBytes {
		return name, func() {}, nil
	}
	absolute, err := filepath.Abs(dir)
	if err != nil {
		return "", nil, err
	}
	if here, err := os.Getwd(); err == nil {
		if near, err := filepath.Rel(here, filepath.Join(absolute, file)); err == nil && len(near) <= mostBytes {
			return near, func() {}, nil
		}
	}
	temporary, err := os.MkdirTemp("", "robots-")
	if err != nil {
		return "", nil, err
	}
	done = func() { os.RemoveAll(temporary) }
	name = filepath.Join(temporary, "c", file)
	if len(name) > mostBytes {
		err = errors.New("that of the folder for temporary files is too long too")
	} else {
		err = os.Symlink(absolute, filepath.Join(temporary, "c"))
	}
	if err != nil {
		done()
		return "", nil, fmt.Errorf("the name %s is too long for a socket: %w",
			printable.Clipped(filepath.Join(dir, file), 300), err)
	}
	return name, done, nil
}
