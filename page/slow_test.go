package page_test

import (
	"bytes"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"golang.org/x/net/html"
	"golang.org/x/net/html/charset"

	"github.com/robotsexclusion/robots/internal/html/slowtoken"
	"github.com/robotsexclusion/robots/page"
)

// This file reads values and pages a second time: plainly, from the
// documentation alone, and with everything in memory.

// A slowDirective is what both ways of reading have to agree on.
type slowDirective struct {
	robot, name, value string
	time               time.Time
	bad                bool
	line               int
}

func plain(d page.Directive) slowDirective {
	s := slowDirective{robot: d.Robot, name: d.Name, value: d.Value, bad: d.Err != nil, line: d.Source.Line}
	if d.Name == "unavailable_after" {
		// Its value is whatever text the date took up.
		s.value = ""
		s.time, _ = d.Time()
	}
	return s
}

func plainAll(directives []page.Directive) (all []slowDirective) {
	for _, d := range directives {
		all = append(all, plain(d))
	}
	return all
}

var slowTerms = strings.Fields(`all none index noindex follow nofollow archive noarchive cache nocache snippet
	nosnippet max-snippet max-image-preview max-video-preview translate notranslate imageindex noimageindex
	indexifembedded unavailable_after noai noml allowaitraining disallowaitraining noimageai odp noodp noydir noyaca nositelinkssearchbox nopagereadaloud`)

var (
	slowNumber  = regexp.MustCompile(`^([0-9]+|-1)$`)
	slowPreview = regexp.MustCompile(`^(?i:none|standard|large)$`)
)

func lower(s string) string {
	return strings.Map(func(c rune) rune {
		if 'A' <= c && c <= 'Z' {
			return c + 'a' - 'A'
		}
		return c
	}, strings.ToValidUTF8(s, "\uFFFD"))
}

// slowHead returns what stands before a colon.
func slowHead(word string) string { return strings.SplitN(word, ":", 2)[0] }

func slowKnown(word string) bool { return slices.Contains(slowTerms, lower(slowHead(word))) }

// slowValue reads the value of a header or META tag. It cuts the text into
// words and commas, and takes them off the front of this list.
func slowValue(text, robot string) (found []slowDirective) {
	text = strings.NewReplacer(",", " , ", ";", " , ").Replace(text)
	words := strings.FieldsFunc(text, unicode.IsSpace)
	// The value after a colon, if the list begins with one.
	value := func(is func(string) bool) string {
		if len(words) == 0 || words[0] == "," || !is(words[0]) {
			return ""
		}
		v := words[0]
		words = words[1:]
		return v
	}
	anything := func(word string) bool { return !slowKnown(word) && !strings.Contains(word, ":") }
	for len(words) > 0 {
		head, tail, colon := strings.Cut(words[0], ":")
		words = words[1:]
		switch {
		case tail != "":
			words = append([]string{tail}, words...)
		case !colon && len(words) > 0 && words[0][0] == ':':
			colon = true
			words = append([]string{words[0][1:]}, words[1:]...)
			if words[0] == "" {
				words = words[1:]
			}
		}
		name := lower(head)
		d := slowDirective{robot: robot, name: name}
		switch {
		case name == "" || name == ",":
			continue
		case !slowKnown(name) && colon && len(words) > 0 && slowKnown(words[0]):
			if robot = name; robot == "robots" || robot == "*" {
				robot = ""
			} else if token := strings.TrimRight(robot, "*"); token != "" {
				robot = token
			}
			continue
		case !slowKnown(name):
			if colon {
				d.value = value(anything)
			}
		case name == "max-snippet" || name == "max-video-preview":
			if colon {
				d.value = value(anything)
			}
			d.bad = !slowNumber.MatchString(d.value)
		case name == "max-image-preview":
			if colon {
				d.value = value(func(word string) bool { return slowPreview.MatchString(word) || anything(word) })
			}
			d.bad = !slowPreview.MatchString(d.value)
		case name == "unavailable_after":
			d.bad = true
			if !colon {
				break
			}
			if t, rest, ok := slowDate(words); ok {
				d.time, d.bad, words = t, false, rest
				break
			}
			for len(words) > 0 && words[0] != "," && !slowKnown(words[0]) {
				words = words[1:]
			}
		}
		found = append(found, d)
	}
	return found
}

const slowMonths = `jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec|january|february|march|april|june|july|august|september|october|november|december`

// slowDates has the kinds of dates: day and time in one word, in several, and with the
// year at the end. The groups are named for what they have.
var slowDates = []*regexp.Regexp{
	regexp.MustCompile(`^(?i:(?:WEEKDAY )?(?:(?P<y1>\d{4})-(?P<m1>\d\d)-(?P<d1>\d\d)|(?P<y2>\d{4})(?P<m2>\d\d)(?P<d2>\d\d))[t]` +
		`(?:(?P<hour1>\d\d?):(?P<minute1>\d\d)(?::(?P<second1>\d\d)(?:\.\d+)?)?|(?P<hour2>\d\d)(?P<minute2>\d\d)(?:(?P<second2>\d\d)(?:\.\d+)?)?)(?: ?(?P<zone>ZONE))?)$`),
	regexp.MustCompile(`^(?i:(?:WEEKDAY )?(?:(?P<y1>\d{4})-(?P<m1>\d\d)-(?P<d1>\d\d)|(?P<y2>\d{4})(?P<m2>\d\d)(?P<d2>\d\d)|(?P<y3>\d{4})/(?P<m3>\d\d)/(?P<d3>\d\d)|` +
		`(?P<d4>\d\d?)[- ](?P<m4>MONTH)[- ](?P<y4>\d\d|\d{4})|(?P<m5>MONTH)\.? (?P<d5>\d\d?) (?P<y5>\d{4}))` +
		`(?: (?P<hour1>\d\d?):(?P<minute1>\d\d)(?::(?P<second1>\d\d)(?:\.\d+)?)?(?: ?(?P<half>am|pm|a\.m\.|p\.m\.))?(?: ?(?P<zone>ZONE))?)?)$`),
	regexp.MustCompile(`^(?i:(?:WEEKDAY )?(?P<m1>MONTH) (?P<d1>\d\d?) (?P<hour1>\d\d?):(?P<minute1>\d\d)(?::(?P<second1>\d\d)(?:\.\d+)?)?(?: (?P<zone>ZONE))? (?P<y1>\d{4}))$`),
}

func init() {
	for i, r := range slowDates {
		s := strings.NewReplacer(
			"WEEKDAY", `(?:mon|tue|wed|thu|fri|sat|sun|monday|tuesday|wednesday|thursday|friday|saturday|sunday)\.?`,
			"MONTH", slowMonths,
			"ZONE", `gmt|utc|ut|z|[ecmp][sd]t|[+-](?:[01]\d|2[0-3])(?::?[0-5]\d)?`,
		).Replace(r.String())
		slowDates[i] = regexp.MustCompile(s)
	}
}

// slowDate reads the longest date that words begin with.
func slowDate(words []string) (t time.Time, rest []string, ok bool) {
	var text []string
	for i, word := range words {
		if word == "," {
			continue
		}
		if text = append(text, word); len(text) > 7 {
			break
		}
		for _, r := range slowDates {
			date := strings.Join(text, " ")
			m := r.FindStringSubmatch(date)
			if m == nil || slowHyphens(date) {
				continue
			}
			groups := make(map[string]string)
			for i, name := range r.SubexpNames() {
				if name = strings.TrimRight(name, "12345"); m[i] != "" {
					groups[name] = m[i]
				}
			}
			if read, valid := slowTime(groups); valid {
				t, rest, ok = read, words[i+1:], true
			}
		}
	}
	return t, rest, ok
}

// slowHyphens reports whether a text has a day such as 25-Jun 2010.
func slowHyphens(text string) bool {
	return regexp.MustCompile(`^(?i:(?:[a-z]+\.? )?\d+(?:-[a-z]+ | [a-z]+-)\d+)`).MatchString(text)
}

func slowTime(groups map[string]string) (t time.Time, ok bool) {
	atoi := func(s string) int {
		n, _ := strconv.Atoi(s)
		return n
	}
	y, mon, d := atoi(groups["y"]), atoi(groups["m"]), atoi(groups["d"])
	if mon == 0 && len(groups["m"]) > 2 {
		mon = 1 + slices.Index(strings.Split(slowMonths, "|")[:12], lower(groups["m"])[:3])
	}
	if len(groups["y"]) == 2 {
		y += 1900
		if y < 1969 {
			y += 100
		}
	}
	zone := groups["zone"]
	hour, minute, second := atoi(groups["hour"]), atoi(groups["minute"]), atoi(groups["second"])
	if y < 1900 || mon < 1 || mon > 12 || hour > 23 || minute > 59 || second > 60 {
		return t, false
	}
	if half := groups["half"]; half != "" {
		if hour < 1 || hour > 12 {
			return t, false
		}
		if hour %= 12; lower(half)[0] == 'p' {
			hour += 12
		}
	}
	if d < 1 || d > time.Date(y, time.Month(mon)+1, 0, 0, 0, 0, 0, time.UTC).Day() {
		return t, false
	}
	offset := 0 // minutes
	switch zone = lower(zone); {
	case zone != "" && strings.Contains("+-", zone[:1]):
		digits := strings.ReplaceAll(zone[1:], ":", "") + "00"
		offset = atoi(digits[:2])*60 + atoi(digits[2:4])
		if zone[0] == '-' {
			offset = -offset
		}
	case len(zone) == 3 && strings.HasSuffix(zone, "t") && zone != "gmt":
		offset = -60 * (5 + strings.Index("ecmp", zone[:1]))
		if zone[1] == 'd' {
			offset += 60
		}
	}
	return time.Date(y, time.Month(mon), d, hour, minute-offset, second, 0, time.UTC), true
}

var (
	slowChar = regexp.MustCompile(`^(?:[\x00-\x7f]|[\xc2-\xdf][\x80-\xbf]|\xe0[\xa0-\xbf][\x80-\xbf]|[\xe1-\xec\xee\xef][\x80-\xbf]{2}|` +
		`\xed[\x80-\x9f][\x80-\xbf]|\xf0[\x90-\xbf][\x80-\xbf]{2}|[\xf1-\xf3][\x80-\xbf]{3}|\xf4[\x80-\x8f][\x80-\xbf]{2})`)
	slowPart = regexp.MustCompile(`^(?:\xe0[\xa0-\xbf]|[\xe1-\xec\xee\xef][\x80-\xbf]|\xed[\x80-\x9f]|\xf0[\x90-\xbf][\x80-\xbf]?|` +
		`[\xf1-\xf3][\x80-\xbf]{1,2}|\xf4[\x80-\x8f][\x80-\xbf]?)`)
)

// slowUTF8 decodes a text by patterns of what a character and a part of one are. A letter
// of the text that they go through stands for a byte.
func slowUTF8(data []byte) string {
	if utf8.Valid(data) {
		return string(data) // patterns take their time
	}
	var b strings.Builder
	for i := 0; i < len(data); {
		var text strings.Builder
		for _, c := range data[i:min(i+4, len(data))] {
			text.WriteRune(rune(c))
		}
		if m := slowChar.FindString(text.String()); m != "" {
			n := utf8.RuneCountInString(m)
			b.Write(data[i : i+n])
			i += n
			continue
		}
		b.WriteRune(utf8.RuneError)
		i += max(1, utf8.RuneCountInString(slowPart.FindString(text.String())))
	}
	return b.String()
}

// A slowDoc is what both ways of reading a page have to agree on.
type slowDoc struct {
	directives []slowDirective
	title      string
	sections   [][2]int64
	links      []string
}

var slowLineEnd = regexp.MustCompile("\r\n|\r|\n")

// slowRead reads a page in a known encoding: it converts the whole page, splits it into tokens,
// and looks at each. It ignores SVG and MathML: see slowTree.
func slowRead(data []byte, encoding string) (d slowDoc) {
	data = bytes.TrimPrefix(data, []byte("\xef\xbb\xbf"))
	before := len(data)
	if encoding != "utf-8" {
		e, _ := charset.Lookup(encoding)
		data, _ = e.NewDecoder().Bytes(data)
	} else {
		data = []byte(slowUTF8(data))
	}
	offsets := len(data) == before // else those of the text are not those of the page
	z := slowtoken.New(data)
	at, next, templates, depth := 0, 1, 0, 0
	inTitle, titled, sectionName := false, false, ""
	for {
		token, raw := z.Next()
		kind := token.Type
		if kind == html.ErrorToken {
			break
		}
		start := at
		at += len(raw)
		line := next
		next += len(slowLineEnd.FindAllString(raw, -1)) // none is in two tokens
		section := token.Data == "div" || token.Data == "span" || token.Data == "section"
		switch kind {
		case html.StartTagToken, html.SelfClosingTagToken:
			inTitle = token.Data == "title" && templates == 0
			attr := make(map[string]string)
			for _, a := range token.Attr {
				if _, ok := attr[a.Key]; !ok {
					attr[a.Key] = a.Val
				}
			}
			switch token.Data {
			case "template":
				templates++
			}
			if _, ok := attr["data-nosnippet"]; ok && section && depth == 0 && templates == 0 {
				d.sections = append(d.sections, [2]int64{int64(start), -1})
				depth = 1
				sectionName = token.Data
			} else if depth > 0 && token.Data == sectionName {
				depth++
			}
			if templates > 0 {
				break
			}
			switch token.Data {
			case "a", "area", "link":
				if strings.TrimFunc(attr["href"], func(c rune) bool { return c <= ' ' }) != "" {
					d.links = append(d.links, token.Data)
				}
			case "frame", "iframe":
				if strings.TrimFunc(attr["src"], func(c rune) bool { return c <= ' ' }) != "" {
					d.links = append(d.links, token.Data)
				}
			case "meta":
				equiv := lower(strings.TrimSpace(attr["http-equiv"]))
				if equiv == "robots" || equiv == "x-robots-tag" {
					for _, s := range slowValue(attr["content"], "") {
						s.line, s.bad = line, true
						d.directives = append(d.directives, s)
					}
				}
				if lower(strings.TrimSpace(attr["name"])) == "robots" {
					for _, s := range slowValue(attr["content"], "") {
						s.line = line
						d.directives = append(d.directives, s)
					}
				}
			}
		case html.TextToken:
			if inTitle && !titled && strings.TrimSpace(raw) != "" {
				d.title = strings.Join(strings.Fields(token.Data), " ")
				titled = true
			}
		case html.EndTagToken:
			inTitle = false
			switch {
			case token.Data == "template" && templates > 0:
				templates--
			}
			if depth > 0 && token.Data == sectionName {
				if depth--; depth == 0 {
					d.sections[len(d.sections)-1][1] = int64(at)
				}
			}
		}
	}
	if !offsets {
		d.sections = nil
	}
	if depth > 0 && d.sections != nil {
		d.sections[len(d.sections)-1][1] = int64(len(data))
	}
	return d
}
