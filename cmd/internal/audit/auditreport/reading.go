package auditreport

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/robotsexclusion/robots/audit"
	"github.com/robotsexclusion/robots/internal/language"
	"github.com/robotsexclusion/robots/internal/language/columns"
)

// mostUnread is the maximum number of robots in the text of a report that made requests before they
// read robots.txt.
const mostUnread = 10

// unread says how much a robot requested before it read robots.txt, or "".
func unread(l language.Language, u audit.Unread) string {
	var parts []string
	if u.Before > 0 {
		parts = append(parts, textUnreadBefore.In(l, number(l, u.Before)))
	}
	if u.Never > 0 {
		parts = append(parts, textUnreadNever.In(l, number(l, u.Never)))
	}
	if u.Late > 0 {
		parts = append(parts, textUnreadLate.In(l, number(l, u.Late)))
	}
	return strings.Join(parts, "; ")
}

// reads returns how often a robot read robots.txt, and how much it requested before.
func reads(l language.Language, r *audit.Robot) string {
	text := number(l, r.RobotsTxt)
	if before := unread(l, r.Unread); before != "" {
		text += " (" + before + ")"
	}
	return text
}

// reading writes the robots with unread requests that a copy of robots.txt from before the logs
// cannot explain. Robots with the most such requests come first. A short log has none.
func (p *Printer) reading(robots []audit.Robot) {
	var late []*audit.Robot
	for i := range robots {
		if robots[i].Unread.Late > 0 {
			late = append(late, &robots[i])
		}
	}
	if len(late) == 0 {
		return
	}
	slices.SortStableFunc(late, func(a, b *audit.Robot) int { return cmp.Compare(b.Unread.Late, a.Unread.Late) })
	p.title(textUnread)
	for _, r := range late[:min(mostUnread, len(late))] {
		p.line(columns.Bold("  " + robotName(p.Language, r, 64)))
		fmt.Fprintf(p.W, "    %s\n", unread(p.Language, r.Unread))
	}
	p.more(len(late)-mostUnread, textOtherBots)
}

var (
	textUnread       = language.New("Requests before robots.txt was read, as far as the logs tell")
	textUnreadBefore = language.New("before it read robots.txt: %[1]s")
	textUnreadNever  = language.New("at hosts without ever reading it: %[1]s")
	textUnreadLate   = language.New("%[1]s of them so late that it may not rely on a copy from before the logs")
	textForEveryone  = language.New("closed to all robots")
)
