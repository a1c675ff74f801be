package page

import (
	"strings"
	"time"

	"github.com/robotsexclusion/robots/internal/language"
	"github.com/robotsexclusion/robots/internal/language/matchtext"
	"github.com/robotsexclusion/robots/internal/printable"
)

// The parts of the sentence about a decision.
var (
	textIndexed            = language.New("may be indexed")
	textNotIndexed         = language.New("may not be indexed")
	textFollowed           = language.New("links may be followed")
	textNotFollowed        = language.New("links may not be followed")
	textWhereEmbedded      = language.New("but where it is embedded")
	textUntil              = language.New("until %[1]s")
	textNoCopy             = language.New("no copy may be shown")
	textNoSnippet          = language.New("no snippet may be shown")
	textMaxSnippet         = language.New("snippets have at most %[1]d characters")
	textNoPicture          = language.New("no picture may be shown")
	textPictureSize        = language.New("pictures may be shown in size %[1]s")
	textStillPicture       = language.New("of videos only a still picture may be shown")
	textMaxVideo           = language.New("videos may be shown for at most %[1]d seconds")
	textNoTranslation      = language.New("no translation may be offered")
	textPicturesNotIndexed = language.New("pictures may not be indexed")
	textNoTraining         = language.New("may not be used to train AI")
	textNoPictureTraining  = language.New("pictures may not be used to train AI")
	textNotRead            = language.New("not read: %[1]s")
)

// String returns [Decision.Sentence] in English.
func (d *Decision) String() string { return d.sentence(language.English) }

// Sentence returns the decision as one line, such as "may not be indexed (line 4: noindex),
// links may be followed". Topics that the page does not mention are left out, except for these
// two. For a page that was not read, the line has the reason. The language is a code of ISO
// 639-1 (en, es, ko or ru), or the value of an environment variable such as LANG. Any other
// value means English.
func (d *Decision) Sentence(languageCode string) string {
	return d.sentence(language.Parse(languageCode))
}

func (d *Decision) sentence(l language.Language) string {
	if d.Err != nil {
		return textNotIndexed.In(l) + ", " + textNotFollowed.In(l) + ": " +
			textNotRead.In(l, printable.Text(language.Explain(l, d.Err)))
	}
	var b strings.Builder
	add := func(text string, t topic) {
		if b.Len() > 0 {
			b.WriteString(", ")
		}
		b.WriteString(text)
		b.WriteString(because(l, d.why(t)))
	}
	either := func(may bool, yes, no language.Text) string {
		if may {
			return yes.In(l)
		}
		return no.In(l)
	}
	add(either(d.Index, textIndexed, textNotIndexed), indexing)
	if d.IndexIfEmbedded {
		add(textWhereEmbedded.In(l), embedding)
	}
	if !d.UnavailableAfter.IsZero() && !d.expired(d.now) {
		add(textUntil.In(l, d.UnavailableAfter.Format(time.RFC3339)), expiry)
	}
	add(either(d.Follow, textFollowed, textNotFollowed), following)
	for _, c := range []struct {
		topic topic
		says  bool
		text  language.Text
		arg   any
	}{
		{archiving, !d.Archive, textNoCopy, nil},
		{snippets, !d.Snippet, textNoSnippet, nil},
		{snippets, d.MaxSnippet > 0, textMaxSnippet, d.MaxSnippet},
		{imagePreviews, d.MaxImagePreview == noImage, textNoPicture, nil},
		{imagePreviews, d.MaxImagePreview == standardImage || d.MaxImagePreview == largeImage, textPictureSize,
			d.MaxImagePreview},
		{videoPreviews, d.MaxVideoPreview == 0, textStillPicture, nil},
		{videoPreviews, d.MaxVideoPreview > 0, textMaxVideo, d.MaxVideoPreview},
		{translation, !d.Translate, textNoTranslation, nil},
		{imageIndexing, !d.ImageIndex, textPicturesNotIndexed, nil},
		{training, !d.AI, textNoTraining, nil},
		{imageTraining, d.AI && !d.ImageAI, textNoPictureTraining, nil},
	} {
		switch {
		case c.says && c.arg != nil:
			add(c.text.In(l, c.arg), c.topic)
		case c.says:
			add(c.text.In(l), c.topic)
		}
	}
	return b.String()
}

var (
	textLine    = language.New("line %[1]d")
	textAndMore = language.New("and %[1]d more")
)

// because returns directives with their sources in parentheses.
func because(l language.Language, by []Directive) string {
	const most = 3
	if len(by) == 0 {
		return ""
	}
	var b strings.Builder
	b.WriteString(" (")
	for i, d := range by {
		if i == most {
			b.WriteString(" " + textAndMore.In(l, len(by)-most))
			break
		}
		if i > 0 {
			b.WriteString("; ")
		}
		b.WriteString(d.cited(l))
	}
	b.WriteByte(')')
	return b.String()
}

// cited returns the directive with its source: "line 4: noindex".
func (d Directive) cited(l language.Language) string { return d.Source.in(l) + ": " + d.String() }

// in returns the source in a language: "line 4" for a place in the page, and otherwise the
// words of the protocol, such as "X-Robots-Tag 1".
func (s Source) in(l language.Language) string {
	if s.Line > 0 {
		return textLine.In(l, s.Line)
	}
	return s.String()
}

var (
	textMayBeFollowed    = language.New("may be followed")
	textMayNotBeFollowed = language.New("may not be followed")
)

// String returns [LinkDecision.Sentence] in English.
func (d LinkDecision) String() string { return d.Sentence("") }

// Sentence returns the decision with its reason, such as "may not be followed (line 9:
// rel=nofollow)". For the language see [Decision.Sentence].
func (d LinkDecision) Sentence(languageCode string) string {
	l := language.Parse(languageCode)
	text := textMayBeFollowed
	if !d.Follow {
		text = textMayNotBeFollowed
	}
	return text.In(l) + because(l, d.By)
}

var (
	textMayBeFetched    = language.New("may be fetched: %[1]s")
	textMayNotBeFetched = language.New("may not be fetched: %[1]s")
	textNothingSeen     = language.New("so nothing that the page says is ever seen")
	textNeverSeen       = language.New("so its %[1]s is never seen")
	textAreNeverSeen    = language.New("so its %[1]s and %[2]s are never seen")
)

// String returns [Verdict.Sentence] in English.
func (v Verdict) String() string { return v.Sentence("") }

// Sentence returns the verdict with its reasons, such as "may not be fetched: disallowed by
// line 2: Disallow: /x; so its noindex (line 4) is never seen". For the language see
// [Decision.Sentence].
func (v Verdict) Sentence(languageCode string) string {
	l := language.Parse(languageCode)
	match := matchtext.Sentence(l, v.Match.Allowed, v.Match.Reason.String(), v.Match.Rule.Line, v.Match.Rule.String())
	if v.Fetch {
		s := textMayBeFetched.In(l, match)
		if v.Decision != nil {
			s += "; " + v.Decision.sentence(l)
		}
		return s
	}
	s := textMayNotBeFetched.In(l, match) + "; "
	var unseen []string
	if v.Decision != nil {
		for _, d := range v.Decision.InForce() {
			unseen = append(unseen, d.String()+" ("+d.Source.in(l)+")")
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
