package oracle_test

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"net/url"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	openrdap "github.com/openrdap/rdap"
	"github.com/openrdap/rdap/bootstrap"
	"github.com/robotsexclusion/robots/internal/rdap"
	"github.com/robotsexclusion/robots/internal/test/fatal"
)

// TestRDAP has OpenRDAP and our client ask one server for the documents of internal/rdap, by way of
// the bootstrap files. Both find the same networks, and the same mailboxes for abuse.
func TestRDAP(t *testing.T) {
	files, err := filepath.Glob("../internal/rdap/testdata/*.json")
	if err != nil || len(files) < 6 {
		t.Fatalf("the documents of internal/rdap are missing: %v, %v", files, err)
	}
	asked := map[string]string{
		"rfc9083.json": "2001:db8::7", "arin.json": "198.51.100.7", "ripe.json": "198.51.100.150",
		"apnic.json": "2001:db8:100::7", "lacnic.json": "203.0.113.7", "afrinic.json": "203.0.113.200",
	}
	documents := make(map[string]string) // by path
	for _, file := range files {
		documents["/r/ip/"+asked[filepath.Base(file)]] = file
	}
	server := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch file := documents[r.URL.Path]; {
		case r.URL.Path == "/boot/ipv4.json":
			fmt.Fprintf(w,
				`{"services":[[["198.51.0.0/16","203.0.113.0/24"],["https://%[1]s/r/"]],[["198.0.0.0/8"],["https://%[1]s/wrong/"]]]}`, r.Host)
		case r.URL.Path == "/boot/ipv6.json":
			fmt.Fprintf(w,
				`{"services":[[["2001::/16"],["https://%[1]s/wrong/"]],[["2001:db8::/32"],["https://%[1]s/r"]]]}`,
				r.Host)
		case file != "":
			w.Header().Set("Content-Type", "application/rdap+json")
			http.ServeFile(w, r, file)
		default:
			http.NotFound(w, r)
		}
	}))
	defer server.Close()
	roots := x509.NewCertPool()
	roots.AddCert(server.Certificate())
	transport := &http.Transport{TLSClientConfig: &tls.Config{RootCAs: roots}}
	defer transport.CloseIdleConnections()
	boot, err := url.Parse(server.URL + "/boot/")
	fatal.If(t, err)
	web := &http.Client{Transport: transport}
	theirs := &openrdap.Client{HTTP: web, Bootstrap: &bootstrap.Client{HTTP: web, BaseURL: boot}}
	ours := &rdap.Client{Transport: transport, Bootstrap: boot.String()}
	for name, address := range asked {
		found, err := ours.Networks(context.Background(), []netip.Addr{netip.MustParseAddr(address)})
		if err != nil || len(found) != 1 {
			t.Errorf("%s: we find %v, %v", name, found, err)
			continue
		}
		network, err := theirs.QueryIP(address)
		if err != nil {
			t.Errorf("%s: OpenRDAP: %v", name, err)
			continue
		}
		n := found[0]
		if want := network.Name; n.First.String() != network.StartAddress || n.Last.String() != network.EndAddress ||
			want != "" && n.Name != want {
			t.Errorf("%s: we find %s – %s %q, OpenRDAP %s – %s %q", name, n.First, n.Last, n.Name, network.StartAddress,
				network.EndAddress, want)
		}
		if got, want := sorted(n.Abuse), sorted(abuseOf(network.Entities)); !slices.Equal(got, want) {
			t.Errorf("%s: we find %q for abuse, OpenRDAP %q", name, got, want)
		}
	}
}

// abuseOf returns the mailboxes of the role abuse as OpenRDAP reads cards. It does not choose among
// mailboxes, so the choice of those that are marked for abuse is made here.
func abuseOf(entities []openrdap.Entity) (mails []string) {
	for _, e := range entities {
		mails = append(mails, abuseOf(e.Entities)...)
		if e.VCard == nil || !slices.Contains(e.Roles, "abuse") {
			continue
		}
		list := e.VCard.Get("email")
		marked := func(p *openrdap.VCardProperty) bool { return slices.Contains(p.Parameters["type"], "abuse") }
		for _, p := range list {
			if marked(p) || !slices.ContainsFunc(list, marked) {
				mails = append(mails, p.Values()...)
			}
		}
	}
	return mails
}

// sorted returns the different texts of a list, in order.
func sorted(list []string) []string {
	list = slices.Clone(list)
	slices.SortFunc(list, strings.Compare)
	return slices.Compact(list)
}
