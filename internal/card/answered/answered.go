// Package answered describes how a server answered, for a report card. Package card does without
// the client of HTTP, so that it fits into the page.
package answered

import (
	"net/http"
	"time"

	"github.com/robotsexclusion/robots/fetch"
	"github.com/robotsexclusion/robots/internal/card"
	"github.com/robotsexclusion/robots/internal/http/httpfield"
	"github.com/robotsexclusion/robots/internal/printable"
)

// By returns how a server answered.
func By(r *fetch.Result) *card.Response {
	a := &card.Response{State: string(r.State), Status: r.Status, URL: r.URL, Cause: printable.Text(r.Cause),
		Copy: r.Source == fetch.Stale}
	for _, hop := range r.Redirects {
		a.Redirects = append(a.Redirects, hop.URL)
	}
	if r.File == nil {
		return a
	}
	if r.State == fetch.OK || a.Copy {
		a.ContentType, a.Cut = r.File.ContentType, r.File.Cut
	}
	if r.State == fetch.OK {
		header := http.Header{}
		for name, value := range map[string]string{"Cache-Control": r.File.CacheControl, "Expires": r.File.Expires} {
			if value != "" {
				header.Set(name, value)
			}
		}
		if age, ok := httpfield.Stated(header, r.CheckedAt); ok {
			seconds := int(age / time.Second)
			a.MaxAge = &seconds
		}
	}
	return a
}
