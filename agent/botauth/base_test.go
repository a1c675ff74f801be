package botauth

import (
	"bufio"
	"crypto/ed25519"
	"encoding/base64"
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/robotsexclusion/robots/internal/sfv"
	"github.com/robotsexclusion/robots/internal/test/fatal"
)

// rfcKey is the Ed25519 key that RFC 9421 prints in appendix B.1.4.
var rfcKey = ed25519.NewKeyFromSeed(mustDecode("n4Ni-HpISpVObnQMW0wOhCKROaIKqKtW_2ZYb2p9KcU"))

func mustDecode(text string) []byte {
	data, err := base64.RawURLEncoding.DecodeString(text)
	if err != nil {
		panic(err)
	}
	return data
}

// received returns a request as a server reads it. Its lines end with LF.
func received(t testing.TB, text string) *http.Request {
	t.Helper()
	head, body, _ := strings.Cut(text, "\n\n")
	req, err := http.ReadRequest(bufio.NewReader(strings.NewReader(strings.ReplaceAll(head, "\n", "\r\n") + "\r\n\r\n" +
		body)))
	fatal.If(t, err)
	return req
}

// parsedInput returns the one member of a field Signature-Input.
func parsedInput(t testing.TB, field string) sfv.Item {
	t.Helper()
	d, err := sfv.ParseDictionary(field)
	if err != nil || len(d.Members) != 1 {
		t.Fatalf("%s: got %v, %v", field, d, err)
	}
	return d.Members[0].Item
}

// The request of RFC 9421, appendix B.2, and its signature with Ed25519 of
// section B.2.6.
func TestBaseOfRFC(t *testing.T) {
	req := received(t, `POST /foo?param=Value&Pet=dog HTTP/1.1
Host: example.com
Date: Tue, 20 Apr 2021 02:07:55 GMT
Content-Type: application/json
Content-Digest: sha-512=:WZDPaVn/7XgHaAy8pmojAkGWoRx2UFChF41A2svX+TaPm+AbwAgBWnrIiYllu7BNNyealdVLvRwEmTHWXvJwew==:
Content-Length: 18

{"hello": "world"}`)
	input := parsedInput(t,
		`sig-b26=("date" "@method" "@path" "@authority" "content-type" "content-length");created=1618884473;keyid="test-key-ed25519"`)
	got, err := newMessage(req, "https").base(input)
	fatal.If(t, err)
	want := `"date": Tue, 20 Apr 2021 02:07:55 GMT
"@method": POST
"@path": /foo
"@authority": example.com
"content-type": application/json
"content-length": 18
"@signature-params": ("date" "@method" "@path" "@authority" "content-type" "content-length");created=1618884473;keyid="test-key-ed25519"`
	if got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	signature, _ := base64.StdEncoding.DecodeString("wqcAqbmYJ2ji2glfAMaRy4gruYYnx2nEFN2HN6jrnDnQCK1u02Gb04v9EDgwUPiu4A0w6vuQv5lIp5WPpBKRCw==")
	key, err := NewKey(rfcKey.Public())
	fatal.If(t, err)
	if !key.verifies(got, signature) {
		t.Error("the signature of the RFC is not one of its key")
	}
}

// What net/http does to a request on its way must not change what is covered.
func TestComponentsOverTheWire(t *testing.T) {
	got := make(map[string]string)
	server := httptest.NewServer(http.StripPrefix("/a", http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		for _, name := range []string{"@method", "@path", "@query", "@request-target", "content-length", "host"} {
			value, err := newMessage(r, "").component(sfv.Item{Value: name})
			if err != nil {
				value = err.Error()
			}
			got[name] = value
		}
	})))
	defer server.Close()
	resp, err := http.Post(server.URL+"/a//b%2fc/../%41?x=%7e&y", "text/plain", strings.NewReader("hello"))
	fatal.If(t, err)
	resp.Body.Close()
	for name, want := range map[string]string{
		"@method":         "POST",
		"@path":           "/a//b%2fc/../%41",
		"@query":          "?x=%7e&y",
		"@request-target": "/a//b%2fc/../%41?x=%7e&y",
		"content-length":  "5",
		"host":            strings.TrimPrefix(server.URL, "http://"),
	} {
		if got[name] != want {
			t.Errorf("%s: got %q, want %q", name, got[name], want)
		}
	}
}

// The examples of RFC 9421, sections 2.1 and 2.2, and their like.
func TestComponents(t *testing.T) {
	const fields = "GET /path?param=value&foo=bar&baz=batman&qux= HTTP/1.1\n" +
		"Host: www.Example.com\n" +
		"X-OWS-Header:   Leading and trailing whitespace.\t \n" +
		"Cache-Control: max-age=60\n" +
		"Cache-Control:    must-revalidate\n" +
		"Example-Dict:  a=1,    b=2;x=1;y=2,   c=(a   b   c), d\n" +
		"Example-Header: value, with, lots\n" +
		"Example-Header: of, commas\n" +
		"X-Empty-Header: \n" +
		"Signature-Agent: sig1=\"https://bot.example.com\";type=jwks_uri\n"
	for _, test := range []struct{ request, component, want string }{
		{fields, `"host"`, "www.Example.com"},
		{fields, `"x-ows-header"`, "Leading and trailing whitespace."},
		{fields, `"cache-control"`, "max-age=60, must-revalidate"},
		{fields, `"x-empty-header"`, ""},
		{fields, `"example-dict"`, "a=1,    b=2;x=1;y=2,   c=(a   b   c), d"},
		{fields, `"example-dict";key="a"`, "1"},
		{fields, `"example-dict";key="d"`, "?1"},
		{fields, `"example-dict";key="b"`, "2;x=1;y=2"},
		{fields, `"example-dict";key="c"`, "(a b c)"},
		{fields, `"example-header";bs`, ":dmFsdWUsIHdpdGgsIGxvdHM=:, :b2YsIGNvbW1hcw==:"},
		{fields, `"signature-agent";key="sig1"`, `"https://bot.example.com";type=jwks_uri`},
		{fields, `"signature-agent";sf`, `sig1="https://bot.example.com";type=jwks_uri`},
		{fields, `"signature-agent";sf;key="sig1"`, `"https://bot.example.com";type=jwks_uri`},
		{fields, `"@method"`, "GET"},
		{fields, `"@authority"`, "www.example.com"},
		{fields, `"@scheme"`, "https"},
		{fields, `"@target-uri"`, "https://www.Example.com/path?param=value&foo=bar&baz=batman&qux="},
		{fields, `"@request-target"`, "/path?param=value&foo=bar&baz=batman&qux="},
		{fields, `"@path"`, "/path"},
		{fields, `"@query"`, "?param=value&foo=bar&baz=batman&qux="},
		{fields, `"@query-param";name="baz"`, "batman"},
		{fields, `"@query-param";name="qux"`, ""},
		{fields, `"@query-param";name="param"`, "value"},

		{"GET /path HTTP/1.1\nHost: example.com:443\n", `"@authority"`, "example.com"},
		{"GET /path HTTP/1.1\nHost: example.com:80\n", `"@authority"`, "example.com:80"},
		{"GET /path HTTP/1.1\nHost: [2001:DB8::1]:443\n", `"@authority"`, "[2001:db8::1]"},
		{"GET /path HTTP/1.1\nHost: example.com\n", `"@query"`, "?"},
		{"GET /path? HTTP/1.1\nHost: example.com\n", `"@query"`, "?"},
		{"GET /path? HTTP/1.1\nHost: example.com\n", `"@target-uri"`, "https://example.com/path?"},
		{"GET /?a=b?c HTTP/1.1\nHost: example.com\n", `"@query"`, "?a=b?c"},
		{"GET /r?to=http://other.example/ HTTP/1.1\nHost: example.com\n", `"@path"`, "/r"},
		{"GET https://example.com HTTP/1.1\nHost: example.com\n", `"@path"`, "/"},
		{"GET https://example.com?x HTTP/1.1\nHost: example.com\n", `"@query"`, "?x"},
		{"GET https://example.com/a?x HTTP/1.1\nHost: other.example\n", `"@target-uri"`, "https://example.com/a?x"},
		{"GET https://example.com/a?x HTTP/1.1\nHost: other.example\n", `"@authority"`, "example.com"},

		{"GET /parameters?var=this%20is%20a%20big%0Amultiline%20value&bar=with+plus+whitespace&fa%C3%A7ade%22%3A%20=something HTTP/1.1\nHost: www.example.com\n",
			`"@query-param";name="var"`, "this%20is%20a%20big%0Amultiline%20value"},
		{"GET /parameters?bar=with+plus+whitespace HTTP/1.1\nHost: www.example.com\n", `"@query-param";name="bar"`,
			"with%20plus%20whitespace"},
		{"GET /parameters?fa%C3%A7ade%22%3A%20=something HTTP/1.1\nHost: www.example.com\n",
			`"@query-param";name="fa%C3%A7ade%22%3A%20"`, "something"},
		{"GET /?a=%zz&b=%e HTTP/1.1\nHost: www.example.com\n", `"@query-param";name="a"`, "%25zz"},
		{"GET /?&&a=1&b HTTP/1.1\nHost: www.example.com\n", `"@query-param";name="b"`, ""},
	} {
		component, err := sfv.ParseItem(test.component)
		fatal.If(t, err)
		got, err := newMessage(received(t, test.request), "https").component(component)
		if err != nil || got != test.want {
			t.Errorf("%s: got %q, %v, want %q", test.component, got, err, test.want)
		}
	}
}

// What cannot be found is an error, and what we cannot do another.
func TestComponentErrors(t *testing.T) {
	const request = "GET /?a=1&a=2&%61=3&b=%ff HTTP/1.1\nHost: example.com\nX-Dict: a=1\nX-Bad: (\nX-Bytes: \xff\nTransfer-Encoding: chunked\nX-Long: a="
	long := request + strings.Repeat("1", sfv.MaxField) + "\n"
	for _, test := range []struct {
		component   string
		unsupported bool
	}{
		{`"x-missing"`, false},
		{`"x-dict";key="b"`, false},
		{`"x-bad";key="a"`, false},
		{`"x-long";key="a"`, true},
		{`"x-dict";key=b`, false},
		{`"x-dict";key`, false},
		{`"x-dict";sf`, true},
		{`"x-dict";sf=1`, false},
		{`"x-dict";bs;sf`, false},
		{`"x-dict";bs;key="a"`, false},
		{`"x-dict";req`, false},
		{`"x-dict";tr`, true},
		{`"x-dict";name="a"`, false},
		{`"x-dict";later`, true},
		{`"X-Dict"`, false},
		{`"x dict"`, false},
		{`""`, false},
		{`x-dict`, false},
		{`1`, false},
		{`"transfer-encoding"`, true},
		{`"@status"`, false},
		{`"@method";key="a"`, false},
		{`"@method";req`, false},
		{`"@later"`, true},
		{`"@signature-params"`, true},
		{`"@query-param"`, false},
		{`"@query-param";name=a`, false},
		{`"@query-param";name="a"`, false}, // more than one
		{`"@query-param";name="b"`, true},  // not UTF-8
		{`"@query-param";name="c"`, false},
		{`"@query-param";name="d";sf`, false},
	} {
		component, err := sfv.ParseItem(test.component)
		fatal.If(t, err)
		got, err := newMessage(received(t, long), "https").component(component)
		if err == nil || errors.Is(err, errUnsupported) != test.unsupported {
			t.Errorf("%s: got %q, %v, want an error that is unsupported: %t", test.component, got, err,
				test.unsupported)
		}
	}

	m := newMessage(received(t, "OPTIONS * HTTP/1.1\nHost: example.com\n"), "https")
	for _, name := range []string{"@path", "@query", "@target-uri"} {
		if got, err := m.component(sfv.Item{Value: name}); err == nil {
			t.Errorf("%s of *: got %q, want an error", name, got)
		}
	}
}

func TestBaseErrors(t *testing.T) {
	req := received(t, "GET / HTTP/1.1\nHost: example.com\nX-Bytes: \xff\nX-Tab: a\tb\nX-Long: "+
		strings.Repeat("x", maxBase)+"\n")
	for field, unsupported := range map[string]bool{
		`a=("@method" "@method")`:                         false,
		`a=("x-tab";bs "x-tab";bs)`:                       false,
		`a=("x-bytes")`:                                   false,
		`a=("x-long")`:                                    true,
		`a=("@method" "x-long";bs)`:                       true,
		`a=("@method" "x-missing")`:                       false,
		`a=("@query-param";name="a" "@authority";key="")`: false,
	} {
		if got, err := newMessage(req, "").base(parsedInput(t, field)); err == nil ||
			errors.Is(err, errUnsupported) != unsupported {
			t.Errorf("%s: got %q, %v", field, got, err)
		}
	}
	// Another parameter makes another component.
	if _, err := newMessage(req, "").base(parsedInput(t, `a=("x-tab" "x-tab";bs "x-bytes";bs)`)); err != nil {
		t.Error(err)
	}
	// A line break would let a field speak for another one.
	req.Header.Set("X-Break", "a\n\"@method\": POST")
	if got, err := newMessage(req, "").base(parsedInput(t, `a=("x-break")`)); err == nil {
		t.Errorf("got %q, want an error", got)
	}
}

// A request that was made here has no request target yet.
func TestComponentsOfClient(t *testing.T) {
	req, err := http.NewRequest("", "HTTPS://Example.com:443?x#fragment", nil)
	fatal.If(t, err)
	for name, want := range map[string]string{
		"@method": "GET", "@authority": "example.com", "@path": "/", "@query": "?x", "@scheme": "https",
		"@target-uri": "https://Example.com:443/?x", "host": "Example.com:443",
	} {
		if got, err := newMessage(req, "").component(sfv.Item{Value: name}); err != nil || got != want {
			t.Errorf("%s: got %q, %v, want %q", name, got, err, want)
		}
	}
	bare := &http.Request{}
	for _, name := range []string{"@authority", "@path", "@target-uri", "host", "date"} {
		newMessage(bare, "").component(sfv.Item{Value: name}) // does not panic
	}
}
