package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"regexp"
	"strings"
	"syscall"
	"testing"

	"github.com/robotsexclusion/robots/cmd/internal/wasm/command"
	"github.com/robotsexclusion/robots/fetch"
	"github.com/robotsexclusion/robots/internal/cli"
	"github.com/robotsexclusion/robots/internal/http/http1"
	"github.com/robotsexclusion/robots/internal/language"
	"github.com/robotsexclusion/robots/internal/test/corpus"
	"github.com/robotsexclusion/robots/internal/test/fatal"
	"github.com/robotsexclusion/robots/internal/userfile"
)

// A result is what a program wrote, and its exit status.
type result struct {
	out, err string
	status   int
}

// evened replaces what differs between two runs, and between the command and the npm package:
// times, and where help is.
var evened = strings.NewReplacer("npx @robotsexclusion/robots help", "robots help")

var moments = regexp.MustCompile(`\d{4}-\d\d-\d\dT[\d:]+Z|(?m)^robots: see '.*\n`)

func even(text string) string { return moments.ReplaceAllString(evened.Replace(text), "TIME") }

// ofCommand runs the command.
func ofCommand(input string, args ...string) result {
	var out, errs bytes.Buffer
	root := newRoot()
	root.SetArgs(args)
	root.SetIn(strings.NewReader(input))
	root.SetOut(&out)
	root.SetErr(&errs)
	status := cli.Run(root)
	return result{even(out.String()), even(errs.String()), status}
}

// ofPackage runs the verbs of the npm package with files and a network of this machine.
func ofPackage(input string, args ...string) result {
	var out, errs bytes.Buffer
	private := new(bool)
	m := command.Machine{
		Read: func(name string, limit int64) ([]byte, error) {
			if name == userfile.Stdin {
				return io.ReadAll(io.LimitReader(strings.NewReader(input), limit+1))
			}
			f, err := os.Open(name)
			if err != nil {
				return nil, err
			}
			defer f.Close()
			data, err := io.ReadAll(io.LimitReader(f, limit+1))
			if errors.Is(err, syscall.EISDIR) {
				err = userfile.ErrFolder
			}
			return data, err
		},
		Exists: func(name string) bool {
			_, err := os.Stat(name)
			return err == nil
		},
		Transport: roundTripper(func(r *http.Request) (*http.Response, error) {
			return http1.New(fetch.DialFilter{AllowPrivate: *private}.Transport()).RoundTrip(r)
		}),
		Private: private, Language: cli.EnvironmentLanguage(),
		UserAgent: cli.UserAgent(), Version: "0", Out: &out, Err: &errs,
	}
	status := command.Run(context.Background(), m, args)
	return result{even(out.String()), even(errs.String()), status}
}

type roundTripper func(*http.Request) (*http.Response, error)

func (f roundTripper) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

// sameVerb checks that the npm package does what the command does, and returns it.
func sameVerb(t *testing.T, input string, args ...string) result {
	t.Helper()
	own := ofPackage(input, args...)
	asked := args
	if args[0] == "report" {
		asked = args[1:] // the command has no verb for it
	}
	if want := ofCommand(input, asked...); own != want {
		t.Errorf("%q: status %d\n%s%swant status %d\n%s%s", args,
			own.status, own.out, own.err, want.status, want.out, want.err)
	}
	return own
}

// TestNPMVerbs compares the verbs of the npm package with those of the command: files, standard
// input, flags, languages, and what cannot be read.
func TestNPMVerbs(t *testing.T) {
	corpus.Unraced(t)
	t.Chdir(t.TempDir())
	texts := map[string]string{
		"plain.txt": "User-agent: *\nDisallow: /private/\nAllow: /private/x$\n\nUser-agent: GPTBot\nDisallow: /\n" +
			"Sitemap: https://example.com/s.xml\n",
		"broken.txt": "Usr-agent: x\nUser-agent: *\nDisalow: /a\nDisallow: a\nCrawl-delay: x\n",
		"latin1.txt": "User-agent: *\nDisallow: /caf\xe9\n", "bom.txt": "\ufeffUser-agent: *\r\nDisallow: /\r\n",
		"nul.txt":   "User-agent: *\x00\nDisallow: /\x1b[31m\u202e\n",
		"large.txt": "User-agent: *\nDisallow: /x\n" + strings.Repeat("# ten bytes\n", 60_000) + "Disallow: /lost\n",
	}
	for name, text := range cardTexts {
		texts[name+".txt"] = text
	}
	fatal.If(t, os.Mkdir("folder", 0o777))
	for name, text := range texts {
		fatal.If(t, os.WriteFile(name, []byte(text), 0o666))
	}
	for name, text := range texts {
		for _, code := range language.Codes() {
			sameVerb(t, "", "report", name, "--lang", code)
			sameVerb(t, "", "lint", "--lang="+code, name)
			sameVerb(t, "", "match", "--lang", code, "-a", "GPTBot", "-aGooglebot", name, "/", "/private/x", "/caf%E9",
				"https://example.com/lost", "no url")
		}
		sameVerb(t, text, "lint", "-")
		sameVerb(t, text, "report", "-")
		sameVerb(t, text, "match", "-", "/private/")
	}
	for _, line := range []string{
		"report --json plain.txt", "report --color always broken.txt", "lint --json plain.txt broken.txt",
		"lint --format sarif broken.txt", "lint --format JUNIT broken.txt",
		"lint --profile=strict --disable misspelt-field,long-line broken.txt",
		"lint --profile=strict --fail-on=error plain.txt", "lint -q broken.txt", "lint --quiet plain.txt",
		"lint --color=always broken.txt none.txt plain.txt", "match --why plain.txt /private/x",
		"match --json -a claude,GPTBot plain.txt /private/x /é", "match -q -a GPTBot plain.txt /",
		"match -q plain.txt x", "match -a=GPTBot plain.txt /", "match -a GPTBto plain.txt /",
		"match -a GPTBto --unknown plain.txt /", "match -a ai-train plain.txt /",
		"match -a example plain.txt /", "match -- plain.txt /a", "match plain.txt --why=false /a",
		"lint none.txt", "lint folder plain.txt", "report ./none", "match none.txt /", "match folder /",
		"match --unknown plain.txt /", "match --json -q plain.txt /", "lint", "match", "lint - none.txt",
		"report 127.0.0.1", "lint http://[::1]:1/", "match http://10.0.0.1/x", "report http://x:0/",
		"match http://x:99999/ /a", "lint --json --format sarif plain.txt",
	} {
		args := strings.Fields(line)
		own := ofPackage("", args...)
		if args[0] == "report" {
			args = args[1:]
		}
		want := ofCommand("", args...)
		// Messages about flags name those of each program.
		if own.status != want.status || own.out != want.out || own.status != cli.StatusFailed && own.err != want.err {
			t.Errorf("%s: status %d\n%s%swant status %d\n%s%s", line,
				own.status, own.out, own.err, want.status, want.out, want.err)
		}
		silent := !strings.Contains(own.err+own.out, "robots: ") && !strings.Contains(own.out, "error")
		if own.status == cli.StatusFailed && silent {
			t.Errorf("%s: no message", line)
		}
	}
	for _, line := range []string{
		"", "x", "lint --fix plain.txt", "match -a", "lint --lang xx plain.txt", "report", "report a b",
		"lint --enable x plain.txt", "lint -x plain.txt", "lint --q plain.txt", "lint -quiet plain.txt",
		"report --json=x plain.txt", "lint --color x plain.txt", "lint --profile x plain.txt",
		"lint --format x plain.txt", "lint --fail-on x plain.txt",
	} {
		own := ofPackage("", strings.Fields(line)...)
		if own.status != cli.StatusFailed || own.out != "" || own.err == "" {
			t.Errorf("%q: status %d\n%s%s", line, own.status, own.out, own.err)
		}
	}
	for _, line := range []string{
		"help", "-h", "lint --help", "--version",
	} {
		own := ofPackage("", strings.Fields(line)...)
		if own.status != cli.StatusYes || own.out == "" || own.err != "" {
			t.Errorf("%q: status %d\n%s%s", line, own.status, own.out, own.err)
		}
	}
}

// TestNPMSites compares the verbs of the npm package with those of the command for sites.
func TestNPMSites(t *testing.T) {
	answer := func(status int, header, text string) http.HandlerFunc {
		return func(w http.ResponseWriter, _ *http.Request) {
			if name, value, ok := strings.Cut(header, ": "); ok {
				w.Header().Set(name, value)
			}
			w.WriteHeader(status)
			fmt.Fprint(w, text)
		}
	}
	for name, handler := range map[string]http.HandlerFunc{
		"ok":    answer(200, "Content-Type: text/plain", cardTexts["ordinary"]),
		"html":  answer(200, "Content-Type: text/html", cardTexts["html"]),
		"none":  answer(404, "", "no"),
		"fails": answer(503, "Retry-After: 9", ""),
		"long":  answer(200, "", "User-agent: *\nDisallow: /x\n"+strings.Repeat("#", 9<<20)),
		"loop":  answer(302, "Location: /robots.txt", ""),
		"away":  answer(302, "Location: http://127.0.0.1:1/", ""),
		"aged":  answer(200, "Cache-Control: max-age=9", "User-agent: *\nDisallow: /\n"),
	} {
		t.Run(name, func(t *testing.T) {
			site := httptest.NewServer(handler)
			defer site.Close()
			sameVerb(t, "", "report", "--allow-private", site.URL)
			sameVerb(t, "", "report", "--json", "--allow-private", site.URL+"/x")
			sameVerb(t, "", "lint", "--allow-private", site.URL)
			sameVerb(t, "", "match", "--allow-private", site.URL, "/private/a", "/x")
			sameVerb(t, "", "match", "--allow-private", "-a", "NobodyKnows", site.URL, "/private/a")
			own := ofPackage("", "lint", site.URL)
			if own.status != cli.StatusFailed || !strings.Contains(own.err, "loopback") {
				t.Errorf("status %d: %s", own.status, own.err)
			}
		})
	}
}
