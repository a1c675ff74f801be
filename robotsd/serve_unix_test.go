//go:build unix

package main

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"path/filepath"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/robotsexclusion/robots/internal/test/fatal"
	"github.com/robotsexclusion/robots/server/api"
)

// startService runs serve until the test ends.
func startService(t *testing.T, args ...string) *guardProcess {
	t.Helper()
	return runService(t, "serve", args...)
}

// question returns the URL of a question to a service.
func (p *guardProcess) question(u string) string {
	return "http://" + p.address + "/v1/match?" + url.Values{"url": {u}, "agent": {"ExampleBot"}}.Encode()
}

// TestServe asks a service, which ends with its open request served, and a second service with the
// same folder, which asks no server.
func TestServe(t *testing.T) {
	t.Parallel()
	arrived, release := make(chan bool), make(chan bool)
	var fetched atomic.Int32
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if fetched.Add(1) == 1 {
			close(arrived)
		}
		<-release
		io.WriteString(w, "User-agent: *\nDisallow: /private/\n")
	}))
	defer site.Close()
	answerNow := sync.OnceFunc(func() { close(release) })
	defer answerNow()
	folder := filepath.Join(t.TempDir(), "cache")
	ask := func(p *guardProcess) {
		answer, err := http.Get(p.question(site.URL + "/private/x"))
		if err != nil {
			t.Error(err)
			return
		}
		defer answer.Body.Close()
		var m api.Match
		if err := json.NewDecoder(answer.Body).Decode(&m); err != nil || len(m.Results) != 1 ||
			m.Results[0].Rule != "Disallow: /private/" {
			t.Errorf("%s: %+v, %v", answer.Status, m, err)
		}
	}
	p := startService(t, "--allow-private", "--cache", folder)
	var open sync.WaitGroup
	open.Go(func() { ask(p) })
	<-arrived
	p.signal(syscall.SIGTERM)
	answerNow()
	open.Wait()
	if err := p.wait(); err != nil {
		t.Errorf("the service ended with %v", err)
	}
	ask(startService(t, "--allow-private", "--cache", folder))
	if n := fetched.Load(); n != 1 {
		t.Errorf("%d fetches, want 1", n)
	}
	refusing := startService(t)
	answer, err := http.Get(refusing.question(site.URL))
	fatal.If(t, err)
	answer.Body.Close()
	if answer.StatusCode != http.StatusForbidden || fetched.Load() != 1 {
		t.Errorf("without --allow-private: %s", answer.Status)
	}
}

// TestServeAgain starts a service again while clients ask, and no request may fail.
func TestServeAgain(t *testing.T) {
	t.Parallel()
	p := startService(t)
	stop := make(chan bool)
	var asked atomic.Int32
	var all sync.WaitGroup
	for range 4 {
		all.Go(func() {
			client := &http.Client{Transport: &http.Transport{}}
			for {
				select {
				case <-stop:
					return
				default:
				}
				answer, err := client.Get("http://" + p.address + "/openapi.json")
				if err != nil {
					t.Errorf("after %d answers: %v", asked.Load(), err)
					return
				}
				text, err := io.ReadAll(answer.Body)
				answer.Body.Close()
				if err != nil || !json.Valid(text) {
					t.Errorf("%s: %d bytes: %v", answer.Status, len(text), err)
					return
				}
				asked.Add(1)
			}
		})
	}
	p.signal(syscall.SIGUSR2)
	p.again(t, 1)
	if err := p.wait(); err != nil {
		t.Errorf("the first service ended with %v", err)
	}
	before := asked.Load()
	for deadline := time.Now().Add(time.Minute); asked.Load() < before+20 && !t.Failed() &&
		time.Now().Before(deadline); {
		time.Sleep(time.Millisecond)
	}
	close(stop)
	all.Wait()
}
