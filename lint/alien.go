package lint

import (
	"encoding/json"
	"strings"

	"github.com/robotsexclusion/robots"
	"github.com/robotsexclusion/robots/internal/printable"
)

// An alien is the kind of a text that is not robots.txt. Lines of such a text are not checked.
type alien uint8

const (
	robotsText   alien = iota // a robots.txt, or an attempt at one
	utf16Text                 // a robots.txt or other text in UTF-16
	htmlText                  // a page of HTML, or other XML
	templateText              // the source of a template, such as of Liquid or PHP
	jsonText                  // JSON
	binaryText                // an image, an archive or similar
	markdownText              // Markdown, such as llms.txt
	otherText                 // a text without a single record, such as "Not Found"
)

// alienOf returns the kind of a text. A text in which RFC 9309 finds a group is never
// alien, except UTF-16, which has a group only by chance.
func alienOf(policy *robots.Policy) alien {
	text := policy.String()
	if printable.UTF16Order(text) != 0 {
		return utf16Text
	}
	if len(policy.Groups()) > 0 {
		return robotsText
	}
	head := strings.TrimLeft(strings.TrimPrefix(text, byteOrderMark), " \t\r\n")
	switch {
	case head == "":
		return robotsText
	case strings.HasPrefix(head, "<?php"), strings.HasPrefix(head, "<?="), strings.HasPrefix(head, "<%"):
		return templateText
	case isMarkup(head):
		return htmlText
	case (head[0] == '{' || head[0] == '[') && json.Valid([]byte(head)):
		return jsonText
	case printable.IsBinary(text):
		return binaryText
	}
	switch {
	case hasRecord(policy):
		return robotsText
	case templates().MatchString(head[:min(len(head), maxHead)]):
		return templateText
	case isMarkdown(head):
		return markdownText
	}
	return otherText
}

// maxHead is the number of bytes of a text that are read to find its kind.
const maxHead = 4096

// isMarkup reports whether a text starts like HTML or XML, or contains the start of a page near
// its beginning.
func isMarkup(text string) bool {
	head := strings.ToLower(text[:min(len(text), maxHead)])
	if strings.HasPrefix(head, "<!--") {
		// Some files have HTML comments before the records.
		_, head, _ = strings.Cut(head, "-->")
		head = strings.TrimSpace(head)
	}
	if len(head) > 1 && head[0] == '<' && (head[1] == '!' || head[1] == '?' || 'a' <= head[1] && head[1] <= 'z') {
		return true
	}
	return strings.Contains(head, "<html") || strings.Contains(head, "<!doctype")
}

// isMarkdown reports whether a text starts with a heading of Markdown, and has a quotation or a
// link near its beginning, as llms.txt does.
func isMarkdown(text string) bool {
	head := text[:min(len(text), maxHead)]
	return strings.HasPrefix(head, "# ") && (strings.Contains(head, "\n> ") || strings.Contains(head, "]("))
}

// hasRecord reports whether any line is a known record, an attempt at one, or a comment about
// one; or whether all lines are comments.
func hasRecord(policy *robots.Policy) bool {
	other := false
	var here line
	for _, l := range policy.Lines() {
		switch l.Kind {
		case robots.Stray:
			return true
		case robots.Other, robots.Malformed:
			if here.set(l); here.meant().class != fieldUnknown || here.isSitemapURL() {
				return true
			}
			other = true
		case robots.Comment:
			if ofRobots().MatchString(l.Text[:min(len(l.Text), maxComment)]) {
				return true
			}
		}
	}
	return !other
}

// ofRobots matches words that are rare in comments of other files.
var ofRobots = lazyRegexp(`(?i)robots\.txt|user-agent|disallow`)

// isSitemapURL reports whether a line is the URL of a sitemap, without a field.
func (l *line) isSitemapURL() bool {
	name := strings.ToLower(l.Field)
	return (name == "http" || name == "https") && strings.Contains(strings.ToLower(l.Value), "sitemap")
}

// isControl reports whether c is a control byte that texts do not contain.
func isControl(c byte) bool { return c < ' ' && c != '\t' && c != '\n' && c != '\r' || c == 0x7F }
