package server

import (
	"encoding/base64"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/robotsexclusion/robots/fetch"
	"github.com/robotsexclusion/robots/internal/test/fatal"
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
			Responses   map[string]struct {
				Description string
				Headers     map[string]any
			}
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
			if !slices.ContainsFunc(s.routes[path],
				func(b *boundRoute) bool { return strings.EqualFold(b.method, method) }) {
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
				if h, ok := problemHeaders[k.status]; ok && o.Responses[strconv.Itoa(k.status)].Headers[h.name] == nil {
					t.Errorf("%s: the document does not have the header %s of the problem %s", path, h.name, k.name)
				}
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

// A schema is a part of the OpenAPI document, as far as it has limits.
type schema struct {
	MaxItems, MaxLength int
	Items               *schema
	Properties          map[string]schema
}

// TestDocumentedLimits gives each parameter and member as much as the document says, and then more:
// the service must accept the first and refuse the second.
func TestDocumentedLimits(t *testing.T) {
	s := New(Config{Client: &fetch.Client{Transport: oneText("")}})
	var document struct {
		Paths map[string]map[string]struct {
			Parameters []struct {
				Name   string
				Schema schema
			}
		}
		Components struct{ Schemas map[string]schema }
	}
	fatal.If(t, json.Unmarshal(get(s, "/openapi.json").Body.Bytes(), &document))
	limits := 0
	check := func(what string, limit int, ask func(n int) *httptest.ResponseRecorder) {
		limits++
		if limit == 0 {
			t.Errorf("%s: the document has no limit", what)
			return
		}
		if w := ask(limit); w.Code != http.StatusOK {
			t.Errorf("%s: %d: %d %s", what, limit, w.Code, w.Body)
		}
		if w := ask(limit + 1); w.Code < 400 || w.Code >= 500 {
			t.Errorf("%s: %d: %d %s", what, limit+1, w.Code, w.Body)
		}
	}
	for _, p := range document.Paths["/v1/match"]["get"].Parameters {
		switch p.Name {
		case "url":
			check("url", p.Schema.MaxLength, func(n int) *httptest.ResponseRecorder {
				const start = "https://a.example/"
				return get(s, matchOf(start+strings.Repeat("a", n-len(start))))
			})
		case "agent":
			check("agent", p.Schema.Items.MaxLength, func(n int) *httptest.ResponseRecorder {
				return get(s, matchOf("https://a.example/", strings.Repeat("a", n)))
			})
			check("agents", p.Schema.MaxItems, func(n int) *httptest.ResponseRecorder {
				return get(s, "/v1/match?"+url.Values{"url": {"https://a.example/"},
					"agent": slices.Repeat([]string{"a"}, n)}.Encode())
			})
		}
	}
	text := func(n int) string { return `"` + strings.Repeat("#", n) + `"` }
	for _, m := range []struct{ route, schema, member, others string }{
		{"lint", "LintQuestion", "robots", ""},
		{"report", "ReportQuestion", "robots", ""},
		{"diff", "DiffQuestion", "before", `,"after":""`},
		{"diff", "DiffQuestion", "after", `,"before":""`},
		{"prove", "ProveQuestion", "robots", `,"claims":"* may fetch /"`},
		{"minimize", "MinimizeQuestion", "robots", ""},
	} {
		members := document.Components.Schemas[m.schema].Properties
		check(m.schema+"."+m.member, members[m.member].MaxLength, func(n int) *httptest.ResponseRecorder {
			return post(s, "/v1/"+m.route, strings.NewReader(`{"`+m.member+`":`+text(n)+m.others+`}`))
		})
		check(m.schema+"."+m.member+"_base64", members[m.member+"_base64"].MaxLength,
			func(n int) *httptest.ResponseRecorder {
				encoded := base64.StdEncoding.EncodeToString([]byte(strings.Repeat("#", n/4*3-1+n%4)))
				return post(s, "/v1/"+m.route, strings.NewReader(`{"`+m.member+`_base64":"`+encoded+`"`+m.others+`}`))
			})
	}
	check("DiffQuestion.agents", document.Components.Schemas["DiffQuestion"].Properties["agents"].MaxItems,
		func(n int) *httptest.ResponseRecorder {
			return post(s, "/v1/diff", strings.NewReader(`{"before":"","after":"","agents":["*"`+
				strings.Repeat(`,"*"`, n-1)+`]}`))
		})
	check("ProveQuestion.claims", 1000, func(n int) *httptest.ResponseRecorder {
		return post(s, "/v1/prove", strings.NewReader(`{"robots":"","claims":"`+strings.Repeat(`* may fetch /\n`, n)+
			`"}`))
	})
	if limits != 17 {
		t.Errorf("%d limits were tried, want 17", limits)
	}
}
