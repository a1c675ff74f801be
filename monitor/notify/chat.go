package notify

import (
	"maps"
	"slices"
	"strings"
)

// forms are the messages of chats, by name. Each puts the text where the chat finds no markup and no mentions.
var forms = map[string]func(subject string, lines []string) any{
	"slack": func(subject string, lines []string) any {
		// The text is for notifications, and escaped as Slack asks. The block is plain text.
		return map[string]any{
			"text":   slackEscape.Replace(subject),
			"blocks": []any{map[string]any{"type": "section", "text": map[string]any{"type": "plain_text", "text": clip(joined(subject, lines), 3000), "emoji": false}}},
		}
	},
	"discord": func(subject string, lines []string) any {
		const suppressEmbeds = 4
		return map[string]any{"content": fenced(subject, lines, 2000), "allowed_mentions": map[string]any{"parse": []string{}}, "flags": suppressEmbeds}
	},
	"teams": func(subject string, lines []string) any {
		// A TextRun has no Markdown, other than a TextBlock.
		var body []any
		for _, line := range append([]string{subject}, lines...) {
			body = append(body, map[string]any{"type": "RichTextBlock", "inlines": []any{map[string]any{"type": "TextRun", "text": line}}})
		}
		return map[string]any{"type": "message", "attachments": []any{map[string]any{
			"contentType": "application/vnd.microsoft.card.adaptive",
			"content":     map[string]any{"$schema": "http://adaptivecards.io/schemas/adaptive-card.json", "type": "AdaptiveCard", "version": "1.2", "body": body},
		}}}
	},
	"mattermost": func(subject string, lines []string) any {
		return map[string]any{"text": fenced(subject, lines, 16_000)}
	},
	"google-chat": func(subject string, lines []string) any { return map[string]any{"text": fenced(subject, lines, 4000)} },
}

// Forms returns the names of the forms of messages for chats.
func Forms() []string { return slices.Sorted(maps.Keys(forms)) }

var (
	slackEscape = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;")

	// fenceEscape removes what ends a block of code, and what is a mention or a link in Google Chat even there.
	fenceEscape = strings.NewReplacer("`", "ˋ", "<", "‹", ">", "›")
)

func joined(subject string, lines []string) string { return subject + "\n" + strings.Join(lines, "\n") }

// fenced returns the message as a block of code, in which chats find neither Markdown nor mentions.
func fenced(subject string, lines []string, most int) string {
	const fence = "```"
	return fence + "\n" + clip(fenceEscape.Replace(joined(subject, lines)), most-2*len(fence)-2) + "\n" + fence
}

// clip cuts a text at a number of characters.
func clip(s string, most int) string {
	if runes := []rune(s); len(runes) > most {
		return string(runes[:most-1]) + "…"
	}
	return s
}
