package main

import (
	"fmt"
	"time"

	"github.com/robotsexclusion/robots/fetch"
	"github.com/robotsexclusion/robots/internal/language"
	"github.com/robotsexclusion/robots/internal/printable"
	"github.com/robotsexclusion/robots/page"
)

// saySource returns where a directive comes from.
func saySource(l language.Language, s page.Source) string {
	if s.Line > 0 {
		return textLine.In(l, s.Line)
	}
	return s.String() // such as "X-Robots-Tag 1"
}

// sayFetched returns the outcome of fetching robots.txt as a sentence.
func sayFetched(l language.Language, r *fetch.Result) string {
	if l == language.English {
		return r.String()
	}
	clock := func(t time.Time) string { return t.UTC().Format(time.RFC3339) }
	cause := printable.Text(r.Cause)
	text := r.Origin + "/robots.txt: "
	switch {
	case r.State == fetch.OK:
		text += fmt.Sprintf("%d, ", r.Status) + textBytes.In(l, r.File.Size)
		if r.File.Cut {
			text += ", " + textCut.In(l)
		}
		if r.File.HTML {
			text += ", " + textLooksLikeHTML.In(l)
		}
		if n := len(r.Redirects); n > 0 {
			text += ", " + textByRedirects.In(l, n, printable.Text(r.File.URL))
		}
		switch r.Source {
		case fetch.Cached:
			text += ", " + textCachedAgo.In(l, r.Age.Round(time.Second).String())
		case fetch.Revalidated:
			text += ", " + textNotModified.In(l)
		}
		return text + ", " + textFreshUntil.In(l, clock(r.FreshUntil))
	case r.State == fetch.Unavailable && r.UnreachableSince.IsZero():
		text += cause + ": " + textUnavailable.In(l)
	case r.State == fetch.Unavailable:
		text += textLongUnreachable.In(l, clock(r.UnreachableSince), cause) + ": " + textUnavailable.In(l)
	case r.State == fetch.Forbidden:
		text += cause + ": " + textNothingAllowed.In(l)
	case r.Source == fetch.Stale:
		text += textUnreachableSince.In(l, clock(r.UnreachableSince), cause) + ": " + textCopyInForce.In(l, clock(r.File.ConfirmedAt), r.File.Size)
	default:
		text += textUnreachableSince.In(l, clock(r.UnreachableSince), cause) + ": " + textNothingAllowed.In(l)
	}
	return text + "; " + textNotBefore.In(l, clock(r.FreshUntil))
}
