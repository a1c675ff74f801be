package rdap_test

import (
	"context"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// documents are the files in testdata: the example of RFC 9083, section 5.4, and networks of our
// own in the shape of what each registry publishes.
var documents = []struct {
	file, address string
	first, name   string
	abuse         []string
}{
	{"rfc9083", "2001:db8::7", "2001:db8::", "NET-RTR-1", nil}, // its only entity is the registrant
	{"arin", "198.51.100.7", "198.51.100.0", "EXAMPLE-NET", []string{"abuse@example.net"}},
	// and not the office of the same role
	{"ripe", "198.51.100.150", "198.51.100.128", "DE-EXAMPLE", []string{"abuse@example.com"}},
	{"apnic", "2001:db8:100::7", "2001:db8:100::", "EXAMPLE-AP", []string{"irt@example.org", "helpdesk@example.org"}},
	{"lacnic", "203.0.113.7", "203.0.113.0", "203.0.113.0/25", []string{"abuso@example.edu"}}, // has no name
	{"afrinic", "203.0.113.200", "203.0.113.128", "EXAMPLE-ZA", nil},                          // names nobody for abuse
}

// documentBoot has a registry for all addresses of documents.
const documentBoot = `{"services":[[["198.51.100.0/24","203.0.113.0/24","2001:db8::/32"],["https://%s/r/"]]]}`

// TestDocuments reads the documents, all with one call.
func TestDocuments(t *testing.T) {
	client, _ := serve(t, func(w http.ResponseWriter, r *http.Request) bool {
		if strings.HasPrefix(r.URL.Path, "/boot/") {
			fmt.Fprintf(w, documentBoot, r.Host)
			return true
		}
		for _, d := range documents {
			if r.URL.Path == "/r/ip/"+d.address {
				w.Header().Set("Content-Type", "application/rdap+json")
				http.ServeFile(w, r, filepath.Join("testdata", d.file+".json"))
				return true
			}
		}
		return false
	})
	var asked []string
	for _, d := range documents {
		asked = append(asked, d.address)
	}
	found, err := client.Networks(context.Background(), addresses(asked...))
	if err != nil || len(found) != len(documents) {
		t.Fatalf("got %v, %v", found, err)
	}
	for i, d := range documents {
		n := found[i]
		if n.First.String() != d.first || n.Name != d.name || !slices.Equal(n.Abuse, d.abuse) {
			t.Errorf("%s: got %+v, want %s, %q and %q", d.file, n, d.first, d.name, d.abuse)
		}
	}
	if files, err := os.ReadDir("testdata"); err != nil || len(files) != len(documents) {
		t.Errorf("testdata has %d files, and %d are tested: %v", len(files), len(documents), err)
	}
}
