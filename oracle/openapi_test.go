package oracle_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/robotsexclusion/robots/fetch"
	"github.com/robotsexclusion/robots/internal/test/fatal"
	"github.com/robotsexclusion/robots/server"
	"github.com/santhosh-tekuri/jsonschema/v6"
)

// newService returns a decision service whose origins all have one text.
func newService(text string) http.Handler {
	return server.New(server.Config{Client: &fetch.Client{Transport: answered(text)}})
}

type answered string

func (a answered) RoundTrip(*http.Request) (*http.Response, error) {
	w := httptest.NewRecorder()
	io.WriteString(w, string(a))
	return w.Result(), nil
}

// ask returns the answer of a service to a request; without a body it is a GET.
func ask(service http.Handler, target, body string) *httptest.ResponseRecorder {
	method := http.MethodGet
	if body != "" {
		method = http.MethodPost
	}
	w := httptest.NewRecorder()
	service.ServeHTTP(w, httptest.NewRequest(method, target, strings.NewReader(body)))
	return w
}

// TestOpenAPI holds the document of the service to the schema of OpenAPI 3.1, with a validator of
// npm.
func TestOpenAPI(t *testing.T) {
	node, err := exec.LookPath("node")
	if err != nil {
		t.Skip("node is not installed")
	}
	if _, err := os.Stat(filepath.Join("npm", "node_modules", "@seriousme", "openapi-schema-validator")); errors.Is(err,
		fs.ErrNotExist) {
		t.Skip(`the validator of OpenAPI is not installed: run "npm ci" in oracle/npm`)
	}
	document := ask(newService(""), "/openapi.json", "").Body.Bytes()
	broken := bytes.Replace(document, []byte(`"in":"query"`), []byte(`"in":"body"`), 1)
	for i, text := range [][]byte{document, broken} {
		file := filepath.Join(t.TempDir(), "openapi.json")
		fatal.If(t, os.WriteFile(file, text, 0o666))
		out, err := exec.CommandContext(t.Context(), node, filepath.Join("npm", "openapi.mjs"), file).CombinedOutput()
		if (err != nil) != (i == 1) {
			t.Errorf("document %d: %v\n%s", i, err, out)
		}
	}
}

// TestAnswersFitOpenAPI holds real answers of the service to the schemas of its document, which are
// JSON Schema 2020-12.
func TestAnswersFitOpenAPI(t *testing.T) {
	const text = "User-agent: ExampleBot\nDisallow: /private/*.html$\nUser-agent: *\nUser-agent: a\nAllow: /\nDisallow: /a\nDisallow: /a/b\nCrawl-delay: 2\nDisalow: /x\n"
	service := newService(text)
	compiler := jsonschema.NewCompiler()
	compiler.DefaultDraft(jsonschema.Draft2020)
	compiler.AssertFormat()
	document, err := jsonschema.UnmarshalJSON(ask(service, "/openapi.json", "").Body)
	fatal.If(t, err)
	fatal.If(t, compiler.AddResource("openapi.json", document))
	question := func(format string) string { return fmt.Sprintf(format, text) }
	for _, test := range []struct{ target, body, schema string }{
		{"/v1/match?url=https://a.example/private/x.html&agent=ExampleBot&agent=Googlebot-Image", "", "Match"},
		{"/v1/match?url=https://a.example/&dialect=koster1994", "", "Match"},
		{"/v1/match?url=x", "", "Problem"},
		{"/v1/robots?origin=https://a.example", "", "File"},
		{"/v1/report?url=https://a.example/x", "", "Card"},
		{"/v1/report?url=x", "", "Problem"},
		{"/v1/history?origin=https://a.example", "", "Problem"},
		{"/v1/lint", question(`{"robots":%q,"profile":"strict"}`), "Report"},
		{"/v1/lint", `{"robots":""}`, "Report"},
		{"/v1/report", question(`{"robots":%q}`), "Card"},
		{"/v1/report", `{"robots":"","language":"ko"}`, "Card"},
		{"/v1/diff", question(`{"before":"","after":%q}`), "Difference"},
		{"/v1/diff", `{"before":"","after":""}`, "Difference"},
		{"/v1/prove", question(`{"robots":%q,"claims":"ExampleBot may fetch /\nall may fetch /robots.txt"}`), "Proofs"},
		{"/v1/minimize", question(`{"robots":%q}`), "Minimized"},
		{"/v1/minimize", `{"robots_base64":"/w=="}`, "Minimized"},
		{"/v1/lint", `{}`, "Problem"},
		{"/v1/match", question(`{"id":[7],"robots":%q,"agent":"ExampleBot","url":"/private/x.html"}` +
			"\n{\"url\":\"/x\"}\n{}\n"), "Answer"},
		{"/healthz", "", "Health"},
	} {
		schema, err := compiler.Compile("openapi.json#/components/schemas/" + test.schema)
		fatal.If(t, err)
		answer := ask(service, test.target, test.body)
		lines := strings.SplitAfter(strings.TrimSuffix(answer.Body.String(), "\n"), "\n")
		for _, line := range lines {
			value, err := jsonschema.UnmarshalJSON(strings.NewReader(line))
			if err == nil {
				err = schema.Validate(value)
			}
			if err != nil {
				t.Errorf("%s: %d %s: %v", test.target, answer.Code, line, err)
			}
		}
		if err := schema.Validate(map[string]any{"unknown": true}); err == nil {
			t.Errorf("the schema %s fits any object", test.schema)
		}
	}
}
