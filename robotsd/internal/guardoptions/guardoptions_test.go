package guardoptions

import (
	"slices"
	"strings"
	"testing"
)

// TestSignedHosts checks for which hosts signatures count, and what the owner of a site reads about
// it.
func TestSignedHosts(t *testing.T) {
	for _, test := range []struct {
		hosts    []string
		upstream string
		want     string
		more     bool
		doubt    string
	}{
		{nil, "", "", true, "do not count"},
		{nil, "http://127.0.0.1:8080", "", true, "do not count"},
		{nil, "http://[::1]:8080", "", true, "do not count"},
		{nil, "http://localhost:8080", "", true, "do not count"},
		{nil, "http://app:8080", "", true, "do not count"},
		{nil, "https://shop.example", "shop.example", true, "count for shop.example only, the name of the upstream"},
		{nil, "http://shop.example:8080", "shop.example:8080", true, "count for shop.example:8080 only"},
		{[]string{"a.example", "b.example"}, "http://shop.example", "a.example b.example", false, ""},
	} {
		o := Identity{Verify: true, Hosts: test.hosts, Upstream: test.upstream}
		ids, err := o.Identities()
		if err != nil {
			t.Fatal(err)
		}
		if got := strings.Join(ids.Hosts, " "); got != test.want || ids.MoreHosts != test.more {
			t.Errorf("%q, %q: got the hosts %q, more %v", test.hosts, test.upstream, got, ids.MoreHosts)
		}
		if got := o.Doubt("--host"); !strings.Contains(got, test.doubt) || (got == "") != (test.doubt == "") ||
			got != "" && !strings.HasSuffix(got, " with --host") {
			t.Errorf("%q, %q: got %q, want %q", test.hosts, test.upstream, got, test.doubt)
		}
		ids.Close()
		if got := (Identity{Ranges: "folder", Upstream: test.upstream}).Doubt("--host"); got != "" {
			t.Errorf("without verify: got %q", got)
		}
	}
}

// TestCheckHost checks that hosts are refused that no Host field has: every signature would be
// forged.
func TestCheckHost(t *testing.T) {
	good := []string{"shop.example", "shop.example:8443", "localhost", "127.0.0.1:8000", "[::1]:8000", "[::1]"}
	for _, host := range append(slices.Clone(good), "", ":8000", "https://shop.example", "shop.example/",
		"shop.example:443", "shop.example:80", "shop.example:", "user@shop.example", "shop.example?x", "shop example",
		"shop.example:x", "::1", "shop.example\n") {
		if err := CheckHost(host); (err == nil) != slices.Contains(good, host) {
			t.Errorf("%q: got %v", host, err)
		}
	}
}
