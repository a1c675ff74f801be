package control

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"sync"
	"time"

	"github.com/robotsexclusion/robots/crawler/crawl"
	"github.com/robotsexclusion/robots/crawler/internal/weburl"
	"github.com/robotsexclusion/robots/internal/printable"
)

// A Server answers the clients of a crawl in this process.
type Server struct {
	http   *http.Server
	socket string
	served sync.WaitGroup
	closed sync.Once
}

// Limits of requests.
const (
	mostAsked = 32 << 20         // bytes of a list of URLs
	patience  = 30 * time.Second // timeout for reading a request
	goodbye   = 2 * time.Second  // timeout for open answers when the server closes
)

// Listen starts a server for a crawl, in the folder of the crawl. The crawl must have locked
// the folder: call Listen from [crawl.Config.Attend].
func Listen(dir string, c *crawl.Crawl) (*Server, error) {
	dir, err := filepath.Abs(filepath.Join(dir, folder))
	if err != nil {
		return nil, fmt.Errorf("control: %w", err)
	}
	l, err := listen(dir)
	if err != nil {
		return nil, fmt.Errorf("control: %w", err)
	}
	s := &Server{socket: filepath.Join(dir, socket), http: &http.Server{
		Handler: handler(c), ReadHeaderTimeout: patience, ReadTimeout: patience, IdleTimeout: patience,
		MaxHeaderBytes: 64 << 10,
		ErrorLog:       log.New(io.Discard, "", 0),
	}}
	s.served.Go(func() { s.http.Serve(l) })
	return s, nil
}

// listen makes a socket in a folder that no other user may enter.
func listen(dir string) (net.Listener, error) {
	if err := os.Mkdir(dir, 0o700); err != nil && !errors.Is(err, os.ErrExist) {
		return nil, err
	}
	if err := os.Chmod(dir, 0o700); err != nil {
		return nil, err
	}
	if err := os.Remove(filepath.Join(dir, socket)); err != nil && !errors.Is(err, os.ErrNotExist) {
		return nil, err
	}
	name, done, err := reach(dir, socket)
	if err != nil {
		return nil, err
	}
	defer done()
	l, err := net.Listen("unix", name)
	if err != nil {
		return nil, err
	}
	l.(*net.UnixListener).SetUnlinkOnClose(false) // a temporary name is gone by then
	if err := os.Chmod(filepath.Join(dir, socket), 0o600); err != nil {
		l.Close()
		return nil, err
	}
	return l, nil
}

// Close stops the server, and removes the socket. Open answers have two seconds to complete.
func (s *Server) Close() {
	s.closed.Do(func() {
		ctx, cancel := context.WithTimeout(context.Background(), goodbye)
		defer cancel()
		if s.http.Shutdown(ctx) != nil {
			s.http.Close()
		}
		s.served.Wait()
		os.Remove(s.socket)
	})
}

// handler returns the handler of all requests about a crawl.
func handler(c *crawl.Crawl) http.Handler {
	mux := http.NewServeMux()
	mux.Handle("GET /status", status(c))
	mux.HandleFunc("GET /host", func(w http.ResponseWriter, r *http.Request) {
		urls, err := number(r, "urls", 0)
		if err != nil {
			refuse(w, http.StatusBadRequest, err)
			return
		}
		hosts, err := c.HostStatus(r.Context(), r.FormValue("name"), urls)
		if hosts == nil {
			hosts = []crawl.HostStatus{}
		}
		answer(w, hosts, err)
	})
	mux.HandleFunc("POST /urls", func(w http.ResponseWriter, r *http.Request) {
		var asked urlList
		if err := json.NewDecoder(http.MaxBytesReader(w, r.Body, mostAsked)).Decode(&asked); err != nil {
			refuse(w, http.StatusBadRequest, fmt.Errorf("this is not a list of URLs: %w", err))
			return
		}
		submissions, err := c.Submit(r.Context(), asked.URLs...)
		answer(w, submissions, err)
	})
	return mux
}

// status returns a handler that answers with the status of a crawl. The parameter "hosts" is
// the maximum number of hosts; the default is 20.
func status(c *crawl.Crawl) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		hosts, err := number(r, "hosts", 20)
		if err != nil {
			refuse(w, http.StatusBadRequest, err)
			return
		}
		s := c.Status(hosts)
		if s == nil {
			err = crawl.ErrNotRunning
		}
		answer(w, s, err)
	})
}

// A urlList is the body of POST /urls.
type urlList struct {
	URLs []string `json:"urls"`
}

// A failure is the answer to a request that failed.
type failure struct {
	Error string `json:"error"`
}

// number returns the value of a parameter, or byDefault if the request lacks it.
func number(r *http.Request, name string, byDefault int) (int, error) {
	text := r.FormValue(name)
	if text == "" {
		return byDefault, nil
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < 0 {
		return 0, fmt.Errorf("%s is %s: it is a number from 0 on", name, printable.Quoted(text, 100))
	}
	return n, nil
}

// answer writes a value, or an error in its place.
func answer(w http.ResponseWriter, value any, err error) {
	switch {
	case errors.Is(err, crawl.ErrNotRunning):
		refuse(w, http.StatusServiceUnavailable, err)
	case errors.As(err, new(*weburl.Error)):
		refuse(w, http.StatusBadRequest, err)
	case err != nil:
		refuse(w, http.StatusInternalServerError, err)
	default:
		write(w, http.StatusOK, value)
	}
}

func refuse(w http.ResponseWriter, status int, err error) {
	write(w, status, failure{printable.Clipped(err.Error(), 2000)})
}

func write(w http.ResponseWriter, status int, value any) {
	text, err := json.Marshal(value)
	if err != nil {
		status, text = http.StatusInternalServerError, []byte(`{"error": "the answer cannot be written"}`)
	}
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("X-Content-Type-Options", "nosniff")
	w.WriteHeader(status)
	w.Write(append(printable.JSON(text), '\n'))
}
