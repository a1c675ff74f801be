package process

import (
	"net"
	"net/http"
	"os"
	"sync/atomic"
	"testing"

	"github.com/robotsexclusion/robots/internal/test/fatal"
)

// TestMain serves instead of testing in the process that TestStart starts.
func TestMain(m *testing.M) {
	if address := os.Getenv("SERVE_AT"); address != "" {
		http.ListenAndServe(address, http.NotFoundHandler())
		return
	}
	os.Exit(m.Run())
}

func TestStart(t *testing.T) {
	if _, err := os.Stat("/proc/self/status"); err != nil {
		t.Skip("needs /proc")
	}
	self, err := os.Executable()
	fatal.If(t, err)
	s, err := Start("not found", "/usr/bin/env", func(a string) []string { return []string{"SERVE_AT=" + a, self} })
	fatal.If(t, err)
	if answer, err := http.Get("http://" + s.Address); err != nil || answer.StatusCode != http.StatusNotFound {
		t.Errorf("got %v, %v", answer, err)
	}
	if _, err := s.CPU(); err != nil {
		t.Error(err)
	}
	if now, most, err := s.Memory(); err != nil || now < 1<<20 || most < now {
		t.Errorf("memory %d, at most %d, %v", now, most, err)
	}
	var sum, requests atomic.Int64
	if rate, _, err := s.Round(4, 100, func(next func() (int, bool)) {
		for n, more := next(); more; n, more = next() {
			sum.Add(int64(n))
			requests.Add(1)
		}
	}); err != nil || rate <= 0 || requests.Load() != 100 || sum.Load() != 99*100/2 {
		t.Errorf("a round: %v a second, %d requests with the sum %d, %v", rate, requests.Load(), sum.Load(), err)
	}
	s.Stop()
	if c, err := net.Dial("tcp", s.Address); err == nil {
		c.Close()
		t.Error("it listens after Stop")
	}
}

func TestMedian(t *testing.T) {
	if got := Median([]float64{5, 1, 9, 7, 3}); got != 5 {
		t.Errorf("got %v", got)
	}
}
