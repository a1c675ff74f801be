package main

import (
	"fmt"
	"strings"
	"time"

	"github.com/robotsexclusion/robots/fetch"
	"github.com/robotsexclusion/robots/internal/language"
	"github.com/robotsexclusion/robots/internal/printable"
	"github.com/robotsexclusion/robots/page"
)

// sayDecision returns a page's decision for a robot as a sentence.
func sayDecision(l language.Language, d *page.Decision) string {
	if l == language.English {
		return d.String()
	}
	return translatedDecision(l, d)
}

// translatedDecision is page's String method in all languages.
func translatedDecision(l language.Language, d *page.Decision) string {
	if d.Err != nil {
		return textNotIndexed.In(l) + ", " + textNotFollowed.In(l) + ": " + textNotRead.In(l, printable.Text(d.Err.Error()))
	}
	var parts []string
	add := func(text string, t page.Topic) { parts = append(parts, text+sayBecause(l, d.Why(t))) }
	either := func(may bool, yes, no language.Text) string {
		if may {
			return yes.In(l)
		}
		return no.In(l)
	}
	add(either(d.Index, textIndexed, textNotIndexed), page.Indexing)
	if d.IndexIfEmbedded {
		add(textWhereEmbedded.In(l), page.Embedding)
	}
	if !d.UnavailableAfter.IsZero() && d.UnavailableAfter.After(time.Now()) {
		add(textUntil.In(l, d.UnavailableAfter.Format(time.RFC3339)), page.Expiry)
	}
	add(either(d.Follow, textFollowed, textNotFollowed), page.Following)
	for _, c := range []struct {
		topic page.Topic
		says  bool
		text  string
	}{
		{page.Archiving, !d.Archive, textNoCopy.In(l)},
		{page.Snippets, !d.Snippet, textNoSnippet.In(l)},
		{page.Snippets, d.MaxSnippet > 0, textMaxSnippet.In(l, d.MaxSnippet)},
		{page.ImagePreviews, d.MaxImagePreview == page.NoImage, textNoPicture.In(l)},
		{page.ImagePreviews, d.MaxImagePreview != page.NoImage && d.MaxImagePreview != page.AnyImage, textPictureSize.In(l, string(d.MaxImagePreview))},
		{page.VideoPreviews, d.MaxVideoPreview == 0, textStillPicture.In(l)},
		{page.VideoPreviews, d.MaxVideoPreview > 0, textMaxVideo.In(l, d.MaxVideoPreview)},
		{page.Translation, !d.Translate, textNoTranslation.In(l)},
		{page.ImageIndexing, !d.ImageIndex, textPicturesNotIndexed.In(l)},
		{page.Training, !d.AI, textNoTraining.In(l)},
		{page.ImageTraining, d.AI && !d.ImageAI, textNoPictureTraining.In(l)},
	} {
		if c.says {
			add(c.text, c.topic)
		}
	}
	return strings.Join(parts, ", ")
}

// sayBecause returns directives with their sources in parentheses.
func sayBecause(l language.Language, by []page.Directive) string {
	const most = 3
	if len(by) == 0 {
		return ""
	}
	var parts []string
	more := ""
	for i, d := range by {
		if i == most {
			more = " " + textAndMore.In(l, len(by)-most)
			break
		}
		parts = append(parts, saySource(l, d.Source)+": "+d.String())
	}
	return " (" + strings.Join(parts, "; ") + more + ")"
}

// saySource returns where a directive comes from.
func saySource(l language.Language, s page.Source) string {
	if s.Line > 0 {
		return textLine.In(l, s.Line)
	}
	return s.String() // such as "X-Robots-Tag 1"
}

// sayDirectiveError returns why a known directive has no effect.
func sayDirectiveError(l language.Language, d page.Directive) string {
	switch {
	case l == language.English:
		return d.Err.Error()
	case d.Source.Place == page.HTTPEquiv:
		return textHTTPEquiv.In(l)
	case d.Source.Place == page.TDMField && (d.Value == "0" || d.Value == "1"):
		return textTagInstead.In(l)
	case d.Value == "":
		return textNoValue.In(l)
	}
	return textBadValue.In(l)
}

// sayLink returns whether a link may be followed, and why.
func sayLink(l language.Language, d page.LinkDecision) string {
	text := textMayBeFollowed
	if !d.Follow {
		text = textMayNotBeFollowed
	}
	return text.In(l) + sayBecause(l, d.By)
}

// sayVerdict returns the joint verdict of robots.txt and a page for a robot as a sentence.
func sayVerdict(l language.Language, v page.Verdict) string {
	if l == language.English {
		return v.String()
	}
	return translatedVerdict(l, v)
}

// translatedVerdict is page's String method in all languages.
func translatedVerdict(l language.Language, v page.Verdict) string {
	if v.Fetch {
		s := textMayBeFetched.In(l, sayMatch(l, v.Match))
		if v.Decision != nil {
			s += "; " + translatedDecision(l, v.Decision)
		}
		return s
	}
	s := textMayNotBeFetched.In(l, sayMatch(l, v.Match)) + "; "
	var unseen []string
	if v.Decision != nil {
		for _, d := range v.Decision.InForce() {
			unseen = append(unseen, d.String()+" ("+saySource(l, d.Source)+")")
		}
	}
	switch n := len(unseen); n {
	case 0:
		return s + textNothingSeen.In(l)
	case 1:
		return s + textNeverSeen.In(l, unseen[0])
	default:
		return s + textAreNeverSeen.In(l, strings.Join(unseen[:n-1], ", "), unseen[n-1])
	}
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
