package page

import (
	"strconv"
	"strings"
	"time"

	"github.com/robotsexclusion/robots/internal/printable"
)

// String returns the decision in one line, such as "may not be indexed (line 4:
// noindex), links may be followed". What the page does not speak of is left
// out, but for these two. Of a page that was not read it says why.
func (d *Decision) String() string {
	if d.Err != nil {
		return "may not be indexed, links may not be followed: not read: " + printable.Text(d.Err.Error())
	}
	var b strings.Builder
	add := func(text string, t Topic) {
		if b.Len() > 0 {
			b.WriteString(", ")
		}
		b.WriteString(text)
		b.WriteString(because(d.Why(t)))
	}
	either := func(may bool, yes, no string) string {
		if may {
			return yes
		}
		return no
	}
	add(either(d.Index, "may be indexed", "may not be indexed"), Indexing)
	if d.IndexIfEmbedded {
		add("but where it is embedded", Embedding)
	}
	if !d.UnavailableAfter.IsZero() && !d.expired(d.now) {
		add("until "+d.UnavailableAfter.Format(time.RFC3339), Expiry)
	}
	add(either(d.Follow, "links may be followed", "links may not be followed"), Following)
	for _, c := range []struct {
		topic Topic
		says  bool
		text  string
	}{
		{Archiving, !d.Archive, "no copy may be shown"},
		{Snippets, !d.Snippet, "no snippet may be shown"},
		{Snippets, d.MaxSnippet > 0, "snippets have at most " + strconv.Itoa(d.MaxSnippet) + " characters"},
		{ImagePreviews, d.MaxImagePreview == NoImage, "no picture may be shown"},
		{ImagePreviews, d.MaxImagePreview == StandardImage || d.MaxImagePreview == LargeImage, "pictures may be shown in size " + string(d.MaxImagePreview)},
		{VideoPreviews, d.MaxVideoPreview == 0, "of videos only a still picture may be shown"},
		{VideoPreviews, d.MaxVideoPreview > 0, "videos may be shown for at most " + strconv.Itoa(d.MaxVideoPreview) + " seconds"},
		{Translation, !d.Translate, "no translation may be offered"},
		{ImageIndexing, !d.ImageIndex, "pictures may not be indexed"},
		{Training, !d.AI, "may not be used to train AI"},
		{ImageTraining, d.AI && !d.ImageAI, "pictures may not be used to train AI"},
	} {
		if c.says {
			add(c.text, c.topic)
		}
	}
	return b.String()
}

// because returns directives with their sources in parentheses.
func because(by []Directive) string {
	const most = 3
	if len(by) == 0 {
		return ""
	}
	var b strings.Builder
	b.WriteString(" (")
	for i, d := range by {
		if i == most {
			b.WriteString(" and " + strconv.Itoa(len(by)-most) + " more")
			break
		}
		if i > 0 {
			b.WriteString("; ")
		}
		b.WriteString(d.cited())
	}
	b.WriteByte(')')
	return b.String()
}
