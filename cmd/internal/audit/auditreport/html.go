package auditreport

import (
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"html/template"
	"io"

	"github.com/robotsexclusion/robots/audit"
	"github.com/robotsexclusion/robots/internal/language"
)

var (
	//go:embed report.html
	pageText string
	//go:embed report.css
	style string
	//go:embed report.js
	script string

	pageTemplate = template.Must(template.New("report").Parse(pageText))
)

// policy forbids all requests, forms and frames. The style and the script are allowed by their
// hashes, so that nothing from a log runs even if it were not escaped.
var policy = "default-src 'none'; style-src " + hashSource(style) + "; script-src " + hashSource(script) +
	"; base-uri 'none'; form-action 'none'"

// hashSource returns the source expression of an inline text: Content Security Policy Level 3,
// section 2.3.1.
func hashSource(text string) string {
	sum := sha256.Sum256([]byte(text))
	return "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
}

// A page is what the template shows.
type page struct {
	view
	Policy string
	Style  template.CSS
	Script template.JS
}

// WriteHTML writes a report as one page of HTML in a language. The page makes no requests, and
// works without JavaScript, which only sorts its tables.
func WriteHTML(w io.Writer, r *audit.Report, l language.Language) error {
	return pageTemplate.Execute(w, &page{view: viewOf(r, l), Policy: policy, Style: template.CSS(style),
		Script: template.JS(script)})
}
