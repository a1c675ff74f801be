package rdap_test

import (
	"compress/gzip"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/netip"
	"slices"
	"strings"
	"testing"

	"github.com/robotsexclusion/robots/fetch"
)

// TestOddEntities reads entities that are not as RFC 9083 and RFC 7095 have them. What can be read
// is; the rest spoils nothing.
func TestOddEntities(t *testing.T) {
	card := func(properties string) string {
		return `{"roles":["abuse"],"vcardArray":["vcard",[` + properties + `]]}`
	}
	nested := strings.Repeat(`{"entities":[`, 5) + card(`["email",{},"text","deep@example.net"]`) + strings.Repeat(`]}`,
		5)
	for _, test := range []struct{ entities, want string }{
		{`null`, ""},
		{`{"roles":["abuse"]}`, ""},
		{`7`, ""},
		{`[null,7,"x",[],` + card(`["email",{},"text","a@example.net"]`) + `]`, "a@example.net"},
		{`[{"roles":"abuse","vcardArray":["vcard",[["email",{},"text","a@example.net"]]]}]`, "a@example.net"},
		{`[{"roles":[7,null,"Abuse"],"vcardArray":["vcard",[["email",{},"text","a@example.net"]]],"entities":null}]`,
			"a@example.net"},
		{`[{"roles":["abuse"],"vcardArray":null},{"roles":["abuse"],"vcardArray":[]},{"roles":["abuse"],"vcardArray":["vcard",{}]}]`, ""},
		{`[` +
			card(`null,7,[],["email"],["email",{},"text"],["email",{},"text",7],["email",null,"text","a@example.net"],["EMAIL",[],"text","b@example.net"]`) + `]`, "a@example.net b@example.net"},
		{`[` + card(`["email",{},"text","a@example.net","b@example.net"],["email",{},"text",["c@example.net"]]`) + `]`,
			"a@example.net b@example.net c@example.net"},
		{`[` +
			card(`["email",{},"uri","mailto:a@example.net"],["email",{},"uri","mailto:b@example.net?bcc=c@example.net"]`) + `]`, "a@example.net"},
		{`[` +
			card(`["email",{"pref":"2"},"text","c@example.net"],["email",{},"text","d@example.net"],["email",{"pref":1},"text","b@example.net"]`) + `]`, "b@example.net c@example.net d@example.net"},
		{`[` + card(`["email",{"type":["work","abuse"]},"text","a@example.net"],["email",{},"text","b@example.net"]`) +
			`]`, "a@example.net"},
		{`[` +
			card(`["email",{},"text","\u001b[31ma@example.net"],["email",{},"text","a@example.net\nBcc: b@example.net"],["email",{},"text","<a@example.net>"],["email",{},"text",""]`) + `]`, ""},
		{`[` + card(strings.Repeat(`["email",{},"text","a@example.net"],`, 3)+
			`["email",{},"text","b@example.net"],["email",{},"text","c@example.net"],["email",{},"text","d@example.net"]`) + `]`, "a@example.net b@example.net c@example.net"},
		{`[` + nested + `]`, ""}, // deeper than any registry nests
		{strings.Repeat("[", 20000) + strings.Repeat("]", 20000), "error"},
	} {
		client, _ := serve(t, func(w http.ResponseWriter, r *http.Request) bool {
			if strings.HasPrefix(r.URL.Path, "/r/") {
				io.WriteString(w,
					`{"handle":7,"name":["x"],"startAddress":"198.018.000.000","endAddress":"198.018.000.255","entities":`+test.entities+`}`)
				return true
			}
			return false
		})
		found, err := client.Networks(context.Background(), addresses("198.18.0.7"))
		switch {
		case test.want == "error" && err != nil:
		case err != nil || len(found) != 1:
			t.Errorf("%.200s: got %v, %v", test.entities, found, err)
		case strings.Join(found[0].Abuse, " ") != test.want || found[0].Name != "" ||
			found[0].Last.String() != "198.18.0.255":
			t.Errorf("%.200s: got %+v, want %q", test.entities, found[0], test.want)
		}
	}
}

// TestGreedyNetwork answers with a network of all addresses: it says nothing about addresses of
// another registry's block.
func TestGreedyNetwork(t *testing.T) {
	client, requests := serve(t, func(w http.ResponseWriter, r *http.Request) bool {
		if r.URL.Path != "/r/ip/198.18.0.1" {
			return false
		}
		fmt.Fprintf(w, network, "0.0.0.0", "255.255.255.255")
		return true
	})
	found, err := client.Networks(context.Background(), addresses("198.18.0.1", "198.18.0.2", "199.0.0.1"))
	if len(found) != 1 || err == nil || !strings.Contains(err.Error(), "199.0.0.1") || requests.Load() != 3 {
		t.Errorf("got %v, %v with %d requests: want an error for 199.0.0.1, of which the other registry knows nothing",
			found, err, requests.Load())
	}
}

// TestMappedAndPrivate looks up an IPv4 address in the form of IPv6, and leaves out addresses of
// private networks: they use up no lookup.
func TestMappedAndPrivate(t *testing.T) {
	client, requests := serve(t, nil)
	asked := slices.Repeat([]string{"10.0.0.1", "192.168.7.7", "fe80::1", "::1"}, 4)
	found, err := client.Networks(context.Background(),
		addresses(append(asked, "::ffff:198.51.100.7", "198.51.100.8")...))
	if len(found) != 1 || found[0].First.String() != "198.51.100.0" || requests.Load() != 3 {
		t.Errorf("got %v with %d requests, %v", found, requests.Load(), err)
	}
}

// TestServerIsDown asks no server again that failed, also if another server redirects there.
func TestServerIsDown(t *testing.T) {
	for name, fail := range map[string]func(w http.ResponseWriter){
		"429": func(w http.ResponseWriter) { w.WriteHeader(http.StatusTooManyRequests) },
		"503": func(w http.ResponseWriter) { w.WriteHeader(http.StatusServiceUnavailable) },
		"cut": func(http.ResponseWriter) { panic(http.ErrAbortHandler) },
		"half an answer": func(w http.ResponseWriter) {
			w.Header().Set("Content-Length", "1000")
			io.WriteString(w, "{")
		},
	} {
		t.Run(name, func(t *testing.T) {
			client, requests := serve(t, func(w http.ResponseWriter, r *http.Request) bool {
				if strings.HasPrefix(r.URL.Path, "/r/") {
					fail(w)
					return true
				}
				return false
			})
			found, err := client.Networks(context.Background(), addresses("198.18.0.1", "198.18.1.1", "198.18.2.1"))
			// a cut request may be sent twice
			if found != nil || err == nil || strings.Count(err.Error(), "is not asked again") != 2 ||
				requests.Load() > 3 {
				t.Errorf("got %v, %v with %d requests", found, err, requests.Load())
			}
		})
	}
}

// TestRedirectToPrivateAddress follows a redirect only to addresses that the filter allows.
func TestRedirectToPrivateAddress(t *testing.T) {
	client, requests := serve(t, func(w http.ResponseWriter, r *http.Request) bool {
		if !strings.HasPrefix(r.URL.Path, "/r/") {
			return false
		}
		_, port, _ := net.SplitHostPort(r.Host)
		http.Redirect(w, r, "https://127.0.0.2:"+port+r.URL.Path, http.StatusFound)
		return true
	})
	filtered := fetch.DialFilter{Allow: []netip.Prefix{netip.MustParsePrefix("127.0.0.1/32")}}.Transport()
	defer filtered.CloseIdleConnections()
	filtered.TLSClientConfig = client.Transport.(*http.Transport).TLSClientConfig
	client.Transport = filtered
	_, err := client.Networks(context.Background(), addresses("198.51.100.7"))
	if err == nil || !strings.Contains(err.Error(), "refused to connect") || requests.Load() != 2 {
		t.Errorf("%d requests, error %v", requests.Load(), err)
	}
}

// TestCompressedAnswer limits an answer by its size when unpacked.
func TestCompressedAnswer(t *testing.T) {
	client, _ := serve(t, func(w http.ResponseWriter, r *http.Request) bool {
		if !strings.HasPrefix(r.URL.Path, "/r/") {
			return false
		}
		w.Header().Set("Content-Encoding", "gzip")
		zip := gzip.NewWriter(w)
		io.WriteString(zip, strings.Repeat(" ", 16<<20))
		zip.Close()
		return true
	})
	if _, err := client.Networks(context.Background(), addresses("198.51.100.7")); err == nil ||
		!strings.Contains(err.Error(), "larger than") {
		t.Errorf("got the error %v", err)
	}
}

// TestStopped ends when the context does, also while a server is silent, and says how many
// addresses are left.
func TestStopped(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	client, _ := serve(t, func(w http.ResponseWriter, r *http.Request) bool {
		if !strings.HasPrefix(r.URL.Path, "/r/") {
			return false
		}
		cancel()
		<-r.Context().Done()
		return true
	})
	_, err := client.Networks(ctx, addresses("198.51.100.7", "198.18.0.1", "198.18.1.1"))
	if err == nil || !strings.Contains(err.Error(), "2 addresses were not looked up, because the lookup was stopped") {
		t.Errorf("got the error %v", err)
	}
}
