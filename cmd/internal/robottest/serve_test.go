package robottest

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"

	"github.com/robotsexclusion/robots/internal/test/fatal"
)

// ask sends the head of a request to the main port, and returns the answer.
func ask(t *testing.T, w *Web, head string) string {
	t.Helper()
	c, err := net.Dial("tcp", w.Address())
	fatal.If(t, err)
	defer c.Close()
	fmt.Fprint(c, head+"\r\nConnection: close\r\n\r\n")
	answer, err := io.ReadAll(c)
	fatal.If(t, err)
	return string(answer)
}

// TestReach reaches an exercise by its port, by the proxy, and by the Host field; links have the
// same form.
func TestReach(t *testing.T) {
	web, err := Start(context.Background(), Options{})
	fatal.If(t, err)
	defer web.Close()
	for head, link := range map[string]string{
		"GET / HTTP/1.1\r\nHost: " +
			web.Address(): `href="` + web.Seeds(false)[0] + `"`,
		"GET http://start.test/ HTTP/1.1\r\nHost: start.test":                                                                      `href="http://disallow.test/"`,
		"GET / HTTP/1.1\r\nHost: START.test:80":                                                                                    `href="http://disallow.test:80/"`,
		"GET http://disallow.test/?a HTTP/1.1\r\nHost: disallow.test":                                                              `href="/private/page"`,
		"GET http://disallow.test HTTP/1.1\r\nHost: disallow.test":                                                                 `href="/private/page"`,
		"GET http://example.com/ HTTP/1.1\r\nHost: example.com":                                                                    "403 Forbidden",
		"CONNECT example.com:443 HTTP/1.1\r\nHost: example.com:443":                                                                "501 Not Implemented",
		"GET http://own-group.test/robots.txt HTTP/1.1\r\nHost: own-group.test\r\nUser-Agent: SomeBot/2.0 (+https://example.com/)": "User-agent: SomeBot\n",
	} {
		if answer := ask(t, web, head); !strings.Contains(answer, link) {
			t.Errorf("%q has the answer\n%s\nwithout %q", head, answer, link)
		}
	}
	answer, err := http.Get(web.Seeds(false)[0])
	fatal.If(t, err)
	answer.Body.Close()
	if answer.StatusCode != http.StatusOK {
		t.Errorf("the port of an exercise answers %s", answer.Status)
	}
}

// TestTokenOf finds the product tokens of robots and of programs, and none in the headers of
// browsers.
func TestTokenOf(t *testing.T) {
	tests := []struct{ header, want string }{
		{"ModelBot/1.0 (+https://example.com/bot)", "ModelBot"},
		{"Mozilla/5.0 (compatible; ModelBot/1.0; +https://example.com/bot)", "ModelBot"},
		{"Lynx/2.9.0dev.12 libwww-FM/2.14 SSL-MM/1.4.1 GNUTLS/3.7.8", "Lynx"},
		{"Lynx/2.9.0dev.12 (+https://example.org/robot)", "Lynx"},
		{"Unheard-of/1.0", "Unheard-of"},
		{"Wget/1.21.3", "wget"},
		{"Ruby", "Ruby"},
		{"Mozilla/5.0 (X11; Linux x86_64; rv:130.0) Gecko/20100101 Firefox/130.0", ""},
		{"Opera/9.80 (X11; Linux x86_64) Presto/2.12.388 Version/12.16", ""},
		{"", ""},
	}
	for _, test := range tests {
		if got := tokenOf(test.header); got != test.want {
			t.Errorf("%q: got %q, want %q", test.header, got, test.want)
		}
	}
}
