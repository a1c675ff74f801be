package oracle_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/robotsexclusion/robots"
	"github.com/robotsexclusion/robots/internal/test/fatal"
	"github.com/robotsexclusion/robots/internal/test/logs"
)

// An auditFolder runs robots audit and DuckDB in a folder, which each test sets.
type auditFolder struct{ node, script, robots, dir string }

func newAuditFolder(t *testing.T) *auditFolder {
	t.Helper()
	node, err := exec.LookPath("node")
	if err != nil {
		t.Skip("node is not installed")
	}
	if _, err := os.Stat(filepath.Join("npm", "node_modules", "@duckdb", "node-api")); errors.Is(err, fs.ErrNotExist) {
		t.Skip(`DuckDB is not installed: run "npm ci" in oracle/npm`)
	}
	script, err := filepath.Abs(filepath.Join("npm", "duckdb.mjs"))
	fatal.If(t, err)
	a := &auditFolder{node, script, filepath.Join(t.TempDir(), "robots.exe"), ""}
	build := exec.Command("go", "build", "-o", a.robots, "./cmd/robots")
	build.Dir = ".."
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("go build: %v\n%s", err, out)
	}
	return a
}

// An auditReport is what the tests need of the JSON of robots audit.
type auditReport struct {
	Requests int `json:"requests"`
	Robots   []struct {
		Token      string `json:"token"`
		Kind       string `json:"kind"`
		Requests   int    `json:"requests"`
		Violations struct {
			Certain  int `json:"certain"`
			Informed int `json:"informed"`
			Grace    int `json:"grace"`
		} `json:"violations"`
		Forged struct {
			Requests   int `json:"requests"`
			Violations int `json:"violations"`
		} `json:"forged"`
	} `json:"robots"`
}

// audit writes rows, and returns the report.
func (a *auditFolder) audit(t *testing.T, args ...string) (r auditReport) {
	t.Helper()
	cmd := exec.Command(a.robots, append([]string{"audit", "--json", "--rows", "requests.jsonl"}, args...)...)
	cmd.Dir, cmd.Stderr = a.dir, t.Output()
	out, err := cmd.Output()
	if exit := (*exec.ExitError)(nil); err != nil && !(errors.As(err, &exit) && exit.ExitCode() == 1) {
		t.Fatal(err)
	}
	fatal.If(t, json.Unmarshal(out, &r))
	return r
}

func (a *auditFolder) write(t *testing.T, name, text string) {
	t.Helper()
	fatal.If(t, os.WriteFile(filepath.Join(a.dir, name), []byte(text), 0o666))
}

// query has DuckDB answer a query, one JSON object a row.
func (a *auditFolder) query(t *testing.T, sql string) []string {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, a.node, a.script)
	cmd.Dir, cmd.Stdin, cmd.Stderr = a.dir, strings.NewReader(sql), t.Output()
	out, err := cmd.Output()
	fatal.If(t, err)
	return strings.FieldsFunc(string(out), func(c rune) bool { return c == '\n' })
}

// example returns a query that users can copy.
func example(t *testing.T, name string) string {
	t.Helper()
	sql, err := os.ReadFile(filepath.Join("..", "examples", "audit", name))
	fatal.If(t, err)
	return string(sql)
}

// sameCounts compares the counts that DuckDB finds in the rows with those of the report.
func (a *auditFolder) sameCounts(t *testing.T, r auditReport) {
	t.Helper()
	found := map[string]string{}
	for _, line := range a.query(t, example(t, "violations.sql")) {
		var row map[string]string // DuckDB's JSON has numbers of 64 bits as strings
		if err := json.Unmarshal([]byte(line), &row); err != nil {
			t.Fatalf("%s: %v", line, err)
		}
		found[row["robot"]] = fmt.Sprint(row["requests"], " ", row["certain"], " ", row["informed"], " ", row["grace"],
			" ", row["forged"], " ", row["forged_violations"])
	}
	robots := 0
	for _, robot := range r.Robots {
		if robot.Kind != "robot" {
			continue
		}
		robots++
		v := robot.Violations
		want := fmt.Sprint(robot.Requests, " ", v.Certain, " ", v.Informed, " ", v.Grace, " ", robot.Forged.Requests,
			" ", robot.Forged.Violations)
		if found[robot.Token] != want {
			t.Errorf("%s: DuckDB finds %q, the report has %q", robot.Token, found[robot.Token], want)
		}
	}
	if len(found) != robots {
		t.Errorf("DuckDB finds %d robots, the report has %d", len(found), robots)
	}
	if got := a.query(t, "SELECT count(*)::INTEGER AS n FROM 'requests.jsonl'"); len(got) != 1 ||
		got[0] != fmt.Sprintf(`{"n":%d}`, r.Requests) {
		t.Errorf("DuckDB finds %q rows, the report has %d", got, r.Requests)
	}
}

// siteLog is a log of five days, and requests has those of examplebot. robots.txt changes at the
// beginning of the third day.
func siteLog(random *rand.Rand, sizes [2]int) (log string, requests map[int]string) {
	paths := []string{"/", "/shoes/", "/cart", "/cart/add", "/Cart", "/checkout/", "/checkout", "/account/x",
		"/search?q=a", "/search/help", "/search/help?sort=x",
		"/shoes?sort=price", "/shoes?a=1&filter=red", "/shoes?afilter=1", "/shoes/print", "/shoes/print?x",
		"/shoes/printer", "/api/public/x", "/api/public", "/api/v1", "/robots.txt", "/robots.txt"}
	headers := []string{"ExampleBot/1.0", "Mozilla/5.0 (compatible; bingbot/2.0; +http://www.bing.com/bingbot.htm)",
		"OtherBot/2.0", "curl/8.5.0",
		"Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0"}
	requests = map[int]string{}
	start := time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC)
	var b strings.Builder
	for i := range 10_000 {
		at := start.Add(time.Duration(i) * 5 * 24 * time.Hour / 10_000)
		path, header, size := paths[random.IntN(len(paths))], headers[random.IntN(len(headers))], 2000
		if path == "/robots.txt" {
			size = sizes[0]
			if at.Sub(start) >= 48*time.Hour {
				size = sizes[1]
			}
		}
		if header == headers[0] {
			requests[i+1] = path
		}
		fmt.Fprintf(&b, "192.0.2.%d - - [%s] \"GET %s HTTP/1.1\" 200 %d \"-\" \"%s\"\n", 1+random.IntN(3),
			at.Format("02/Jan/2006:15:04:05 -0700"), path, size, header)
	}
	return b.String(), requests
}

// TestRows has DuckDB read the rows of robots audit.
func TestRows(t *testing.T) {
	a := newAuditFolder(t)
	t.Run("changing policy", a.testChangingPolicy)
	t.Run("large log", a.testLargeLog)
	t.Run("disallowed", a.testDisallowed)
}

// testChangingPolicy compares DuckDB's counts with the report's, for a robots.txt that changed.
func (a *auditFolder) testChangingPolicy(t *testing.T) {
	a.dir = t.TempDir()
	git, err := exec.LookPath("git")
	if err != nil {
		t.Skip("git is not installed")
	}
	versions := []string{"User-agent: *\nDisallow: /cart\n",
		"User-agent: *\nDisallow: /cart\nDisallow: /shoes\n\nUser-agent: bingbot\nDisallow: /api/\n"}
	for i, text := range versions {
		a.write(t, "robots.txt", text)
		for _, args := range [][]string{{"init", "-q"}, {"add", "robots.txt"}, {"commit", "-q", "-m", "change"}} {
			cmd := exec.Command(git, args...)
			date := fmt.Sprintf("2026-%02d-03T00:00:00Z", 2+i)
			cmd.Dir, cmd.Env = a.dir, append(os.Environ(), "GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_CONFIG_SYSTEM="+
				os.DevNull,
				"GIT_AUTHOR_NAME=a", "GIT_AUTHOR_EMAIL=a@example.org", "GIT_COMMITTER_NAME=a",
				"GIT_COMMITTER_EMAIL=a@example.org",
				"GIT_AUTHOR_DATE="+date, "GIT_COMMITTER_DATE="+date)
			if out, err := cmd.CombinedOutput(); err != nil {
				t.Fatalf("git %v: %v\n%s", args, err, out)
			}
		}
	}
	log, _ := siteLog(rand.New(rand.NewPCG(4, 2)), [2]int{len(versions[0]), len(versions[1])})
	a.write(t, "access.log", log)
	r := a.audit(t, "--git", ".:robots.txt", "access.log")
	a.sameCounts(t, r)
	a.testParquet(t, r)
	for _, robot := range r.Robots {
		if v := robot.Violations; robot.Token == "ExampleBot" && (v.Certain == 0 || v.Informed == 0 || v.Grace == 0) {
			t.Errorf("the log has too little: %+v", v)
		}
	}
}

// testParquet runs the command of doc/audit.md that turns rows into Parquet: no row differs, and
// times are times.
func (a *auditFolder) testParquet(t *testing.T, r auditReport) {
	document, err := os.ReadFile(filepath.Join("..", "doc", "audit.md"))
	fatal.If(t, err)
	_, rest, _ := strings.Cut(string(document), `duckdb -c "`)
	statement, _, found := strings.Cut(rest, `"`)
	if !found {
		t.Fatal("doc/audit.md has no command for DuckDB")
	}
	a.query(t, statement)
	const rows = "FROM read_json('requests.jsonl', sample_size = -1)"
	got := a.query(t,
		"SELECT count(*)::INTEGER AS n, count(class)::INTEGER > 0 AS judged, any_value(typeof(time)) AS type, "+
			"(SELECT count(*)::INTEGER FROM ("+rows+
			" EXCEPT ALL FROM 'requests.parquet')) AS missing FROM 'requests.parquet'")
	if want := fmt.Sprintf(`{"n":%d,"judged":true,"type":"TIMESTAMP","missing":0}`, r.Requests); len(got) != 1 ||
		got[0] != want {
		t.Errorf("the Parquet file: got %q, want %s", got, want)
	}
}

// testLargeLog compares the counts for a large log with the headers of real robots.
func (a *auditFolder) testLargeLog(t *testing.T) {
	a.dir = t.TempDir()
	log, err := logs.Named("few", 200_000)
	fatal.If(t, err)
	var b bytes.Buffer
	if _, err := log.WriteTo(&b); err != nil {
		t.Fatal(err)
	}
	a.write(t, "access.log", b.String())
	a.write(t, "robots.txt", "User-agent: *\nDisallow: /*a\n\nUser-agent: Googlebot\nDisallow: /*.html\n")
	a.sameCounts(t, a.audit(t, "--robots", "robots.txt", "access.log"))
}

// testDisallowed has a query by paths alone find the requests of a robot that a policy disallows.
func (a *auditFolder) testDisallowed(t *testing.T) {
	a.dir = t.TempDir()
	text, err := os.ReadFile(filepath.Join("..", "examples", "shop.robots.txt"))
	fatal.If(t, err)
	log, requests := siteLog(rand.New(rand.NewPCG(4, 3)), [2]int{len(text), len(text)})
	a.write(t, "access.log", log)
	a.write(t, "robots.txt", string(text))
	r := a.audit(t, "--robots", "robots.txt", "access.log")

	want := map[int]string{}
	group := robots.Parse(text).For("examplebot")
	for line, path := range requests {
		if !group.Allowed(path) {
			want[line] = path
		}
	}
	got := a.query(t, example(t, "disallowed.sql"))
	for _, line := range got {
		var row struct{ Line, Path string }
		if err := json.Unmarshal([]byte(line), &row); err != nil {
			t.Fatalf("%s: %v", line, err)
		}
		n, err := strconv.Atoi(row.Line)
		if err != nil || want[n] != row.Path {
			t.Errorf("DuckDB finds %s, which the policy allows", line)
		}
		delete(want, n)
	}
	for line, path := range want {
		t.Errorf("DuckDB does not find line %d, %s", line, path)
	}
	for _, robot := range r.Robots {
		if robot.Token == "ExampleBot" && (robot.Violations.Certain != len(got) || len(got) == 0) {
			t.Errorf("DuckDB finds %d requests, the report has %+v", len(got), robot.Violations)
		}
	}
}
