package auditsites

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"
)

// parsed returns parsed sources as text.
func parsed(s *Sources) string {
	var all []string
	for _, v := range s.values {
		text := fmt.Sprintf("%s host=%s name=%s", v.kind, v.host, v.name)
		if v.path != "" {
			text += " path=" + v.path
		}
		if v.origin != "" && v.kind == history {
			text += " origin=" + v.origin
		}
		all = append(all, text)
	}
	return strings.Join(all, "; ")
}

// TestParse parses values of all forms.
func TestParse(t *testing.T) {
	for _, test := range []struct {
		values Values
		want   string
	}{
		{Values{Robots: []string{"robots.txt"}}, "--robots host= name=robots.txt"},
		{Values{Robots: []string{"-"}}, "--robots host= name=-"},
		{Values{Robots: []string{"example.com=-"}}, "--robots host=example.com name=-"},
		{Values{Robots: []string{"Example.COM.=a=b.txt"}}, "--robots host=example.com name=a=b.txt"},
		{Values{Robots: []string{"bücher.example=a"}}, "--robots host=xn--bcher-kva.example name=a"},
		{Values{Robots: []string{"[2001:DB8::1]=a"}}, "--robots host=[2001:db8::1] name=a"},
		{Values{Robots: []string{"192.0.2.1=a"}}, "--robots host=192.0.2.1 name=a"},
		{Values{Robots: []string{`C:\robots.txt`}}, `--robots host= name=C:\robots.txt`},
		{Values{Robots: []string{`C:\a=b\robots.txt`}}, `--robots host= name=C:\a=b\robots.txt`},
		{Values{Robots: []string{`example.com=C:\robots.txt`}}, `--robots host=example.com name=C:\robots.txt`},
		{Values{Robots: []string{"./a=b"}}, "--robots host= name=./a=b"},
		{Values{Robots: []string{"/srv/a=b/robots.txt"}}, "--robots host= name=/srv/a=b/robots.txt"},
		{Values{Robots: []string{"a"}, Site: "example.com"}, "--robots host=example.com name=a"},
		{Values{Robots: []string{"a"}, Site: "HTTPS://example.com:8443/"}, "--robots host=example.com name=a"},
		{Values{Robots: []string{"a", "b.example=b"}, Site: "a.example"},
			"--robots host=a.example name=a; --robots host=b.example name=b"},

		{Values{Git: []string{".:robots.txt"}}, "--git host= name=. path=robots.txt"},
		{Values{Git: []string{"example.com=../site:public/robots.txt"}},
			"--git host=example.com name=../site path=public/robots.txt"},
		{Values{Git: []string{`C:\site:robots.txt`}}, `--git host= name=C:\site path=robots.txt`},
		{Values{Git: []string{`example.com=C:\site:a b/robots.txt`}},
			`--git host=example.com name=C:\site path=a b/robots.txt`},
		{Values{Git: []string{"a:b:c"}}, "--git host= name=a:b path=c"},
		{Values{Git: []string{"-x:-y"}}, "--git host= name=-x path=-y"},
		{Values{Git: []string{".:a"}, DeployedAfter: 6 * time.Hour}, "--git host= name=. path=a"},

		{Values{History: []string{"cache"}}, "--history host= name=cache"},
		{Values{History: []string{"cache"}, Site: "https://example.com"},
			"--history host=example.com name=cache origin=https://example.com"},
		{Values{History: []string{"cache"}, Site: "example.com"}, "--history host=example.com name=cache"},
		{Values{History: []string{"http://Example.com:8080=cache"}, Site: "https://other.example"},
			"--history host=example.com name=cache origin=http://example.com:8080"},
		{Values{History: []string{"a.example=x", "b.example=x"}},
			"--history host=a.example name=x; --history host=b.example name=x"},

		{Values{}, ""},
		{Values{Robots: []string{"a.example=a"}, Git: []string{"b.example=.:b"}, History: []string{"c.example=c"}},
			"--robots host=a.example name=a; --git host=b.example name=. path=b; --history host=c.example name=c"},
	} {
		s, err := Parse(test.values)
		if err != nil {
			t.Errorf("%+v: %v", test.values, err)
		} else if got := parsed(s); got != test.want {
			t.Errorf("%+v:\ngot  %s\nwant %s", test.values, got, test.want)
		}
	}
}

// TestParseErrors checks that errors name the option, and say what to write.
func TestParseErrors(t *testing.T) {
	robots := func(values ...string) Values { return Values{Robots: values} }
	git := func(values ...string) Values { return Values{Git: values} }
	history := func(values ...string) Values { return Values{History: values} }
	for _, test := range []struct {
		values Values
		want   string
	}{
		{robots(""), "the value is empty: write FILE or HOST=FILE"},
		{robots("=a"), `--robots =a: there is no host before "="`},
		{robots("a.example="), `there is no name after "="`},
		{robots("a.example:80=a"), "has a port"},
		{robots("a.example:=a"), "has a port"},
		{robots("[2001:db8::1]:443=a"), "has a port"},
		{robots("C:a=b"), "if \"=\" is part of the name, write ./"},
		{robots("a b=c"), "not a host"},
		{robots("a@b=c"), "not a host"},
		{robots("a..b=c"), "not a host"},
		{robots("1.2.3=c"), "not a host"},
		{robots("https://a.example=a"), "URLs are not read: write FILE or HOST=FILE"},
		{robots("https://a.example/robots.txt"), "URLs are not read"},
		{robots("a\x00b"), "null byte"},
		{robots("a", "b"), "--robots a and --robots b both name no host"},
		{robots("A.example=a", "a.example=b"), "both give versions for host a.example"},
		{robots("a.example=-", "b.example=-"), "standard input is read once"},
		{Values{Robots: []string{"a", "a.example=b"}, Site: "a.example"}, "both give versions for host a.example"},
		{Values{Robots: []string{"a.example=a"}, History: []string{"https://a.example=b"}},
			"--robots a.example=a and --history https://a.example=b both give"},
		{Values{Robots: []string{"a"}, History: []string{"b"}}, "both name no host"},

		{git("."), "the path in the repository is missing: write REPO:PATH"},
		{git(":robots.txt"), "the repository is missing"},
		{git(".:"), "the path is empty"},
		{git(".:/robots.txt"), "from the root"},
		{git(".:a/../b"), "from the root"},
		{git(".:a\nb"), "line break"},
		{git(`C:\site`), "the path in the repository is missing"},
		{git("c:/site"), "the path in the repository is missing"},
		{git("https://example.com/site.git:robots.txt"), "URLs are not read"},
		{git("ssh://example.com/site:robots.txt"), "clone the repository"},
		{git("a.example=https://example.com/site:robots.txt"), "clone the repository"},

		{history("https://a.example"), "the folder is missing"},
		{history("https://a.example/robots.txt=x"), "not an origin"},
		{history("https://u@a.example=x"), "not an origin"},
		{history("https://a.example="), `no name after "="`},
		{history("a.example=x", "https://a.example=x"), "both give versions"},

		{Values{Site: "https://a.example/x", Robots: []string{"a"}},
			"--site https://a.example/x: \"https://a.example/x\" is not an origin"},
		{Values{Site: "a.example:80"}, "--site a.example:80: \"a.example:80\" has a port"},
		{Values{Site: "ftp://a.example"}, "is not a host"},
		{Values{Site: "a\x1b[31m"}, `--site a\x1b[31m`},
		{Values{Git: []string{".:a"}, DeployedAfter: -1}, "--deployed-after -1ns"},
		{Values{Git: []string{".:a"}, DeployedAfter: 367 * 24 * time.Hour}, "from 0 to 366 days"},
		{Values{Robots: []string{"a"}, DeployedAfter: 1}, "goes with --git only"},
	} {
		s, err := Parse(test.values)
		if err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%+v: got %v, %v\nwant %s", test.values, s, err, test.want)
		}
	}
}

// FuzzParse checks that a value is either refused with an error that is safe to show, or parsed to
// parts that make it again.
func FuzzParse(f *testing.F) {
	for _, value := range []string{
		"robots.txt", "example.com=robots.txt", `C:\robots.txt`, `C:\a=b\r.txt`, "example.com=.:a/robots.txt",
		"https://example.com=cache", "-", "=", "a=", ":", "a:b:c",
		"[::1]=x", "bücher.example=x", "HTTP://A.example:80=x", "a\x1b=b", "a=https://b:c",
	} {
		f.Add(value, "")
		f.Add(value, "https://example.org")
	}
	f.Fuzz(func(t *testing.T, text, site string) {
		for k, values := range []Values{{Robots: []string{text}, Site: site}, {Git: []string{text}, Site: site},
			{History: []string{text}, Site: site}} {
			s, err := Parse(values)
			if err != nil {
				if strings.ContainsFunc(err.Error(), func(c rune) bool {
					return c < ' ' || c == 0x7F || 0x80 <= c &&
						c < 0xA0
				}) {
					t.Errorf("%q: the error %q is not safe to show", text, err)
				}
				continue
			}
			v := s.values[0]
			again := v.name
			if v.kind == repository {
				again += ":" + v.path
			}
			host, named := strings.CutSuffix(text, again)
			if !named || host != "" && host[len(host)-1] != '=' || int(v.kind) != k || v.name == "" {
				t.Errorf("%q: got %+v", text, v)
			}
			if host == "" && v.host != s.host || site == "" && s.host != "" {
				t.Errorf("%q with site %q: got host %q", text, site, v.host)
			}
			if v.host != strings.ToLower(v.host) || strings.ContainsAny(v.host, "/=@ ") ||
				strings.HasSuffix(v.host, ".") {
				t.Errorf("%q: got host %q", text, v.host)
			}
			if v.host != "" {
				// The canonical host is a host, and no other one.
				if h, err := parseHost(v.host); err != nil || h != v.host {
					t.Errorf("%q: host %q is parsed as %q, %v", text, v.host, h, err)
				}
			}
			if v.origin != "" && hostOf(v.origin) != v.host {
				t.Errorf("%q: got host %q of origin %q", text, v.host, v.origin)
			}
			if s.ReadsStdin() != (v.kind == file && slices.Contains([]string{"-"}, v.name)) {
				t.Errorf("%q: ReadsStdin is %v", text, s.ReadsStdin())
			}
		}
	})
}
