package main

import (
	"net/http"
	"net/http/httptest"
	"os"
	"testing"
	"time"
)

// TestMonitorStops checks that monitor reports a change while it runs, and ends in order.
func TestMonitorStops(t *testing.T) {
	looks := make(chan bool, 10)
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { w.WriteHeader(404); looks <- true }))
	defer site.Close()
	cmd := robotsProcess(t, "monitor", "--allow-private", "--dir", t.TempDir(), site.URL)
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	select {
	case <-looks:
	case <-time.After(time.Minute):
		t.Error("no look in a minute")
	}
	if err := cmd.Process.Signal(os.Interrupt); err != nil {
		cmd.Process.Kill()
		t.Log("interrupts are not for this system: ", err)
		cmd.Wait()
		return
	}
	if err := cmd.Wait(); err != nil {
		t.Errorf("monitor ended with %v", err)
	}
}
