package scripttest

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path"
	"path/filepath"
	"strings"
	"sync"

	"github.com/rogpeppe/go-internal/testscript"
)

// A webSite is a server on loopback that serves the current files of a folder. A file
// that starts with "HTTP/1.1 " is a complete answer, and $NAME in its headers is replaced by the
// address of the site of that name. Any other file is the body of a 200.
//
// The file beside the folder whose name ends in ".asked" has a line for each
// request, such as
//
//	GET /robots.txt "ExampleBot/1.0"
type webSite struct {
	folder string
	env    map[string]string // read-only after a site has started
	mu     sync.Mutex
}

// StartSites starts a site for each folder of "www" in the folder of a script. For www/site it
// sets the variables SITE, to the address, and SITE_PORT. A site whose name ends in 6 has an
// IPv6 address, if the machine has one. The map addresses has the addresses of other servers
// by name; StartSites adds those of the sites.
func StartSites(env *testscript.Env, addresses map[string]string) error {
	folders, err := filepath.Glob(filepath.Join(env.WorkDir, "www", "*"))
	if err != nil {
		return err
	}
	var servers []*httptest.Server
	for _, folder := range folders {
		address := "127.0.0.1:0"
		if strings.HasSuffix(folder, "6") {
			if address = "[::1]:0"; !HasIPv6() {
				continue
			}
		}
		listener, err := net.Listen("tcp", address)
		if err != nil {
			return err
		}
		s := &webSite{folder: folder, env: addresses}
		server := &httptest.Server{Listener: listener, Config: &http.Server{Handler: s,
			ErrorLog: log.New(io.Discard, "", 0)}}
		servers = append(servers, server)
		env.Defer(server.Close)
		if err := os.WriteFile(s.asked(), nil, 0o666); err != nil {
			return err
		}
		name := strings.ToUpper(filepath.Base(folder))
		addresses[name] = "http://" + listener.Addr().String()
		_, port, _ := net.SplitHostPort(listener.Addr().String())
		env.Vars = append(env.Vars, name+"="+addresses[name], name+"_PORT="+port)
	}
	for _, server := range servers {
		server.Start()
	}
	return nil
}

// HasIPv6 reports whether this machine has the IPv6 loopback address.
var HasIPv6 = sync.OnceValue(func() bool {
	l, err := net.Listen("tcp", "[::1]:0")
	if err != nil {
		return false
	}
	l.Close()
	return true
})

// asked returns the name of the file of requests.
func (s *webSite) asked() string { return s.folder + ".asked" }

func (s *webSite) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.answer(w, r); err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError) // no script expects this status
	}
}

func (s *webSite) answer(w http.ResponseWriter, r *http.Request) error {
	if err := s.note(r); err != nil {
		return err
	}
	name := path.Clean(r.URL.Path)
	if strings.HasSuffix(r.URL.Path, "/") {
		name = path.Join(name, "index.html")
	}
	data, err := os.ReadFile(filepath.Join(s.folder, filepath.FromSlash(name)))
	if errors.Is(err, fs.ErrNotExist) {
		http.NotFound(w, r)
		return nil
	}
	if err != nil {
		return err
	}
	if !bytes.HasPrefix(data, []byte("HTTP/1.1 ")) {
		kinds := map[string]string{".txt": "text/plain; charset=utf-8", ".html": "text/html; charset=utf-8"}
		w.Header().Set("Content-Type", kinds[path.Ext(name)])
		w.Write(data)
		return nil
	}
	answer, err := http.ReadResponse(bufio.NewReader(bytes.NewReader(data)), r)
	if err != nil {
		return err
	}
	for name, values := range answer.Header {
		for _, value := range values {
			w.Header().Add(name, os.Expand(value, func(name string) string { return s.env[name] }))
		}
	}
	w.WriteHeader(answer.StatusCode)
	_, err = io.Copy(w, answer.Body)
	return err
}

// note adds the line for a request.
func (s *webSite) note(r *http.Request) error {
	f, err := os.OpenFile(s.asked(), os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o666)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(f, "%s %s %q\n", r.Method, r.RequestURI, r.UserAgent())
	return errors.Join(err, f.Close())
}
