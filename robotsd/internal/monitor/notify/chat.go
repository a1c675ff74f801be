package notify

import (
	"maps"
	"slices"
	"strings"
)

// forms are the messages of chats, by name. Each puts the text where the chat finds no markup and
// no mentions.
var forms = map[string]func(*text) any{
	"slack": func(t *text) any {
		// The text is for notifications, and escaped as Slack asks. The block is plain text.
		const most = 3000
		return map[string]any{
			"text": slackEscape.Replace(t.subject),
			"blocks": []any{map[string]any{"type": "section", "text": map[string]any{"type": "plain_text",
				"text": clip(joined(t.subject, t.fit(most)), most), "emoji": false}}},
		}
	},
	"discord": func(t *text) any {
		const suppressEmbeds = 4
		return map[string]any{"content": fenced(t, 2000), "allowed_mentions": map[string]any{"parse": []string{}},
			"flags": suppressEmbeds}
	},
	"teams": func(t *text) any {
		// A TextRun has no Markdown, other than a TextBlock.
		var body []any
		for _, line := range append([]string{t.subject}, t.fit(10_000)...) {
			body = append(body, map[string]any{"type": "RichTextBlock",
				"inlines": []any{map[string]any{"type": "TextRun", "text": line}}})
		}
		return map[string]any{"type": "message", "attachments": []any{map[string]any{
			"contentType": "application/vnd.microsoft.card.adaptive",
			"content": map[string]any{"$schema": "http://adaptivecards.io/schemas/adaptive-card.json",
				"type": "AdaptiveCard", "version": "1.2", "body": body},
		}}}
	},
	"mattermost":  func(t *text) any { return map[string]any{"text": fenced(t, 16_000)} },
	"google-chat": func(t *text) any { return map[string]any{"text": fenced(t, 4000)} },
}

// Forms returns the names of the forms of messages for chats.
func Forms() []string { return slices.Sorted(maps.Keys(forms)) }

var (
	slackEscape = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;")

	// fenceEscape removes what ends a block of code, and what is a mention or a link in Google Chat
	// even there.
	fenceEscape = strings.NewReplacer("`", "ˋ", "<", "‹", ">", "›")
)

func joined(subject string, lines []string) string { return subject + "\n" + strings.Join(lines, "\n") }

// fenced returns the message as a block of code, in which chats find neither Markdown nor mentions.
func fenced(t *text, most int) string {
	const fence = "```"
	most -= 2*len(fence) + 2
	return fence + "\n" + clip(fenceEscape.Replace(joined(t.subject, t.fit(most))), most) + "\n" + fence
}

// clip cuts a text at a number of characters.
func clip(s string, most int) string {
	if runes := []rune(s); len(runes) > most {
		return string(runes[:most-1]) + "…"
	}
	return s
}
