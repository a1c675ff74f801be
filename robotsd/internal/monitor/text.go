package monitor

import (
	"strings"
	"time"

	"github.com/robotsexclusion/robots/internal/language"
	"github.com/robotsexclusion/robots/internal/printable"
	"github.com/robotsexclusion/robots/lint"
)

// String returns [Finding.Sentence] in English.
func (f Finding) String() string { return f.Sentence("en") }

// Sentence returns the finding as one line, such as "closed to search engines (Googlebot):
// Disallow: /shop/, for example /shop/a". The line is safe for a terminal; it is not escaped for
// HTML or Markdown. The language is a code of ISO 639-1 (en, es, ko or ru), or the value of an
// environment variable such as LANG. Any other value means English.
func (f Finding) Sentence(languageCode string) string {
	l := language.Parse(languageCode)
	robots, patterns := names(l, f.Robots, 4), names(l, f.Patterns, 4)
	subject, before, after := printable.Clipped(f.Subject, maxShown), printable.Clipped(f.Before, maxShown),
		printable.Clipped(f.After, maxShown)
	witness, since := printable.Clipped(f.Witness, maxShown), f.Since.UTC().Format(time.RFC3339)
	switch f.Kind {
	case ClosedSite:
		return textClosedSite.In(l, patterns)
	case ClosedSearch:
		return textClosedSearch.In(l, robots, patterns, witness)
	case OpenedSite:
		return textOpenedSite.In(l, patterns)
	case Closed:
		return textClosed.In(l, robots, patterns, witness)
	case Opened:
		return textOpened.In(l, robots, patterns, witness)
	case Undecided:
		return textUndecided.In(l, subject+robots)
	case Records:
		return textRecords.In(l, patterns)
	case Status:
		if f.Before == "" {
			return textNoText.In(l, after)
		}
		return textStatus.In(l, after, before)
	case Redirected:
		if f.After == "" {
			return textRedirectsNoLonger.In(l, before)
		}
		return textRedirects.In(l, after)
	case PageChanged:
		if f.Before == "" {
			return textPageNow.In(l, subject, after)
		}
		return textPage.In(l, subject, after, before)
	case Mistake:
		text := textWarned
		if f.Severity > Notice {
			text = textError
		}
		return text.In(l, patterns, subject, checkSummary(f.Subject, languageCode))
	case Unreachable:
		text, ok := stageTexts[f.After]
		if !ok {
			text = textFailing
		}
		return text.In(l, since, before)
	case HTML:
		return textHTML.In(l, after)
	case Challenge:
		return textChallenge.In(l, after)
	case Empty:
		return textEmpty.In(l)
	case Unusable:
		return textUnusable.In(l, after)
	case UTF16:
		return textUTF16.In(l)
	case Cut:
		return textCut.In(l)
	case Claim:
		return textClaim.In(l, subject, robots, witness)
	case Unexpected:
		if len(f.Robots) == 0 {
			return textUnexpectedRecords.In(l, patterns)
		}
		return textUnexpected.In(l, robots, patterns, witness)
	case Unread:
		return textUnread.In(l, after)
	case Vantage:
		if f.After != "" {
			return textVantageAnswer.In(l, subject, after, before)
		}
		return textVantage.In(l, subject, patterns)
	case Certificate:
		if f.After != "" {
			return textCertificateInvalid.In(l, after)
		}
		return textCertificate.In(l, since)
	}
	if text, ok := sitemapTexts[f.After]; ok && f.Kind == BadSitemap {
		return text.In(l, subject, before)
	}
	if f.Kind == BadSitemap {
		return textSitemap.In(l, subject, after)
	}
	return printable.Text(string(f.Kind))
}

// checkSummary says what a check of lint looks for.
func checkSummary(name, languageCode string) string {
	if c := lint.Find(name); c != nil {
		return strings.TrimSuffix(c.Summary(languageCode), ".")
	}
	return "…" // of another version
}

// Sentence returns the update as one line, such as "over: closed to GPTBot: …", like
// [Finding.Sentence].
func (u Update) Sentence(languageCode string) string {
	return u.Step.In(languageCode) + ": " + u.Finding.Sentence(languageCode)
}

// In returns the step as a word or two, such as "over", in a language, which is given as to
// [Finding.Sentence].
func (s Step) In(languageCode string) string {
	text, ok := stepTexts[s]
	if !ok {
		text = textNoted
	}
	return text.In(language.Parse(languageCode))
}

// In returns the severity as a word in a language, which is given as to [Finding.Sentence].
func (s Severity) In(languageCode string) string {
	text, ok := severityTexts[s]
	if !ok {
		return s.String()
	}
	return text.In(language.Parse(languageCode))
}

// maxShown is the maximum number of bytes of a stranger's text in a sentence.
const maxShown = 200

// names returns the first few strings of a list, joined by commas.
func names(l language.Language, list []string, most int) string {
	var shown []string
	for _, s := range list[:min(most, len(list))] {
		shown = append(shown, printable.Clipped(s, maxShown))
	}
	text := strings.Join(shown, ", ")
	if len(list) > most {
		return textAndMore.In(l, text, len(list)-most)
	}
	return text
}

// What changed.
var (
	textAndMore           = language.New("%[1]s and %[2]d more")
	textClosedSite        = language.New("the whole site is closed to all robots: %[1]s")
	textClosedSearch      = language.New("closed to search engines (%[1]s): %[2]s, for example %[3]s")
	textOpenedSite        = language.New("the whole site was closed, and is open to all robots: %[1]s")
	textClosed            = language.New("closed to %[1]s: %[2]s, for example %[3]s")
	textOpened            = language.New("open to %[1]s: %[2]s, for example %[3]s")
	textUndecided         = language.New("%[1]s: too many cases to decide")
	textRecords           = language.New("records changed: %[1]s")
	textStatus            = language.New("robots.txt answers %[1]s, and answered %[2]s before")
	textNoText            = language.New("robots.txt answers %[1]s, and leads to no text: robots may visit everything")
	textRedirects         = language.New("robots.txt redirects to %[1]s")
	textRedirectsNoLonger = language.New("robots.txt no longer redirects to %[1]s")
	textError             = language.New("lines of robots.txt do not do what they say: %[1]s (%[2]s: %[3]s)")
	textWarned            = language.New("lines of robots.txt may not do what they say: %[1]s (%[2]s: %[3]s)")
	textPageNow           = language.New("the page %[1]s says to search engines: %[2]s")
	textPage              = language.New("the page %[1]s says to search engines: %[2]s; before: %[3]s")
)

// What is wrong.
var (
	stageTexts = map[string]language.Text{stageCopy: textFailing, stageDay: textFailingDay,
		stageMonth: textFailingMonth}

	textFailing    = language.New("robots.txt has failed since %[1]s (%[2]s): robots use their copies for 24 hours")
	textFailingDay = language.New(
		"robots.txt has failed since %[1]s (%[2]s): copies have expired, and robots may stop visiting the site")
	textFailingMonth = language.New(
		"robots.txt has failed since %[1]s (%[2]s), for more than 30 days: robots may visit everything")
	textHTML      = language.New("an HTML page is in place of robots.txt (status %[1]s): robots find no rules there")
	textChallenge = language.New("a challenge page is in place of robots.txt (%[1]s): robots cannot read the rules")
	textEmpty     = language.New("robots.txt is empty: robots may visit everything; if that is meant, write a comment")
	textUnusable  = language.New(
		"the text in place of robots.txt has no line for robots, and begins with %[1]s: robots find no rules in it")
	textUTF16              = language.New("robots.txt is UTF-16: robots expect UTF-8, and find no rules in it")
	textCut                = language.New("robots.txt is longer than 500 KiB: robots ignore the rest")
	textClaim              = language.New("a claim does not hold: %[1]s (see %[2]s and %[3]s)")
	textUnexpected         = language.New("other rules than expected for %[1]s: %[2]s, for example %[3]s")
	textUnexpectedRecords  = language.New("other records than expected: %[1]s")
	textUnread             = language.New("the expected robots.txt cannot be read: %[1]s")
	textVantageAnswer      = language.New("another answer for %[1]s: %[2]s in place of %[3]s")
	textVantage            = language.New("other rules for %[1]s: %[2]s")
	textSitemap            = language.New("the sitemap %[1]s answers %[2]s")
	textCertificate        = language.New("the certificate ends at %[1]s")
	textCertificateInvalid = language.New("the certificate is not valid: %[1]s")
)

var sitemapTexts = map[string]language.Text{
	sitemapFailed:    language.New("the sitemap %[1]s cannot be fetched: %[2]s"),
	sitemapHTML:      language.New("an HTML page is in place of the sitemap %[1]s"),
	sitemapEmpty:     language.New("the sitemap %[1]s is empty: it names no page"),
	sitemapMalformed: language.New("the sitemap %[1]s is not well-formed: %[2]s"),
	sitemapLarge:     language.New("the sitemap %[1]s has more than 50 MiB or 50,000 entries: robots ignore the rest"),
}

// Severities and steps.
var (
	severityTexts = map[Severity]language.Text{
		Notice:   language.New("notice"),
		Warning:  language.New("warning"),
		Critical: language.New("critical"),
	}
	textNoted = language.New("noted")
	stepTexts = map[Step]language.Text{
		Begun:    language.New("new"),
		Changed:  language.New("changed"),
		Ended:    language.New("over"),
		Accepted: language.New("normal from now on"),
		Flapping: language.New("comes and goes"),
		Noted:    textNoted,
	}
)
