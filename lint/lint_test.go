package lint

import (
	"fmt"
	"strings"
	"testing"

	"github.com/robotsexclusion/robots"
)

// names returns the checks of a report, in the order of the file.
func names(r *Report) string {
	var all []string
	for _, d := range r.Diagnostics {
		all = append(all, d.Check.Name)
	}
	return strings.Join(all, " ")
}

func TestOptions(t *testing.T) {
	text := "Disallow: /x\nUser-agent: *\nDisallow: /caf\u00e9*\n"
	for _, tt := range []struct {
		o    Options
		want string
	}{
		{Options{}, "stray-rule"},
		{Options{Profile: Strict, Disable: []string{"portability"}}, "stray-rule raw-non-ascii idle-wildcard"},
		{Options{Enable: []string{"idle-wildcard"}}, "stray-rule idle-wildcard"},
		{Options{Profile: Strict, Disable: []string{"stray-rule", "raw-non-ascii", "portability"}}, "idle-wildcard"},
		{Options{Enable: []string{"idle-wildcard"}, Disable: []string{"idle-wildcard"}}, "stray-rule"},
		{Options{Enable: []string{"no-such-check"}}, "stray-rule"},
	} {
		if got := names(Run(robots.Parse([]byte(text)), tt.o)); got != tt.want {
			t.Errorf("%+v: got %q, want %q", tt.o, got, tt.want)
		}
	}
}

// TestProfiles runs the checks whose diagnostics differ between profiles.
func TestProfiles(t *testing.T) {
	for _, tt := range []struct {
		check, text string
		want        string // how many diagnostics each of the profiles has, in their order
	}{
		{"site-closed", "User-agent: YandexBot\nDisallow: /\n", "0 0 1"},
		{"site-closed", "User-agent: Exabot\nDisallow: /\n", "0 0 0"},
		{"site-closed", "User-agent: bingbot\nDisallow: /\n", "1 1 1"},
		{"ai-half-blocked", "User-agent: GPTBot\nDisallow: /\n", "0 0 0"},
		{"unmatched-agent", "User-agent: Copernicus Fred\nUser-agent: Lycos Rex\nDisallow: /\n", "1 2 1"},
		{"broad-name", "User-agent: Googlebot\nDisallow: /\n", "0 0 0 1"},
		{"ai-half-blocked", "User-agent: ChatGPT-User\nDisallow: /\n", "1 1 1"},
		{"closed-resources", "User-agent: *\nDisallow: /assets/\n", "0 1 1"},
		{"closed-resources", "User-agent: *\nDisallow: /*.css$\n", "1 1 1"},
		{"closed-well-known", "User-agent: *\nDisallow: /*.json\n", "0 1 1"},
		{"closed-well-known", "User-agent: *\nDisallow: /*.txt\n", "1 1 1"},
		{"closed-well-known", "User-agent: *\nDisallow: /.\n", "1 1 1"},
		{"duplicate-group", "User-agent: a\nDisallow: /\nUser-agent: A\nDisallow: /\n", "0 1 0"},
		{"duplicate-group", "User-agent: a\nDisallow: /\nUser-agent: A\nAllow: /\n", "1 1 1"},
		{"unmatched-agent", "User-agent: MJ12bot\nDisallow: /\n", "0 1 0"},
	} {
		var got []string
		for _, p := range profiles[:1+strings.Count(tt.want, " ")] {
			o := only(Find(tt.check))
			o.Profile = p
			got = append(got, fmt.Sprint(len(Run(robots.Parse([]byte(tt.text)), o).Diagnostics)))
		}
		if strings.Join(got, " ") != tt.want {
			t.Errorf("%s of %q: %v diagnostics, want %s", tt.check, tt.text, got, tt.want)
		}
	}
}

// TestIgnore silences checks with comments.
func TestIgnore(t *testing.T) {
	for _, tt := range []struct{ name, text, want string }{
		{"nothing", "Disallow: /x\n", "stray-rule"},
		{"own line", "Disallow: /x # robots-lint: ignore stray-rule a reason\nDisallow: /y\n", "stray-rule"},
		{"next line", "# robots-lint: ignore stray-rule a reason\nDisallow: /x\nDisallow: /y\n", "stray-rule"},
		{"next line that is not a comment", "# robots-lint: ignore stray-rule a reason\n# more\nDisallow: /x\n", ""},
		{"two comments",
			"# robots-lint: ignore stray-rule a reason\n# robots-lint: ignore raw-non-ascii a reason\nDisallow: /\u00e9\n", ""},
		{"several checks", "# robots-lint: ignore raw-non-ascii,stray-rule a reason\nDisallow: /x\n", ""},
		{"the whole file", "Disallow: /x\nDisallow: /y\n# robots-lint: ignore-file stray-rule a reason\n", ""},
		{"another check", "Disallow: /x # robots-lint: ignore raw-non-ascii a reason\n", "stray-rule"},
		{"no reason", "Disallow: /x # robots-lint: ignore stray-rule\n", "bad-ignore"},
		{"a blank line between", "# robots-lint: ignore stray-rule a reason\n\nDisallow: /x\n", "stray-rule"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := names(Run(robots.Parse([]byte(tt.text)), Options{})); got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}

// TestFix applies the safe fixes of a whole file.
func TestFix(t *testing.T) {
	text := "Usеr-agent: GPTBot, CCBot\r\nDissallow: /a /b\nNoindex: /c\nDisallow: x"
	want := "User-agent: GPTBot\r\nUser-agent: CCBot\r\nDisallow: /a\nDisallow: /b\nNoindex: /c\nDisallow: x"
	r := Run(robots.Parse([]byte(text)), Options{})
	if got := r.Fix(); got != want {
		t.Errorf("got:\n%q\nwant:\n%q", got, want)
	}
	if got := r.Policy.String(); got != text {
		t.Errorf("the text of the policy changed: %q", got)
	}
}

// TestSeeds lints the translations of the standard: lint reports the mistakes of files that
// follow them (SPEC 1).
func TestSeeds(t *testing.T) {
	for _, tt := range []struct{ name, text, want string }{
		{"Spanish", "User-agen: *\nDisallow: /cyberworld/map/\n", "misspelt-field stray-rule"},
		{"Spanish, without line ends", "User-agent: * Disallow: /cyberworld/map/\n", "two-records"},
		{"Russian", "User-Agent: *\nDisallow: / кибермире / карты / # ...\nDisallow: / TMP /\n",
			"translated-path translated-path"},
		{"Russian fields", "Запрещать: / Справка\n", "translated-field"},
	} {
		if got := names(Run(robots.Parse([]byte(tt.text)), Options{})); got != tt.want {
			t.Errorf("%s: got %q, want %q", tt.name, got, tt.want)
		}
	}
}

func TestNames(t *testing.T) {
	for s := Info; s <= Error; s++ {
		if got, ok := ParseSeverity(s.String()); got != s || !ok {
			t.Errorf("ParseSeverity(%q) = %v, %t", s, got, ok)
		}
	}
	for _, p := range profiles {
		if got, ok := ParseProfile(strings.ToUpper(string(p))); got != p || !ok {
			t.Errorf("ParseProfile(%q) = %v, %t", p, got, ok)
		}
	}
	if got := Severity(9).String(); got != "unknown" {
		t.Errorf("names of what is none: %q", got)
	}
}
