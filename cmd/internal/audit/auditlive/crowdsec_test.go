package auditlive

import (
	"bytes"
	"encoding/json"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/robotsexclusion/robots/cmd/internal/audit/auditreport"
)

// A crowdSec is a CrowdSec with a folder of its own, which asks no server. Its local API answers at
// a loopback address.
type crowdSec struct {
	t       *testing.T
	program string
	folder  string
}

// CrowdSec, with the parser and the scenario of examples, bans the clients that are to be banned,
// and no others, whatever a client sends.
func TestCrowdSec(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("CrowdSec takes seconds")
	}
	c := newCrowdSec(t)
	now := time.Now().Add(-time.Minute)
	often := func(log string) string { return strings.Repeat(log, 6) }
	lines := linesOf(t, often(hostileLog(now)), nil) +
		// one less than a ban needs
		linesOf(t, strings.Repeat(line(now, "203.0.113.3", "/private/", 200, "onebot/1.0"), 5), nil)
	for _, how := range auditreport.Anonymities {
		lines += linesOf(t, often(line(now, "203.0.113.4", "/private/", 200, "onebot/1.0")), auditreport.NewHider(how))
	}
	if got := c.bans(lines); !slices.Equal(got, hostileBans) {
		t.Errorf("CrowdSec bans %q, want %q", got, hostileBans)
	}
}

// newCrowdSec starts the local API of a CrowdSec.
func newCrowdSec(t *testing.T) *crowdSec {
	t.Helper()
	program, err := exec.LookPath("crowdsec")
	if err != nil {
		t.Skip("crowdsec is not installed")
	}
	root := filepath.Join(filepath.Dir(program), "../..") // of the package of Debian, whose files need no network
	hub := filepath.Join(root, "usr/share/crowdsec/hub/parsers")
	if _, err := os.Stat(hub); err != nil {
		t.Skip("crowdsec is not that of Debian, which has parsers")
	}
	c := &crowdSec{t: t, program: program, folder: t.TempDir()}
	c.copy("patterns", filepath.Join(root, "etc/crowdsec/patterns/*"))
	c.copy("parsers/s00-raw", filepath.Join(hub, "s00-raw/crowdsecurity/syslog-logs.yaml"))
	c.copy("parsers/s01-parse", "../../../../examples/crowdsec/parsers/s01-parse/*")
	c.copy("parsers/s02-enrich", filepath.Join(hub, "s02-enrich/crowdsecurity/dateparse-enrich.yaml"))
	c.copy("scenarios", "../../../../examples/crowdsec/scenarios/*")
	c.copy("", filepath.Join(root, "etc/crowdsec/profiles.yaml"))
	c.copy("hub", "") // has nothing: parsers and scenarios are those of the folder
	c.write("hub/index.json", `{"parsers":{},"postoverflows":{},"scenarios":{},"collections":{}}`)
	c.write("simulation.yaml", "simulation: false\n")
	c.write("acquis.yaml", "")
	c.write("login.yaml", "")
	for range 3 { // another process may take the port in between
		if c.start() {
			return c
		}
	}
	t.Fatal("the local API of CrowdSec does not answer")
	return nil
}

// start starts the local API, and reports whether it answers.
func (c *crowdSec) start() bool {
	free, err := net.Listen("tcp", "127.0.0.1:0")
	c.must(err)
	api := free.Addr().String()
	free.Close()
	c.write("config.yaml", strings.NewReplacer("FOLDER", c.folder, "API", api).Replace(`
common: {daemonize: false, log_media: stdout, log_level: info}
config_paths: {config_dir: FOLDER, data_dir: FOLDER, hub_dir: FOLDER/hub, index_path: FOLDER/hub/index.json, simulation_path: FOLDER/simulation.yaml}
crowdsec_service: {acquisition_path: FOLDER/acquis.yaml, parser_routines: 1}
db_config: {type: sqlite, db_path: FOLDER/crowdsec.db, use_wal: false}
api:
  client: {credentials_path: FOLDER/login.yaml}
  server: {listen_uri: API, profiles_path: FOLDER/profiles.yaml}
prometheus: {enabled: false}
`))
	c.run("cscli", "machines", "add", "here", "--password", "here", "--force", "--file",
		filepath.Join(c.folder, "login.yaml"))
	server := exec.Command(c.program, "-c", filepath.Join(c.folder, "config.yaml"), "-no-cs")
	c.must(server.Start())
	ended := make(chan struct{})
	go func() {
		server.Wait()
		close(ended)
	}()
	c.t.Cleanup(func() {
		server.Process.Kill()
		<-ended
	})
	for {
		if conn, err := net.Dial("tcp", api); err == nil {
			conn.Close()
			return true
		}
		select {
		case <-ended:
			return false
		case <-time.After(10 * time.Millisecond):
		}
	}
}

// bans returns the addresses that CrowdSec bans after it has read the lines of a live audit.
func (c *crowdSec) bans(lines string) (addresses []string) {
	c.write("lines", lines)
	c.run("crowdsec", "-no-api", "-type", "robots-audit", "-dsn", "file://"+filepath.Join(c.folder, "lines"))
	var alerts []struct {
		Decisions []struct{ Type, Scope, Value string }
	}
	c.must(json.Unmarshal(c.run("cscli", "decisions", "list", "-o", "json"), &alerts))
	for _, alert := range alerts {
		for _, d := range alert.Decisions {
			if d.Type != "ban" || d.Scope != "Ip" {
				c.t.Errorf("CrowdSec decides %+v", d)
			}
			addresses = append(addresses, d.Value)
		}
	}
	slices.Sort(addresses)
	return addresses
}

// run runs a program of CrowdSec, and returns its output.
func (c *crowdSec) run(program string, args ...string) []byte {
	c.t.Helper()
	cmd := exec.Command(filepath.Join(filepath.Dir(c.program), program),
		append([]string{"-c", filepath.Join(c.folder, "config.yaml")}, args...)...)
	var failure bytes.Buffer
	cmd.Stderr = &failure
	out, err := cmd.Output()
	if err != nil {
		c.t.Fatalf("%s %q: %v: %s%s", program, args, err, out, &failure)
	}
	return out
}

// copy copies the files that match a pattern to a folder.
func (c *crowdSec) copy(to, pattern string) {
	c.t.Helper()
	c.must(os.MkdirAll(filepath.Join(c.folder, to), 0o755))
	names, err := filepath.Glob(pattern)
	c.must(err)
	for _, name := range names {
		text, err := os.ReadFile(name)
		c.must(err)
		c.write(filepath.Join(to, filepath.Base(name)), string(text))
	}
}

func (c *crowdSec) write(name, text string) {
	c.t.Helper()
	c.must(os.WriteFile(filepath.Join(c.folder, name), []byte(text), 0o600))
}

func (c *crowdSec) must(err error) {
	c.t.Helper()
	if err != nil {
		c.t.Fatal(err)
	}
}
