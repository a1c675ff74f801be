package monitor_test

import (
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/robotsexclusion/robots/fetch"
	"github.com/robotsexclusion/robots/robotsd/internal/monitor"
)

// answers is a RoundTripper that answers as its function says.
type answers func(r *http.Request) (status int, header, body string, err error)

func (a answers) RoundTrip(r *http.Request) (*http.Response, error) {
	status, header, body, err := a(r)
	if err != nil {
		return nil, err
	}
	h := http.Header{"Content-Type": {"text/plain"}}
	if name, value, ok := strings.Cut(header, ": "); ok {
		h.Set(name, value)
	}
	return &http.Response{StatusCode: status, Header: h, Body: io.NopCloser(strings.NewReader(body)),
		ContentLength: int64(len(body)), Request: r, Proto: "HTTP/1.1"}, nil
}

// brief returns findings as a line of kinds and severities.
func brief(findings []monitor.Finding) string {
	var words []string
	for _, f := range findings {
		words = append(words, fmt.Sprintf("%s %s", f.Kind, f.Severity))
	}
	return strings.Join(words, ", ")
}

// wide returns a text of ASCII in little-endian UTF-16.
func wide(text string) string {
	var b strings.Builder
	for i := range len(text) {
		b.WriteString(text[i:i+1] + "\x00")
	}
	return b.String()
}

func TestLook(t *testing.T) {
	for _, test := range []struct {
		name         string
		status       int
		header, body string
		err          error
		state        fetch.State
		want         string
	}{
		{"a text", 200, "", "User-agent: *\nDisallow: /x\n", nil, fetch.OK, ""},
		{"no robots.txt", 404, "", "none", nil, fetch.Unavailable, ""},
		{"the fallback of an application", 200, "", "<!doctype html><html><body>App</body></html>", nil, fetch.OK,
			"html warning"},
		{"a challenge by its header", 403, "Cf-Mitigated: challenge", "<html>", nil, fetch.Unavailable,
			"challenge warning"},
		{"a header with another value", 403, "Cf-Mitigated: block", "<html>", nil, fetch.Unavailable, ""},
		{"a challenge with status 202", 202, "",
			`<!doctype html><html><script src="/.within.website/x/cmd/anubis/static/js/main.mjs"></script></html>`, nil,
			fetch.OK, "challenge warning"},
		{"the mark of a challenge in a robots.txt", 200, "",
			"User-agent: *\nDisallow: /.within.website/x/cmd/anubis/\n", nil, fetch.OK, ""},
		{"UTF-16 without a byte order mark", 200, "", wide("User-agent: *\nDisallow: /\n"), nil, fetch.OK,
			"utf-16 warning"},
		{"UTF-16", 200, "", "\xff\xfe" + wide("User-agent: *\nDisallow: /\n"), nil, fetch.OK, "utf-16 warning"},
		{"UTF-16 of a page that is missing", 404, "", "\xff\xfe" + wide("none"), nil, fetch.Unavailable, ""},
		{"an HTML page in UTF-16", 200, "", "\xff\xfe" + wide("<!doctype html><html>"), nil, fetch.OK,
			"utf-16 warning"},
		{"more than 500 KiB", 200, "", "User-agent: *\n" + strings.Repeat("Disallow: /x\n", 50_000), nil, fetch.OK,
			"cut warning"},
		{"a failing server", 503, "", "", nil, fetch.Unreachable, "unreachable warning"},
		{"too many requests", 429, "", "", nil, fetch.Unreachable, "unreachable warning"},
		{"a failing network", 0, "", "", errors.New("no route to host"), fetch.Unreachable, "unreachable warning"},
	} {
		looker := &monitor.Looker{Transport: answers(func(*http.Request) (int, string, string, error) {
			return test.status, test.header, test.body, test.err
		})}
		o, err := looker.Look(t.Context(), monitor.Site{URL: "https://a.example/page"})
		if err != nil {
			t.Errorf("%s: %v", test.name, err)
			continue
		}
		if got := brief(o.Findings); got != test.want || o.File.State != test.state ||
			o.Origin != "https://a.example" || o.Policy == nil {
			t.Errorf("%s: got %q, want %q; %+v", test.name, got, test.want, o)
		}
	}
	if _, err := new(monitor.Looker).Look(t.Context(), monitor.Site{URL: "ftp://a.example/"}); err == nil {
		t.Error("a URL of FTP has no robots.txt, and there is no error")
	}
}

// TestLookRefused checks that the zero Looker does not connect to addresses that are not public.
func TestLookRefused(t *testing.T) {
	o, err := new(monitor.Looker).Look(t.Context(), monitor.Site{URL: "http://127.0.0.1/"})
	if err != nil || o.Policy == nil || brief(o.Findings) != "unreachable warning" ||
		!strings.Contains(o.File.Cause, "special address") {
		t.Errorf("got %+v, %v", o, err)
	}
}

// TestLookAsksAgain checks that each look asks the server, whatever Cache-Control says, and that
// the server may confirm the text.
func TestLookAsksAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var validators []string
		looker := &monitor.Looker{History: fetch.Dir(t.TempDir()),
			Transport: answers(func(r *http.Request) (int, string, string, error) {
				validators = append(validators, r.Header.Get("If-None-Match"))
				if len(validators) > 1 {
					return 304, "Cache-Control: max-age=86400", "", nil
				}
				return 200, `Etag: "1"`, "User-agent: *\nDisallow: /x\n", nil
			})}
		var last *monitor.Observation
		for range 3 {
			var err error
			if last, err = looker.Look(t.Context(), monitor.Site{URL: "https://a.example/"}); err != nil {
				t.Fatal(err)
			}
			time.Sleep(time.Minute)
		}
		if got, want := fmt.Sprint(validators), `[ "1" "1"]`; got != want || last.File.Status != 200 ||
			last.File.Size != 27 {
			t.Errorf("the validators are %s, want %s; %+v", got, want, last)
		}
	})
}

// TestStages checks what a failure means after a day and a month.
func TestStages(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		dir := t.TempDir()
		var began time.Time
		for _, test := range []struct {
			wait  time.Duration
			stage string
			want  monitor.Severity
		}{{0, "copy", monitor.Warning}, {23 * time.Hour, "copy", monitor.Warning}, {time.Hour, "day", monitor.Critical},
			{29 * 24 * time.Hour, "month", monitor.Critical}} {
			time.Sleep(test.wait)
			looker := &monitor.Looker{History: fetch.Dir(dir),
				Transport: answers(func(*http.Request) (int, string, string, error) { return 500, "", "", nil })}
			o, err := looker.Look(t.Context(), monitor.Site{URL: "https://a.example/"})
			if err != nil || len(o.Findings) != 1 {
				t.Fatalf("got %+v, %v", o, err)
			}
			f := o.Findings[0]
			if began.IsZero() {
				began = f.Since
			}
			if f.After != test.stage || f.Severity != test.want || !f.Since.Equal(began) {
				t.Errorf("got %+v, want stage %s", f, test.stage)
			}
		}
	})
}

func TestCertificate(t *testing.T) {
	server := httptest.NewTLSServer(http.NotFoundHandler())
	defer server.Close()
	ends := server.Certificate().NotAfter
	days := int(time.Until(ends).Hours() / 24)
	for _, test := range []struct {
		days int
		want string
	}{{0, ""}, {days - 1, ""}, {days + 1, "certificate warning"}, {-1, ""}} {
		looker := &monitor.Looker{Transport: server.Client().Transport}
		o, err := looker.Look(t.Context(), monitor.Site{URL: server.URL, CertificateDays: test.days})
		if err != nil || brief(o.Findings) != test.want || !o.File.CertificateEnds.Equal(ends) {
			t.Errorf("%d days: got %+v, %v, want %q", test.days, o, err, test.want)
		}
	}
	looker := &monitor.Looker{Transport: fetch.DialFilter{AllowPrivate: true}.Transport()}
	o, err := looker.Look(t.Context(), monitor.Site{URL: server.URL})
	if err != nil || brief(o.Findings) != "certificate critical" {
		t.Errorf("a certificate of nobody: got %+v, %v", o, err)
	}
}

// TestLookHTTP2 looks at a site that speaks nothing but HTTP/2.
func TestLookHTTP2(t *testing.T) {
	server := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		fmt.Fprintf(w, "User-agent: *\nDisallow: /%s\n", r.Proto)
	}))
	server.Config.Protocols = new(http.Protocols)
	server.Config.Protocols.SetHTTP2(true)
	server.EnableHTTP2 = true
	server.TLS = &tls.Config{NextProtos: []string{"h2"}}
	server.StartTLS()
	defer server.Close()
	transport := fetch.DialFilter{AllowPrivate: true}.Transport()
	transport.TLSClientConfig = server.Client().Transport.(*http.Transport).TLSClientConfig.Clone()
	o, err := (&monitor.Looker{Transport: transport}).Look(t.Context(),
		monitor.Site{URL: server.URL, CertificateDays: -1})
	if err != nil || o.File.State != fetch.OK || !strings.Contains(o.Policy.String(), "HTTP/2.0") {
		t.Errorf("got %+v, %v", o, err)
	}
}
