package main

import (
	"bufio"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// startGuard runs guard as a process before a site until the test ends, and returns its address and that of its figures.
func startGuard(t *testing.T, site http.HandlerFunc, flags ...string) (address, figures string) {
	t.Helper()
	server := httptest.NewServer(site)
	t.Cleanup(server.Close)
	rules := filepath.Join(t.TempDir(), "robots.txt")
	if err := os.WriteFile(rules, []byte("User-agent: *\nDisallow: /private/\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	cmd := robotsProcess(t, append([]string{"guard", "--upstream", server.URL, "--robots", rules, "--listen", "127.0.0.1:0", "--metrics", "127.0.0.1:0"}, flags...)...)
	stderr, err := cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		cmd.Process.Signal(os.Interrupt)
		cmd.Wait()
	})
	lines := bufio.NewScanner(stderr)
	for lines.Scan() {
		if _, after, ok := strings.Cut(lines.Text(), "/metrics"); ok {
			before := strings.TrimSuffix(lines.Text(), "/metrics"+after)
			figures = before[strings.LastIndex(before, "http://"):]
		}
		if n, _ := fmt.Sscanf(lines.Text(), "robots: listening at %s", &address); n == 1 {
			go io.Copy(t.Output(), stderr)
			return address, figures
		}
		t.Log(lines.Text())
	}
	t.Fatal("guard does not listen")
	return "", ""
}

// fetchAs fetches a URL with a User-Agent header as the client with an address.
func fetchAs(t *testing.T, url, userAgent, client string) (status int, text string) {
	t.Helper()
	r, err := http.NewRequest("GET", url, nil)
	if err != nil {
		t.Fatal(err)
	}
	r.Header = http.Header{"User-Agent": {userAgent}, "X-Forwarded-For": {client}}
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	body, err := io.ReadAll(answer.Body)
	if err != nil {
		t.Fatal(err)
	}
	return answer.StatusCode, string(body)
}

// TestGuardVerify checks --verify and --verify-first with a DNS server, and the figures about them.
func TestGuardVerify(t *testing.T) {
	t.Parallel()
	dns, stop, err := startNameServer("192.0.2.7 PTR fulltextrobot-7.seznam.cz.\nfulltextrobot-7.seznam.cz. A 192.0.2.7\n192.0.2.9 FAILS\n")
	if err != nil {
		t.Fatal(err)
	}
	defer stop()
	site := func(w http.ResponseWriter, r *http.Request) { io.WriteString(w, r.RequestURI) }
	address, figures := startGuard(t, site, "--trust", "127.0.0.1", "--verify", "--verify-first", "--dns", dns)
	const seznam = "Mozilla/5.0 (compatible; SeznamBot/4.0; +https://o-seznam.cz/napoveda/vyhledavani/en/seznambot-crawler/)"
	for client, want := range map[string]int{"192.0.2.7": 200, "192.0.2.8": 403, "192.0.2.9": 200} {
		status := 0
		for end := time.Now().Add(time.Minute); time.Now().Before(end); time.Sleep(time.Millisecond) {
			if status, _ = fetchAs(t, "http://"+address+"/x", seznam, client); status != http.StatusTooManyRequests {
				break
			}
		}
		if status != want {
			t.Errorf("%s: got %d, want %d", client, status, want)
		}
	}
	wants := []string{
		`robots_guard_decisions_total{action="refuse",reason="forged"} 1`,
		`robots_guard_identities_total{identity="forged"} 1`,
		`robots_guard_identities_total{identity="verified"} 1`,
		`robots_guard_identities_total{identity="pending"} `,
		"robots_guard_lookups_total 3",
		"robots_guard_lookups_dropped_total 0",
		"robots_guard_lookups_waiting 0",
	}
	for end := time.Now().Add(time.Minute); len(wants) > 0; time.Sleep(time.Millisecond) { // an answer is counted when it was sent
		_, text := fetchAs(t, figures+"/metrics", "", "")
		wants = slices.DeleteFunc(wants, func(want string) bool { return strings.Contains(text, "\n"+want) })
		if time.Now().After(end) {
			t.Fatalf("the figures lack %q", wants)
		}
	}
	if status, text := fetchAs(t, figures+"/readyz", "", ""); status != 200 || text != "ok\n" {
		t.Errorf("readyz: got %d %q", status, text)
	}
}
