package download_test

import (
	"errors"
	"net/http"
	"strings"
	"testing"

	"github.com/robotsexclusion/robots/internal/http/download"
)

// Sign adds fields to each request, over HTTP/1.1 and HTTP/2, and the exchange has them in its
// head.
func TestSign(t *testing.T) {
	for _, protocol := range []string{"http/1.1", "h2"} {
		t.Run(protocol, func(t *testing.T) {
			var got http.Header
			s, c := serveTLS(t, protocol == "h2", func(w http.ResponseWriter, r *http.Request) { got = r.Header })
			n := 0
			c.Sign = func(r *http.Request) error {
				n++
				if r.Method != http.MethodGet || r.Host != strings.SplitN(r.URL.String(), "/", 4)[2] ||
					r.Header.Get("User-Agent") != robot {
					t.Errorf("got the request %s %s with the header %v", r.Method, r.URL, r.Header)
				}
				r.Header["Signature"] = []string{"a=:AAAA:", strings.Repeat("b", n)}
				r.Header.Set("Accept", "changed") // is not: the request has this field already
				return nil
			}
			for want := range 2 {
				x := visit(t, c, download.Request{URL: s.URL + "/x?y=%2F"})
				check(t, "fields", strings.Join(got["Signature"], " "), "a=:AAAA: "+strings.Repeat("b", want+1))
				check(t, "Accept", got.Get("Accept"), "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.5")
				if !strings.Contains(string(x.RequestHead), "\r\nSignature: a=:AAAA:\r\nSignature: b") ||
					!strings.HasSuffix(string(x.RequestHead), "\r\n\r\n") {
					t.Errorf("the head of the request is %q", x.RequestHead)
				}
			}
		})
	}
}

// A request that cannot be signed is not sent.
func TestSignFails(t *testing.T) {
	s := serve(t, func(http.ResponseWriter, *http.Request) { t.Error("the request was sent") })
	for _, sign := range []func(r *http.Request) error{
		func(*http.Request) error { return errors.New("no key") },
		func(r *http.Request) error { r.Header.Set("X", "a\r\nY: b"); return nil }, // two fields
	} {
		c := local(t)
		c.Sign = sign
		fails(t, c, s.URL+"/", download.WrongURL)
	}
}
