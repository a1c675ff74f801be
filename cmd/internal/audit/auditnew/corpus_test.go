package auditnew

import (
	"bufio"
	"compress/gzip"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/robotsexclusion/robots/agent"
	"github.com/robotsexclusion/robots/audit/accesslog"
	"github.com/robotsexclusion/robots/internal/test/corpus"
	"github.com/robotsexclusion/robots/internal/test/fatal"
)

// TestCorpus reads all logs of the corpus: none has a robot that is new for certain, and known
// robots and people are never listed. The numbers stand in doc/audit.md.
func TestCorpus(t *testing.T) {
	var logs []string
	fatal.If(t, filepath.WalkDir(corpus.Path(t, "logs"), func(name string, d fs.DirEntry, err error) error {
		if err == nil && strings.HasSuffix(name, ".gz") {
			logs = append(logs, name)
		}
		return err
	}))
	names := make(map[Reason]int)
	for _, log := range logs {
		r := found(t, nil, log)
		for reason, n := range r.LeftOut {
			names[reason] += n
		}
		for _, robot := range r.Robots {
			t.Errorf("%s: %s is new: read it", log, robot.Token)
		}
	}
	t.Logf("%d logs, left out %v", len(logs), names)
	if len(logs) < 60 || names[Sporadic] == 0 {
		t.Errorf("%d logs, left out %v", len(logs), names)
	}
}

// renames gives known robots names and pages that nobody knows.
var renames = strings.NewReplacer("bingbot", "zingbot", "Googlebot", "Zoodlebot", "msnbot", "mzzbot", "Baiduspider",
	"Zaidospider", "YandexBot", "ZandexBot", "AhrefsBot", "ZhrefsBot", "Yahoo! Slurp", "Zlurpbot", "bing.com",
	"one.example", "google.com", "two.example", "search.msn.com", "three.example", "baidu.com", "four.example",
	"yandex.com", "five.example", "ahrefs.com", "six.example", "help.yahoo.com", "seven.example")

// TestCorpusRenamed reads the log with the most robots after known ones got other names: those are
// listed, and no address of a client stands in an entry.
func TestCorpusRenamed(t *testing.T) {
	in, err := os.Open(corpus.Path(t, "logs", "large", "semicomplete-2015.log.gz"))
	fatal.If(t, err)
	defer in.Close()
	z, err := gzip.NewReader(in)
	fatal.If(t, err)
	name := filepath.Join(t.TempDir(), "access.log")
	out, err := os.Create(name)
	fatal.If(t, err)
	lines := bufio.NewScanner(z)
	for lines.Scan() {
		_, err := renames.WriteString(out, lines.Text()+"\n")
		fatal.If(t, err)
	}
	fatal.If(t, lines.Err())
	fatal.If(t, out.Close())
	r := found(t, nil, name)
	var tokens []string
	for _, robot := range r.Robots {
		tokens = append(tokens, robot.Token)
	}
	want := []string{"Zoodlebot", "Zlurpbot", "mzzbot", "Zaidospider", "ZandexBot", "zingbot", "mzzbot-media",
		"Zoodlebot-Mobile", "Zoodlebot-Image"}
	if !slices.Equal(tokens, want) {
		t.Errorf("found %q, want %q", tokens, want)
	}
	all := texts(r)
	for request, err := range new(accesslog.Reader).Open(name).Requests() {
		if err != nil {
			continue // the log has a line that is cut
		}
		a := request.Client.String()
		if strings.HasSuffix(a, ".0") { // a network has the same text
			continue
		}
		for _, text := range []string{all[0], all[len(all)-1]} {
			if strings.Contains(text, a+" ") || strings.Contains(text, `"`+a) {
				t.Fatalf("the address of line %d stands in an entry", request.Line)
			}
		}
		if kind := agent.Lookup(string(request.UserAgent)).Kind; kind == agent.Browser || kind == agent.App {
			for _, robot := range r.Robots {
				if slices.Contains(robot.List.Instances, string(request.UserAgent)) {
					t.Errorf("the header of a person is an instance of %s: %s", robot.Token, request.UserAgent)
				}
			}
		}
	}
}
