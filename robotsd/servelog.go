package main

import (
	"fmt"
	"io"
	"os"
	"sync"

	"github.com/robotsexclusion/robots/robotsd/internal/guardserver"
	"github.com/robotsexclusion/robots/server"
)

// A serveLine is a record of the service in its access log, which begins as a line of robots guard.
type serveLine struct {
	guardserver.Logged
	Route   string `json:"route,omitempty"`
	Problem string `json:"problem,omitempty"`
	Fetches int    `json:"fetches,omitempty"`
	Trace   string `json:"traceparent,omitempty"`
}

func newServeLine(r *server.Record) serveLine {
	return serveLine{
		Logged: guardserver.NewLogged(r.Request, r.Begin, r.Client, r.Status, r.Size, r.Duration),
		Route:  r.Route, Problem: r.Problem, Fetches: r.Fetches, Trace: r.Trace,
	}
}

// openLog opens the log of --access-log. The function reopen opens its file again, after another
// program renamed it.
func (s *service) openLog(stdout io.Writer, notice func(string)) (reopen func(), err error) {
	if s.accessLog == "" {
		return func() {}, nil
	}
	failed := func(err error) { notice(fmt.Sprintf("cannot write %s: %v", s.accessLog, cause(err))) }
	if s.accessLog == "-" {
		s.logTo(guardserver.Lines(stdout, failed))
		return func() {}, nil
	}
	f := &logFile{name: s.accessLog}
	if err := f.open(); err != nil {
		return nil, fmt.Errorf("cannot write %s: %w", shown(s.accessLog), cause(err))
	}
	s.logTo(guardserver.Lines(f, failed))
	return func() {
		if err := f.open(); err != nil {
			failed(err)
			return
		}
		notice(s.accessLog + " was opened again")
	}, nil
}

// logTo has the service write a line for each request.
func (s *service) logTo(write func(any)) {
	s.config.Record = func(r *server.Record) { write(newServeLine(r)) }
}

// A logFile is a file to append to, which may be opened again while others write.
type logFile struct {
	name string
	mu   sync.Mutex
	file *os.File
}

// open opens the file with the name. If that fails, the file before stays.
func (f *logFile) open() error {
	file, err := os.OpenFile(f.name, os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o640)
	if err != nil {
		return err
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.file != nil {
		f.file.Close()
	}
	f.file = file
	return nil
}

func (f *logFile) Write(b []byte) (int, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.file.Write(b)
}
