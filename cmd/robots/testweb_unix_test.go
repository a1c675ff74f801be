//go:build unix

package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"encoding/xml"
	"errors"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"

	"github.com/robotsexclusion/robots/cmd/internal/robottest"
	"github.com/robotsexclusion/robots/internal/test/fatal"
)

// A testwebReport is what the tests read of the JSON of testweb.
type testwebReport struct {
	Level      string   `json:"level"`
	Tokens     []string `json:"tokens"`
	UserAgents []string `json:"user_agents"`
	Duties     []struct {
		ID      string `json:"id"`
		Outcome string `json:"outcome"`
	} `json:"duties"`
}

// visitTestweb starts testweb as a process, has a robot visit the start page, and stops testweb. It
// returns the report, the number of failures in the report of JUnit, and the exit status.
func visitTestweb(t *testing.T, robot func(start *url.URL), flags ...string) (r testwebReport, failures, status int) {
	t.Helper()
	junit := filepath.Join(t.TempDir(), "junit.xml")
	cmd := robotsProcess(t, append([]string{"testweb", "--json", "--junit", junit}, flags...)...)
	var out bytes.Buffer
	cmd.Stdout = &out
	stderr, err := cmd.StderrPipe()
	fatal.If(t, err)
	fatal.If(t, cmd.Start())
	line, _ := bufio.NewReader(stderr).ReadString('\n')
	start, err := url.Parse(regexp.MustCompile(`http://127[^;]*`).FindString(line))
	if err != nil || start.Host == "" {
		t.Fatalf("testweb says %q, which has no start page", line)
	}
	robot(start)
	fatal.If(t, cmd.Process.Signal(syscall.SIGTERM))
	var exit *exec.ExitError
	if err := cmd.Wait(); err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	if err := json.Unmarshal(out.Bytes(), &r); err != nil {
		t.Fatalf("%v: %s", err, out.Bytes())
	}
	return r, junitFailures(t, junit), cmd.ProcessState.ExitCode()
}

// junitFailures counts the failed cases of a report of JUnit.
func junitFailures(t *testing.T, name string) (n int) {
	t.Helper()
	data, err := os.ReadFile(name)
	fatal.If(t, err)
	var report struct {
		Suites []struct {
			Failures int        `xml:"failures,attr"`
			Failed   []struct{} `xml:"testcase>failure"`
		} `xml:"testsuite"`
	}
	fatal.If(t, xml.Unmarshal(data, &report))
	for _, suite := range report.Suites {
		if suite.Failures != len(suite.Failed) {
			t.Errorf("a suite says %d failures, and has %d", suite.Failures, len(suite.Failed))
		}
		n += len(suite.Failed)
	}
	return n
}

// check compares outcomes of duties, and the number of all that are broken with the failures of
// JUnit.
func (r *testwebReport) check(t *testing.T, failures int, want map[string]string) {
	t.Helper()
	outcomes := make(map[string]string)
	broken := 0
	for _, d := range r.Duties {
		outcomes[d.ID] = d.Outcome
		if d.Outcome == "broken" {
			broken++
		}
	}
	for outcome, ids := range want {
		for id := range strings.FieldsSeq(ids) {
			if outcomes[id] != outcome {
				t.Errorf("%s is %q, want %q", id, outcomes[id], outcome)
			}
		}
	}
	if failures != broken {
		t.Errorf("%d duties are broken, and %d cases of JUnit have failed", broken, failures)
	}
}

// runRobot runs a program until it ends, with the proxy as its proxy if there is one.
func runRobot(t *testing.T, proxy *url.URL, name string, args ...string) []byte {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), name, args...)
	cmd.Dir = t.TempDir()
	cmd.Env = append(os.Environ(), "http_proxy=", "no_proxy=", "HTTP_PROXY=", "NO_PROXY=", "ALL_PROXY=", "all_proxy=")
	if proxy != nil {
		cmd.Env = append(cmd.Env, "http_proxy="+proxy.String())
	}
	out, err := cmd.Output()
	if exit := (*exec.ExitError)(nil); err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	return out
}

// need skips a test if a program is missing.
func need(t *testing.T, program string) string {
	t.Helper()
	path, err := exec.LookPath(program)
	if err != nil {
		t.Skipf("there is no %s, which is the robot of this test", program)
	}
	return path
}

// TestTestwebWget has wget visit the whole web, by port and through the proxy. It obeys robots.txt
// in its own way, and makes no pauses.
func TestTestwebWget(t *testing.T) {
	t.Parallel()
	wget := need(t, "wget")
	for _, named := range []bool{false, true} {
		r, failures, status := visitTestweb(t, func(start *url.URL) {
			from, proxy := start.String(), (*url.URL)(nil)
			if named {
				from, proxy = "http://start.test/", start
			}
			runRobot(t, proxy, wget, "--no-config", "--quiet", "--recursive", "--span-hosts", "--tries=1",
				"--reject-regex=/(endless|slow|deep/m)", from)
		})
		if r.Level != "none" || status != 1 || len(r.Tokens) != 1 || r.Tokens[0] != "wget" {
			t.Errorf("the level is %q, the exit status %d, the tokens are %q", r.Level, status, r.Tokens)
		}
		r.check(t, failures, map[string]string{
			"kept":   "robots-first disallow own-group empty-file missing-file name one-at-a-time safe-methods",
			"broken": "contact crawl-delay link-nofollow side-effects",
			// the test ends with wget, which may have had more to do
			"not shown": "endless-page slow-page sitemap once redirect-loop",
		})
		if want := map[bool]string{false: "kept", true: "not shown"}[named]; len(r.Duties) != len(allDuties(t)) {
			t.Errorf("%d duties are in the report, want %d", len(r.Duties), len(allDuties(t)))
		} else {
			r.check(t, failures, map[string]string{want: "origins"})
		}
	}
}

func allDuties(t *testing.T) []robottest.Duty {
	t.Helper()
	list, err := robottest.Duties()
	fatal.If(t, err)
	return list
}

// TestTestwebCurl has a loop around curl visit two exercises. The loop asks robots match before
// each request.
func TestTestwebCurl(t *testing.T) {
	t.Parallel()
	curl := need(t, "curl")
	href := regexp.MustCompile(`href="([^"]*)"`)
	r, failures, status := visitTestweb(t, func(start *url.URL) {
		cache := t.TempDir()
		queue, seen := []*url.URL{start}, map[string]bool{start.String(): true}
		for i := 0; i < len(queue); i++ { // the queue grows
			page := queue[i]
			if robotsProcess(t, "match", "--cache", cache, "--allow-private", "--agent", "curl",
				page.String()).Run() != nil {
				continue
			}
			for _, link := range href.FindAllSubmatch(runRobot(t, nil, curl, "--silent", page.String()), -1) {
				to, err := page.Parse(string(link[1]))
				fatal.If(t, err)
				if !seen[to.String()] {
					seen[to.String()] = true
					queue = append(queue, to)
				}
			}
		}
	}, "--agent", "curl", "--duties", "robots-first,origins,disallow,wildcards,contact", "--require", "basic")
	if r.Level != "none" || status != 0 {
		t.Errorf("the level is %q, and the exit status %d", r.Level, status)
	}
	r.check(t, failures, map[string]string{"kept": "robots-first origins disallow wildcards", "broken": "contact"})
}
