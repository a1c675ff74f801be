package page

import (
	"net/url"
	"strings"

	"github.com/robotsexclusion/robots/internal/language"
)

// The names of the TDM Reservation Protocol (Final Report of the W3C Community Group, 10 May
// 2024), for headers and META tags.
const (
	tdmReservation = "tdm-reservation"
	tdmPolicy      = "tdm-policy"
)

var errSuperseded = language.New("a META tag of the page takes the place of the header").Err()

// reservation adds what a header or META tag says about text and data mining.
func (b *builder) reservation(value string, source Source) {
	d := Directive{Name: tdmReservation, Value: strings.TrimSpace(value), Source: source, term: tdmTerm}
	d.read()
	b.add(d)
}

// finish sets the facts that depend on all directives.
func (b *builder) finish() {
	inPage, reserved := false, false
	for _, d := range b.doc.Directives {
		inPage = inPage || d.term == tdmTerm && d.Source.Place != atTDM && d.Err == nil
	}
	var source Source
	known := false // a known directive follows in the same value
	for i := len(b.doc.Directives) - 1; i >= 0; i-- {
		d := &b.doc.Directives[i]
		if d.term == tdmTerm && d.Source.Place == atTDM && d.Err == nil && inPage {
			d.Err = errSuperseded // the report's "Processing priority"
		}
		reserved = reserved || d.term == tdmTerm && d.Err == nil && d.level() == refused
		if d.Source != source {
			source, known = d.Source, false
		}
		d.widens = d.term == nil && d.colon && known
		known = known || d.term != nil && d.Err == nil
	}
	if b.doc.TDMPolicy == "" {
		b.doc.TDMPolicy = b.tdmPolicy
	}
	if !reserved {
		b.doc.TDMPolicy = ""
	}
}

// absoluteURL returns an address if it is an absolute URL with a host, or nothing.
func absoluteURL(s string) string {
	if u, err := url.Parse(trimURL(s)); err == nil && u.IsAbs() && u.Host != "" {
		return u.String()
	}
	return ""
}
