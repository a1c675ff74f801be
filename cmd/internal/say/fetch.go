package say

import (
	"fmt"
	"time"

	"github.com/robotsexclusion/robots/cmd/internal/inforce"
	"github.com/robotsexclusion/robots/fetch"
	"github.com/robotsexclusion/robots/internal/language"
	"github.com/robotsexclusion/robots/internal/printable"
)

var (
	textBytes            = language.New("%[1]d ⟨byte/bytes⟩")
	textCut              = language.New("cut because there was more")
	textLooksLikeHTML    = language.New("looks like HTML")
	textByRedirects      = language.New("by %[1]d ⟨redirect/redirects⟩ from %[2]s")
	textCachedAgo        = language.New("cached %[1]s ago")
	textNotModified      = language.New("not modified")
	textFreshUntil       = language.New("fresh until %[1]s")
	textUnavailable      = language.New("unavailable, everything is allowed")
	textLongUnreachable  = language.New("unreachable since %[1]s, for more than 30 days (%[2]s)")
	textUnreachableSince = language.New("unreachable since %[1]s (%[2]s)")
	textNothingAllowed   = language.New("nothing is allowed")
	textCopyInForce      = language.New("the copy of %[1]s, %[2]d ⟨byte/bytes⟩, is in force")
	textOldCopyInForce   = language.New("a copy of before, %[1]d ⟨byte/bytes⟩, is in force")
	textInForceFrom      = language.New("in force from %[1]s")
	textInForceFromUntil = language.New("in force from %[1]s until %[2]s")
	textUnseenSince      = language.New("last asked at %[1]s, and may have changed since")
	textNotBefore        = language.New("not asked again before %[1]s")
)

// Fetched returns the outcome of fetching robots.txt as a sentence.
func Fetched(l language.Language, r *fetch.Result) string {
	clock := func(t time.Time) string { return t.UTC().Format(time.RFC3339) }
	cause := printable.Text(r.Cause)
	text := r.Origin + "/robots.txt: "
	switch {
	case l == language.English:
		return r.String()
	case r.State == fetch.OK:
		return text + fetchedFile(l, r) + ", " + textFreshUntil.In(l, clock(r.FreshUntil))
	case r.State == fetch.Unavailable && r.UnreachableSince.IsZero():
		text += cause + ": " + textUnavailable.In(l)
	case r.State == fetch.Unavailable:
		text += textLongUnreachable.In(l, clock(r.UnreachableSince), cause) + ": " + textUnavailable.In(l)
	case r.State == fetch.Forbidden:
		text += cause + ": " + textNothingAllowed.In(l)
	case r.Source == fetch.Stale:
		text += textUnreachableSince.In(l, clock(r.UnreachableSince), cause) + ": " +
			textCopyInForce.In(l, clock(r.File.ConfirmedAt), r.File.Size)
	default:
		text += textUnreachableSince.In(l, clock(r.UnreachableSince), cause) + ": " + textNothingAllowed.In(l)
	}
	return text + "; " + textNotBefore.In(l, clock(r.FreshUntil))
}

// fetchedFile describes a file: its size, and how it was fetched.
func fetchedFile(l language.Language, r *fetch.Result) string {
	text := fmt.Sprintf("%d, ", r.Status) + textBytes.In(l, r.File.Size)
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
	return text
}

// InForce returns which version was in force at a moment as a sentence.
func InForce(l language.Language, v *inforce.Version) string {
	text := fmt.Sprintf("%s/robots.txt, %s: ", v.Origin, v.At)
	switch reason := printable.Text(v.Cause); {
	case v.State == fetch.OK:
		text += fmt.Sprintf("%d, %s", v.Status, textBytes.In(l, v.Size))
		if v.Cut {
			text += ", " + textCut.In(l)
		}
	case v.State == fetch.Unavailable:
		text += reason + ": " + textUnavailable.In(l)
	case v.SHA256 != "":
		text += reason + ": " + textOldCopyInForce.In(l, v.Size)
	default:
		text += reason + ": " + textNothingAllowed.In(l)
	}
	if v.Until.IsZero() {
		text += "; " + textInForceFrom.In(l, inforce.Clock(v.From))
	} else {
		text += "; " + textInForceFromUntil.In(l, inforce.Clock(v.From), inforce.Clock(v.Until))
	}
	if !v.Unseen.IsZero() {
		text += "; " + Unseen(l, v.Unseen)
	}
	return text
}

// Unseen returns the time of the last request as a sentence, for a version that may have changed
// after that.
func Unseen(l language.Language, last time.Time) string {
	return textUnseenSince.In(l, inforce.Clock(last))
}
