package server

import (
	"encoding/json"
	"net/http"
	"slices"
	"strings"
	"testing"
)

// TestDocument checks that the OpenAPI document has every route, parameter and problem, and that
// each part is described. The module oracle validates the document, and real answers against it.
func TestDocument(t *testing.T) {
	s := New(Config{MaxBody: 12345})
	w := get(s, "/openapi.json")
	var document struct {
		OpenAPI string
		Info    struct{ Description string }
		Paths   map[string]map[string]struct {
			Summary     string
			Parameters  []struct{ Name, Description string }
			RequestBody any
			Responses   map[string]struct{ Description string }
		}
		Components struct {
			Schemas map[string]struct {
				Properties map[string]struct{ Description string }
			}
		}
	}
	if err := json.Unmarshal(w.Body.Bytes(), &document); err != nil || w.Code != http.StatusOK {
		t.Fatalf("%d %v", w.Code, err)
	}
	if document.OpenAPI != "3.1.0" || !strings.Contains(document.Info.Description, "12345 bytes") {
		t.Errorf("%s: %s", document.OpenAPI, document.Info.Description)
	}
	operations := 0
	for path, methods := range document.Paths {
		for method, o := range methods {
			operations++
			if !slices.ContainsFunc(s.routes[path], func(b *boundRoute) bool { return strings.EqualFold(b.method, method) }) {
				t.Errorf("the document has %s %s, and the service does not", method, path)
			}
			if o.Summary == "" || (o.RequestBody != nil) != (method == "post") || o.Responses["200"].Description == "" {
				t.Errorf("%s %s: %+v", method, path, o)
			}
		}
	}
	routes := 0
	for path, same := range s.routes {
		routes += len(same)
		for _, b := range same {
			o := document.Paths[path][strings.ToLower(b.method)]
			var names []string
			for _, p := range o.Parameters {
				names = append(names, p.Name)
				if p.Description == "" {
					t.Errorf("%s: the parameter %s has no description", path, p.Name)
				}
			}
			if got := strings.Join(names, ", "); got != b.names() && b.names() != "none" {
				t.Errorf("%s: the document has the parameters %s, want %s", path, got, b.names())
			}
			for _, k := range b.problems {
				text := ""
				for _, response := range o.Responses {
					text += response.Description + "; "
				}
				if !strings.Contains(text, k.name+": ") {
					t.Errorf("%s: the document does not have the problem %s", path, k.name)
				}
			}
		}
	}
	if operations != routes {
		t.Errorf("the document has %d operations, and the service %d", operations, routes)
	}
	for name, schema := range document.Components.Schemas {
		for property, p := range schema.Properties {
			if p.Description == "" {
				t.Errorf("%s.%s has no description", name, property)
			}
		}
	}
}
