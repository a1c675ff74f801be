package agent_test

import (
	"errors"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/robotsexclusion/robots/agent"
	"github.com/robotsexclusion/robots/internal/test/fatal"
)

// tokensOf returns the first tokens of robots, with what they are called by in the text.
func tokensOf(all []agent.Subject) string {
	var names []string
	for _, s := range all {
		name := s.Tokens[0]
		if len(s.Called) > 0 {
			name = strings.Join(s.Called, "+") + "=" + name
		}
		names = append(names, name)
	}
	return strings.Join(names, " ")
}

// TestResolve checks the robots that texts of people name.
func TestResolve(t *testing.T) {
	const header = "Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; GPTBot/1.2; +https://openai.com)"
	for _, test := range []struct{ text, want string }{
		{"*", "*"},
		{"GPTBot", "GPTBot"}, {"gptbot", "GPTBot"}, {"GPTBot/1.2", "GPTBot"}, {"HouseBot", "HouseBot"},
		{"curl", "curl"}, {"Python-urllib/3.12", "Python-urllib"},
		{"housebot/2", "housebot"},
		// What does not belong to a name is cut off.
		{" GPTBot", "GPTBot"}, {"GPTBot\r\n", "GPTBot"}, {"\u00a0GPTBot\u200b", "GPTBot"}, {"\ufeffGPTBot", "GPTBot"},
		{"User-agent: GPTBot", "GPTBot"}, {"user-agent:" + header, "GPTBot"}, {"\x00GPTBot\x00", "GPTBot"},
		{header, "GPTBot"}, {"  " + header + "\n", "GPTBot"},
		// Lists.
		{"GPTBot,CCBot", "GPTBot CCBot"}, {" GPTBot, CCBot,\n", "GPTBot CCBot"}, {"GPTBot,gptbot,GPTBot", "GPTBot"},
		{"claude,GPTBot", "claude=ClaudeBot claude=Claude-SearchBot claude=Claude-User GPTBot"},
		{"GPTBot/1.2,Googlebot/2.1", "GPTBot Googlebot"}, {"bingbot/2.0, CCBot/2.0", "bingbot CCBot"},
		{"Googlebot;GPTBot", "Googlebot GPTBot"}, {"Googlebot; ccbot", "Googlebot CCBot"},
		{"Googlebot, ClaudeBot (Anthropic)", "Googlebot ClaudeBot"}, {"GPTBot/1.2 CCBot/2.0", "GPTBot CCBot"},
		{"GPTBot/1.2 (+https://openai.com/gptbot), Googlebot/2.1 (+http://www.google.com/bot.html)", "GPTBot Googlebot"},
		{"Mozilla/5.0 (compatible; GPTBot/1.2), Mozilla/5.0 (compatible; Googlebot/2.1)", "GPTBot Googlebot"},
		// Headers, with commas and semicolons of their own.
		{"Mozilla/5.0 (X11; Linux x86_64) Chrome/99 Safari/537.36 Googlebot/2.1,gzip(gfe)", "Googlebot"},
		{"HouseBot/1.0; +https://house.example/; bot@house.example", "HouseBot"},
		{"CCBot/2.0, https://commoncrawl.org/faq/", "CCBot"},
		{"facebookexternalhit/1.1 Facebot Twitterbot/1.0", "facebookexternalhit"},
		{"ElseBot/1.0 (+https://else.example/)", "ElseBot"}, {"Mozilla/5.0 (compatible; ElseBot/1.0)", "ElseBot"},
		// Headers as logs escape them.
		{"Mozilla/5.0%20(compatible;%20Googlebot/2.1)", "Googlebot"},
		{"Mozilla%2F5.0%20%28compatible%3B%20GPTBot%2F1.2%29", "GPTBot"}, {"%20GPTBot", "GPTBot"},
		{"Mozilla/5.0%20(100%;%20GPTBot/1.2)", "GPTBot"},
		// A robot keeps all names that the text has for it.
		{"Slurp,yahoo", "yahoo=Slurp yahoo=Yahoo"}, {"bing, copilot,bingbot", "bing+copilot=bingbot"},
		// One robot with fallbacks.
		{"HouseBot>GPTBot", "HouseBot"}, {"GPTBot > *,CCBot", "GPTBot CCBot"},
		// Names that people use.
		{"bing", "bing=bingbot"}, {"Bingbot", "bingbot"}, {"Google-Bard", "Google-Bard=Google-Extended"},
		{"GeminiBot", "GeminiBot=Google-Extended"}, {"Googlebot-Smartphone", "Googlebot-Smartphone=Googlebot"},
		{"common crawl", "common crawl=CCBot"}, {"Copilot", "Copilot=bingbot"}, {"majestic", "majestic=MJ12bot"},
		{"WaybackMachine", "WaybackMachine=archive.org_bot WaybackMachine=ia_archiver"},
		{"Duck Duck Go", "Duck Duck Go=DuckDuckBot Duck Duck Go=DuckAssistBot"},
		// Full names, and tokens without "bot".
		{"Yahoo! Slurp", "Yahoo! Slurp=Slurp"}, {"seznam", "seznam=SeznamBot"},
		// Operators, also with a comma.
		{"Cohere", "Cohere=cohere-ai Cohere=cohere-training-data-crawler"},
		{"Flipboard, Inc.", "Flipboard, Inc.=FlipboardProxy"}, {"Flipboard", "Flipboard=FlipboardProxy"},
		// Tokens that are operators too.
		{"Yandex", "Yandex=Yandex Yandex=YandexBot"}, {"yahoo", "yahoo=Yahoo yahoo=Slurp"},
		{"yandexbot", "YandexBot"}, {"googlebot image", "googlebot image=Googlebot-Image"},
	} {
		var known *agent.Table
		all, err := known.Resolve(test.text, "HouseBot")
		if got := tokensOf(all); err != nil || got != test.want {
			t.Errorf("%q: got %s, %v, want %s", test.text, got, err, test.want)
		}
	}
}

// TestResolveMany checks names that stand for all robots of an operator or a purpose.
func TestResolveMany(t *testing.T) {
	var known *agent.Table
	of := func(match func(agent.Agent) bool) (tokens []string) {
		for a := range known.All() {
			if match(a) {
				tokens = append(tokens, a.Token)
			}
		}
		return tokens
	}
	operator := func(name string) []string {
		return of(func(a agent.Agent) bool { return a.Operator == name })
	}
	for _, test := range []struct {
		text  string
		first string
		want  []string // in any order
	}{
		{"OpenAI", "GPTBot", operator("OpenAI")}, {"open-ai", "GPTBot", operator("OpenAI")},
		{"OpenAIBot", "GPTBot", operator("OpenAI")},
		{"google", "Googlebot", operator("Google")}, {"META", "meta-externalagent", operator("Meta")},
		{"amazon", "Amazonbot", operator("Amazon")}, {"Mistral", "MistralAI-User", operator("Mistral AI")},
		{"ai-train", "AI2Bot", of(func(a agent.Agent) bool { return a.Purposes.Has(agent.AITrain) })},
		{"AI Train", "AI2Bot", of(func(a agent.Agent) bool { return a.Purposes.Has(agent.AITrain) })},
	} {
		all, err := known.Resolve(test.text)
		var got []string
		for _, s := range all {
			got = append(got, s.Tokens[0])
			if len(s.Called) > 0 && !slices.Equal(s.Called, []string{test.text}) {
				t.Errorf("%q: %s is called %q", test.text, s.Name, s.Called)
			}
		}
		if err != nil || got[0] != test.first {
			t.Errorf("%q: got %v, %v, want %s first", test.text, got, err, test.first)
		}
		slices.Sort(got)
		slices.Sort(test.want)
		if !slices.Equal(got, test.want) {
			t.Errorf("%q: got %v, want %v", test.text, got, test.want)
		}
	}
}

// TestResolveUnknown checks names that nobody knows: the name that is proposed, and the robot that
// has the name all the same.
func TestResolveUnknown(t *testing.T) {
	for _, test := range []struct{ text, name, meant string }{
		{"ExampleBot", "ExampleBot", ""}, {"ExampleBot/1.0", "ExampleBot/1.0", ""},
		{"GPTBto", "GPTBto", "GPTBot"}, {"GPT-Bot", "GPT-Bot", "GPTBot"},
		{"CCBot, Gogglebot", "Gogglebot", "Googlebot"},
		{"HuoseBot", "HuoseBot", "HouseBot"}, {"antropic", "antropic", "anthropic"},
		{"chatgtp", "chatgtp", "chatgpt"},
		{"ai-trian", "ai-trian", "ai-train"}, {"ai", "ai", "ai-train, ai-search, ai-user"},
		{"all", "all", "*"}, {"Everyone", "Everyone", "*"}, {"all robots", "all robots", "*"},
		{"AI bots", "AI bots", "ai-train, ai-search, ai-user"}, {"AIbot", "AIbot", "ai-train, ai-search, ai-user"},
		{"AI crawlers", "AI crawlers", "ai-train, ai-search, ai-user"},
		{"all-ai", "all-ai", "ai-train, ai-search, ai-user"},
		{"All AI", "All AI", "ai-train, ai-search, ai-user"}, {"scrapers", "scrapers", "ai-train, ai-search, ai-user"},
		{"AI-training", "AI-training", "ai-train"}, {"training", "training", "ai-train"},
		{"ai training", "ai training", "ai-train"}, {"search engines", "search engines", "search"},
		{"search-engines", "search-engines", "search"}, {"all search engines", "all search engines", "search"},
		{"seo bots", "seo bots", "seo"}, {"archives", "archives", "archive"}, {"bad bots", "bad bots", ""},
		{"chat-gpt", "chat-gpt", "GPTBot, OAI-SearchBot, ChatGPT-User"},
		{"GPTBot CCBot", "GPTBot CCBot", "GPTBot"}, {"GPTBot\nCCBot", "GPTBot\nCCBot", "GPTBot"},
		{"Gogglebot>GPTBot", "Gogglebot", "Googlebot"}, {"grok", "grok", ""},
		{"GPTBto/1.2 (+https://openai.com/gptbot)", "GPTBto", "GPTBot"},
		{"Mozilla/5.0 (compatible; GPTBto/1.2)", "GPTBto", "GPTBot"},
		{"CCBot, GPTBto/1.2 (+https://openai.com/gptbot)", "GPTBto", "GPTBot"},
		{"claude (anthropic)", "claude", "ClaudeBot, Claude-SearchBot, Claude-User"},
		{"claude/openai/meta", "claude", "ClaudeBot, Claude-SearchBot, Claude-User"},
		{"anthropic claude", "anthropic claude", "ClaudeBot, Claude-SearchBot, Claude-User"},
		{"microsoft bing", "microsoft bing", "bingbot"}, {"bing.com", "bing.com", "bingbot"},
		{"openai.com", "openai.com", "GPTBot, OAI-SearchBot, ChatGPT-User"}, {"example.com", "example.com", ""},
		{"FirstBot/1, SecondBot/2", "FirstBot/1", ""}, {"FirstBot;SecondBot", "FirstBot", ""},
		{"Mozilla/5.0%20(compatible;%20Gogglebot/2.1)", "Gogglebot", "Googlebot"},
		{"claude/1.0", "claude/1.0", "ClaudeBot, Claude-SearchBot, Claude-User"},
		{"Mozilla/5.0", "Mozilla/5.0", "Mozilla-Tabstack"},
	} {
		var known *agent.Table
		all, err := known.Resolve(test.text, "HouseBot")
		unknown := (*agent.UnknownError)(nil)
		if !errors.As(err, &unknown) || unknown.Name != test.name || unknown.Meant != test.meant {
			t.Errorf("%q: got %v, want %q refused, and %q proposed", test.text, err, test.name, test.meant)
		}
		if len(all) == 0 {
			t.Errorf("%q: got no robot with the error", test.text)
		}
	}
	for _, text := range []string{"", " ", ",", " , ,", "()", "/", "  (;)", ">", "User-agent:", "\r\n"} {
		var known *agent.Table
		unknown := (*agent.UnknownError)(nil)
		if all, err := known.Resolve(text); err == nil || errors.As(err, &unknown) || len(all) > 0 {
			t.Errorf("%q: got %v, %v, want no robot", text, all, err)
		}
	}
}

// TestResolveTokens checks that the token of each robot names it, first, whatever else it stands
// for; and that its operator and full name do.
func TestResolveTokens(t *testing.T) {
	var known *agent.Table
	for a := range known.All() {
		all, err := known.Resolve(a.Token)
		if err != nil || all[0].Tokens[0] != a.Token || all[0].Name != a.Token {
			t.Errorf("%s: got %s, %v", a.Token, tokensOf(all), err)
		}
		for _, name := range []string{a.Operator, a.Name} {
			if all, err := known.Resolve(name); len(name) >= 3 && (err != nil || len(all) == 0) {
				t.Errorf("%q of %s: got %v", name, a.Token, err)
			}
		}
	}
}

// TestResolveOwn checks a table without most robots: it has the names for its own robots alone.
func TestResolveOwn(t *testing.T) {
	own, err := agent.ParseTable([]byte(`{"replace": true, "robots": [
		{"token": "GPTBot"}, {"token": "Claude", "operator": "Example Inc."}]}`))
	fatal.If(t, err)
	for text, want := range map[string]string{
		"openai": "openai=GPTBot", "claude": "Claude", "Example": "Example=Claude", "bing": "", "ai-train": "",
	} {
		all, err := own.Resolve(text)
		if got := tokensOf(all); want != "" && (err != nil || got != want) || want == "" && err == nil {
			t.Errorf("%s: got %s, %v, want %q", text, got, err, want)
		}
	}
}

// TestCalled checks the form of data/called.txt: each name is there once, and is not a token,
// unless the line has it too or the token is an operator's; each token is one of the table.
func TestCalled(t *testing.T) {
	text, err := os.ReadFile("data/called.txt")
	fatal.If(t, err)
	operators := make(map[string]bool)
	for a := range agent.All() {
		operators[strings.ToLower(a.Operator)] = true
	}
	seen := make(map[string]bool)
	plain := strings.NewReplacer(" ", "", "-", "")
	for line := range strings.Lines(string(text)) {
		names, tokens, ok := strings.Cut(strings.TrimSpace(line), ":")
		if strings.HasPrefix(line, "#") || strings.TrimSpace(line) == "" {
			continue
		}
		if !ok || names != strings.ToLower(names) {
			t.Errorf("%s: want names in lower case, a colon and tokens", line)
		}
		for token := range strings.SplitSeq(tokens, ",") {
			token = strings.TrimSpace(token)
			if a := agent.Named(token); token != "" && (!a.Known() || a.Token != token) {
				t.Errorf("%s: no robot of the table is named %s", line, token)
			}
		}
		for name := range strings.SplitSeq(names, ",") {
			name = strings.TrimSpace(name)
			if seen[plain.Replace(name)] {
				t.Errorf("%s: %s is there twice", line, name)
			}
			seen[plain.Replace(name)] = true
			if agent.Named(name).Known() && !operators[name] && !strings.Contains(strings.ToLower(tokens), " "+name) {
				t.Errorf("%s: %s is a token, and not among those of the line", line, name)
			}
		}
	}
}
