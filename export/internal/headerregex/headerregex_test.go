package headerregex

import (
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/robotsexclusion/robots/agent"
	"github.com/robotsexclusion/robots/internal/test/fatal"
)

// perl answers for each header with the class of the first line that matches.
const perl = `while (<STDIN>) { chomp; my ($what, $rest) = split / /, $_, 2;
	if ($what eq "line") { my ($name, $class, $e) = split / /, $rest, 3; push @{$of{$name}}, [$class, qr/$e/i]; }
	else { my %a; for my $name ("quick", "exact", "other") { $a{$name} = "none"; for (@{$of{$name}}) { if ($rest =~ $_->[1]) { $a{$name} = $_->[0]; last } } }
		print $a{quick} eq "none" || $a{exact} eq "none" ? $a{other} : $a{exact}, "\n"; } }`

// namesOfTable returns the names of the table, and one that is not in it. Some have rules of their
// own.
func namesOfTable() (names []Name) {
	own := map[string]Class{"Googlebot": 1, "Googlebot-Image": 2, "bingbot": 1, "AhrefsBot": 1}
	for text, a := range (*agent.Table)(nil).HeaderNames() {
		n := Name{Text: text, Class: Everyone, Level: len(a.Tokens())}
		if a.Kind != agent.Robot {
			n.Level = Tool
		}
		if c, ok := own[a.Token]; ok {
			n.Class = c
		}
		names = append(names, n)
	}
	return append(names, Name{Text: "own-name", Class: 4})
}

// headersOf returns the class of headers with the names.
func headersOf(names []Name) map[string]Class {
	headers := make(map[string]Class)
	add := func(header string, c Class) { headers[header] = c }
	for _, n := range names {
		if !regexp.MustCompile(inRun).MatchString(n.Text[:1]) {
			add(n.Text, -100) // the expressions do not find it
			continue
		}
		c := n.Class
		if c == Everyone && n.Level == Tool {
			c = Nobody
		}
		add(n.Text, c)
		add(n.Text+"/2.1", c)
		if n.Level > Tool {
			add("Mozilla/5.0 (compatible; "+strings.ToUpper(n.Text)+"-7.0; +http://example.com/)", c)
		}
	}
	add("Googlebot/2.1 bingbot/1", 1)
	add("AhrefsBot/1 Googlebot-Image/1", 2)
	add("DuckDuckBot/1 Googlebot", Everyone)
	add("DuckDuckBot/1 Googlebot-Image", 2)
	add("xGooglebot/1.0", Everyone)
	add("Googlebotx (like Googlebot)", Nobody)
	add("Mozilla/5.0 (own-name)", 4)
	add("see http://example.com/googlebot", Everyone)
	add("Scrapy/1.0 (+http://scrapy.org)", Nobody)
	add("a=Googlebot ((Googlebot", 1)
	add("  (  ) Googlebot", 1)
	add("like Googlebot", Nobody)
	add("like  Googlebot", 1)
	add("unlike Googlebot, with bingbot/1", Nobody)
	add("following bingbot Googlebot-Image", 2)
	add("Googlebot@example.com", Everyone) // an address for contact
	add("http://Googlebot", Everyone)
	add("x Googlebot.y Googlebot-2.1.", 1)
	add("x.yBot", Everyone)
	add("yBots a.bot-", Everyone)
	add("yBots cubot agent7.x", Everyone)
	add("yBots cubot", Nobody)
	add("AnyAgentX/1", Everyone)
	add("MyBotRadar", Everyone)
	add("MyBOTRADAR", Nobody)
	add("SomeTool/1.0: me.you", Nobody)
	add("SomeTool/1.0 (see www.x)", Everyone)
	add("SomeTool/1.0 www", Nobody)
	add("SomeTool/1.0 example.comx", Nobody)
	add("SomeTool/1.0 example.com", Everyone)
	add("FooCrawler Scrapy/1", Everyone)
	return headers
}

// TestClasses compares the class of headers with what agent.Lookup says.
func TestClasses(t *testing.T) {
	names := namesOfTable()
	lines, err := Of(names, true, 4000)
	fatal.If(t, err)
	want := headersOf(names)
	headers := slices.Collect(maps.Keys(want))
	for i, got := range classesByPerl(t, lines, headers) {
		if got != want[headers[i]] {
			t.Errorf("%q has class %d, want %d", headers[i], got, want[headers[i]])
		}
	}
}
