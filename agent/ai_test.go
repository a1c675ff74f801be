package agent_test

import (
	"encoding/json"
	"os"
	"strings"
	"testing"

	"github.com/robotsexclusion/robots/agent"
	"github.com/robotsexclusion/robots/internal/test/corpus"
	"github.com/robotsexclusion/robots/internal/test/fatal"
)

// notRobots are names of ai.robots.txt that the table omits, with the reasons.
var notRobots = map[string]string{
	"Code":   "an editor that people write programs with: its header is that of its windows",
	"Cursor": "an editor that people write programs with: its header is that of its windows",
	"Trae":   "an editor that people write programs with: its header is that of its windows",
	"OpenAI": "the name of the operator: no robot of this name is documented",
	"Spider": "the general word: any robot may say that it is a spider",
}

// TestAIRobots compares the table with the names of ai.robots.txt: each is the token of a
// robot, or is omitted for a reason.
func TestAIRobots(t *testing.T) {
	data, err := os.ReadFile(corpus.Path(t, "agents", "ai.robots.txt", "robots.json"))
	fatal.If(t, err)
	var list map[string]json.RawMessage
	fatal.If(t, json.Unmarshal(data, &list))
	if len(list) < 166 {
		t.Fatalf("%d names, want 166 at least", len(list))
	}
	left := 0
	for name := range list {
		a := agent.Named(name)
		if !a.Known() {
			token, _, _ := strings.Cut(name, " ")
			a = agent.Named(token)
		}
		_, leave := notRobots[name]
		if leave {
			left++
		}
		if a.Known() == leave {
			t.Errorf("%q: known is %v; the names that are left out have it: %v", name, a.Known(), leave)
		}
	}
	if left != len(notRobots) {
		t.Errorf("%d of the %d names that are left out are in the list", left, len(notRobots))
	}
	t.Logf("%d of %d names are known", len(list)-left, len(list))
}

// TestPurposesOfTable compares the purposes of robots with the statements of their operators,
// or of lists of robots.
func TestPurposesOfTable(t *testing.T) {
	for _, test := range []struct {
		token    string
		purposes agent.Purpose
		operator string
	}{
		{"Google-CloudVertexBot", agent.Tool, "Google"}, // reads only the sites of its users
		{"CloudVertexBot", agent.Tool, "Google"},
		{"ISSCyberRiskCrawler", agent.Security | agent.AITrain, "ISS-Corporate"},
		{"omgili", agent.AITrain | agent.Other, "Webz.io"},
		{"omgilibot", agent.Search | agent.Other, "Webz.io"},
		{"VelenPublicWebCrawler", agent.AITrain | agent.Other, "Hunter"},
		{"Devin", agent.AIUser, "Devin AI"},
		{"Manus-User", agent.AIUser, "Butterfly Effect"},
		{"GoogleAgent-Mariner", agent.AIUser, "Google"},
		{"Operator", agent.AIUser, "OpenAI"},
		{"ChatGPT Agent", agent.AIUser, "OpenAI"},
		{"LAIONDownloader", agent.AITrain, "LAION"},
		{"ExaSearchBot", agent.AISearch, "Exa"},
		// Relatives of large robots.
		{"SemrushBot-BM", agent.SEO, "Semrush"},
		{"AhrefsBot.Feeds", agent.SEO, "Ahrefs"},
		{"AhrefsBot.FreshPages", agent.SEO, "Ahrefs"},
		{"Baiduspider-favo", agent.Search, "Baidu"},
		{"Mediapartners-Googlebot", agent.Ads, "Google"},
		{"Googlebot-IA", agent.Search | agent.Research, "Google"},
		{"YandexMobileBot", agent.Other, "Yandex"},
		{"Daumoa-image", agent.Search, "Daum"},
	} {
		if a := agent.Named(test.token); a.Purposes != test.purposes || a.Operator != test.operator {
			t.Errorf("Named(%q) is of %q, for %v; want %q, %v", test.token, a.Operator, a.Purposes, test.operator,
				test.purposes)
		}
	}
}
