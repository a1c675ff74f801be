// Package control asks a crawl that runs in another process how it is, and adds URLs to
// it: by a socket in its folder.
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
//	client, err := control.Dial(ctx, "crawl")
//	...
//	status, err := client.Status(ctx, 20)
//
// # What is said
//
// It is HTTP, in JSON:
//
//	GET /status?hosts=20               a crawl.Status
//	GET /host?name=example.com&urls=10 a list of crawl.HostStatus, which may be empty
//	POST /urls {"urls": ["https://example.com/", …]}
//	                                   a list of crawl.Submission, when they are durable
//
// Where it cannot be answered there is an object with "error": with status 400 if the
// question is wrong, and 503 if the crawl is just starting or ending.
//
// # Who may ask
//
// The socket is "control/socket" in the folder of the crawl. The folder "control" is for
// the user alone who runs the crawl. A socket that a killed crawl has left is of no
// consequence: nobody answers there, and the next crawl makes its own.
//
// The name of a socket may have some 100 bytes. Where that of the folder is longer,
// both sides take a link to it, in the folder for temporary files, while they connect.
package control

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/robotsexclusion/robots/internal/printable"
)

const (
	folder     = "control" // in that of the crawl
	socket     = "socket"  // in that folder
	mostOctets = 100       // of the name of a socket: systems take 104 or 108 with the zero at the end
)

// reach returns a name by which a file in the folder of a socket can be reached, if it
// takes a link a temporary one, and what is to be called when it is not needed any more.
func reach(dir, file string) (name string, done func(), err error) {
	if name = filepath.Join(dir, file); len(name) <= mostOctets {
		return name, func() {}, nil
	}
	absolute, err := filepath.Abs(dir)
	if err != nil {
		return "", nil, err
	}
	if here, err := os.Getwd(); err == nil {
		if near, err := filepath.Rel(here, filepath.Join(absolute, file)); err == nil && len(near) <= mostOctets {
			return near, func() {}, nil
		}
	}
	temporary, err := os.MkdirTemp("", "robots-")
	if err != nil {
		return "", nil, err
	}
	done = func() { os.RemoveAll(temporary) }
	name = filepath.Join(temporary, "c", file)
	if len(name) > mostOctets {
		err = errors.New("that of the folder for temporary files is too long too")
	} else {
		err = os.Symlink(absolute, filepath.Join(temporary, "c"))
	}
	if err != nil {
		done()
		return "", nil, fmt.Errorf("the name %s is too long for a socket: %w", printable.Clipped(filepath.Join(dir, file), 300), err)
	}
	return name, done, nil
}
