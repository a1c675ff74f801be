package fetch_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"os"
	"strings"
	"sync"
	"time"

	"github.com/robotsexclusion/robots"
	"github.com/robotsexclusion/robots/fetch"
)

// shop is a site for the examples, so that they need no other server.
func shop() *httptest.Server {
	mux := http.NewServeMux()
	mux.HandleFunc("/robots.txt", func(w http.ResponseWriter, r *http.Request) {
		fmt.Fprint(w, "User-agent: *\nDisallow: /search\n")
	})
	return httptest.NewServer(mux)
}

func Example() {
	site := shop()
	defer site.Close()

	client := &fetch.Client{
		UserAgent:  "ExampleBot/1.0 (+https://example.com/bot)",
		DialFilter: fetch.DialFilter{AllowPrivate: true}, // the site is on this machine
	}
	r, err := client.Policy(context.Background(), site.URL+"/search?q=shoes")
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(r.State, r.Status, r.Source)
	fmt.Println(r.Policy.For("ExampleBot").Match("/search?q=shoes"))
	// Output:
	// ok 200 fetched
	// disallowed by line 2: Disallow: /search
}

// Failures are results too: they say how robots must behave.
func ExampleClient_Policy() {
	client := new(fetch.Client)
	client.DialFilter.AllowPrivate = true
	for _, status := range []int{404, 503} {
		site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			w.WriteHeader(status)
		}))
		r, err := client.Policy(context.Background(), site.URL)
		fmt.Println(r.State, r.Err, err)
		fmt.Println(r.Policy.For("ExampleBot").Match("/"))
		site.Close()
	}
	// Output:
	// unavailable 404 Not Found <nil>
	// allowed: there is no robots.txt
	// unreachable 503 Service Unavailable <nil>
	// disallowed: robots.txt is unreachable
}

// A table is a Cache in a store of bytes by name, such as Redis or a table of SQL. It stores the
// JSON of each entry, and the text beside it.
type table struct{ rows sync.Map }

type row struct {
	Entry *fetch.Entry
	Text  string
}

func (t *table) Get(_ context.Context, origin string) (*fetch.Entry, error) {
	data, ok := t.rows.Load(origin)
	if !ok {
		return nil, fs.ErrNotExist
	}
	var r row
	if err := json.Unmarshal(data.([]byte), &r); err != nil {
		return nil, err
	}
	if r.Entry.File != nil {
		r.Entry.File.Policy = robots.Parse([]byte(r.Text))
	}
	return r.Entry, nil
}

func (t *table) Put(_ context.Context, e *fetch.Entry) error {
	r := row{Entry: e}
	if e.File != nil {
		r.Text = e.File.Policy.String()
	}
	data, err := json.Marshal(r)
	if err == nil {
		t.rows.Store(e.Origin, data)
	}
	return err
}

// Several machines can share fetched files by a Cache of their own.
func ExampleCache() {
	site := shop()
	defer site.Close()

	shared := new(table)
	for range 2 {
		client := &fetch.Client{Cache: shared, DialFilter: fetch.DialFilter{AllowPrivate: true}}
		r, err := client.Policy(context.Background(), site.URL)
		fmt.Println(r.Source, r.Policy.For("ExampleBot").Match("/search"), r.CacheErr, err)
	}
	// Output:
	// fetched disallowed by line 2: Disallow: /search <nil> <nil>
	// cached disallowed by line 2: Disallow: /search <nil> <nil>
}

// An http.Client with this transport obeys robots.txt, also for redirects.
func ExampleTransport() {
	site := shop()
	defer site.Close()

	client := &http.Client{Transport: &fetch.Transport{Client: &fetch.Client{
		UserAgent:  "ExampleBot/1.0 (+https://example.com/bot)",
		DialFilter: fetch.DialFilter{AllowPrivate: true}, // the site is on this machine
	}}}
	_, err := client.Get(site.URL + "/search?q=shoes")
	if refused, ok := errors.AsType[*fetch.DisallowedError](err); ok {
		fmt.Println(refused.Match)
	}
	// Output:
	// disallowed by line 2: Disallow: /search
}

// A program with an HTTP client of its own reads the answer for robots.txt.
func ExampleFromResponse() {
	site := shop()
	defer site.Close()

	answer, err := http.Get(site.URL + "/robots.txt")
	if err != nil {
		panic(err)
	}
	defer answer.Body.Close()
	policy, err := fetch.FromResponse(answer)
	fmt.Println(policy.For("ExampleBot").Match("/search"), err)
	// Output:
	// disallowed by line 2: Disallow: /search <nil>
}

// By default a client connects to public addresses only, whatever a URL, a redirect or DNS says.
func ExampleDialFilter() {
	site := shop()
	defer site.Close()

	_, err := new(fetch.Client).Policy(context.Background(), site.URL)
	fmt.Println(err)

	intranet := fetch.DialFilter{Allow: []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}}
	r, err := (&fetch.Client{DialFilter: intranet}).Policy(context.Background(), site.URL)
	fmt.Println(r.State, err)
	// Output:
	// fetch: refused to connect: 127.0.0.1: loopback (127.0.0.0/8, RFC 1122): set DialFilter.AllowPrivate, or put the range in DialFilter.Allow, if you mean to go there
	// ok <nil>
}

// A folder keeps the history of the rules in force.
func ExampleDir_At() {
	path, err := os.MkdirTemp("", "robots")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(path)
	site := shop()
	defer site.Close()

	folder := fetch.Dir(path)
	client := &fetch.Client{
		Cache:      &fetch.Memory{Behind: folder},
		DialFilter: fetch.DialFilter{AllowPrivate: true},
	}
	ctx := context.Background()
	if _, err := client.Policy(ctx, site.URL); err != nil {
		panic(err)
	}
	version, known, err := folder.At(ctx, site.URL, time.Now().Add(time.Second))
	if err != nil {
		panic(err)
	}
	fmt.Println(known, version.State, version.Size, "bytes")
	policy, err := version.Policy()
	if err != nil {
		panic(err)
	}
	fmt.Println(policy.For("ExampleBot").Allowed("/search"))
	_, known, _ = folder.At(ctx, site.URL, time.Now().Add(-time.Hour))
	fmt.Println("an hour ago:", known)
	// Output:
	// true ok 32 bytes
	// false
	// an hour ago: false
}

func ExampleOrigin() {
	for _, url := range []string{"HTTPS://user@Example.com:443/a?b", "http://bücher.example:8080/", "example.com/a"} {
		origin, err := fetch.Origin(url)
		if err != nil {
			fmt.Println(err)
			continue
		}
		fmt.Println(origin)
	}
	// Output:
	// https://example.com
	// http://xn--bcher-kva.example:8080
	// fetch: wrong URL "example.com/a": it is not absolute: write https://, the host, and the path
}

func ExampleResult_String() {
	site := shop()
	defer site.Close()
	client := &fetch.Client{DialFilter: fetch.DialFilter{AllowPrivate: true}}
	r, err := client.Policy(context.Background(), site.URL)
	if err != nil {
		panic(err)
	}
	sentence, _, _ := strings.Cut(strings.TrimPrefix(r.String(), site.URL), ", fresh until")
	fmt.Println(sentence)
	// Output:
	// /robots.txt: 200, 32 bytes
}
