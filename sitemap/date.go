package sitemap

import (
	"net/mail"
	"strconv"
	"strings"
	"time"
)

// The precisions of W3C Datetime (https://www.w3.org/TR/NOTE-datetime). The missing parts of a
// date are those of its beginning: a month is the midnight of its first day.
const (
	noDate     = ""
	toYear     = "year"
	toMonth    = "month"
	toDay      = "day"
	toMinute   = "minute"
	toSecond   = "second"
	toFraction = "fraction" // of a second
)

// firstYear is the first year of a web page: there was no Web before 1990. Programs
// without a date write earlier years: 1, 1601, 1900, 1970.
const firstYear = 1990

// parseDate reads a date, in UTC if it has no zone. It accepts W3C Datetime, and the
// variants found on sites: parts of one digit, other separators or none, a blank for the
// T, a zone without colon, two dates, where the first counts, the dates of mail, and seconds or
// milliseconds since 1970.
func parseDate(text []byte) (t time.Time, p string) {
	if len(text) == 0 || len(text) > 100 {
		return t, noDate
	}
	t, p = parseISO(text)
	if p == noDate {
		t, p = parseMail(string(text))
	}
	if p == noDate || t.Year() < firstYear {
		return time.Time{}, noDate
	}
	return t, p
}

// parseISO reads a date that begins with the year, or is a number of seconds. It ignores
// the text after the date.
func parseISO(text []byte) (t time.Time, p string) {
	d := cutter{text}
	n := d.digits()
	switch {
	case n == 10 && n == len(text):
		s, _ := strconv.ParseInt(string(text), 10, 64)
		return time.Unix(s, 0).UTC(), toSecond
	case n == 13 && n == len(text):
		s, _ := strconv.ParseInt(string(text), 10, 64)
		return time.UnixMilli(s).UTC(), toFraction
	case n == 8 || n == 14: // 20060102, 20060102150405
	case n != 4:
		return t, noDate
	}
	compact := n != 4
	year, _ := d.number(4, 4)
	month, day := 1, 1
	p = toYear
	if ok := true; compact || d.one("-/.") {
		if month, ok = d.number(1, 2); !ok {
			return t, noDate
		}
		p = toMonth
		if compact || d.one("-/.") {
			if day, ok = d.number(1, 2); !ok {
				return t, noDate
			}
			p = toDay
		}
	}
	if p != toDay && len(d.rest) > 0 { // 2006 things, 2006-01T15:04
		return t, noDate
	}
	t = time.Date(year, time.Month(month), day, 0, 0, 0, 0, time.UTC)
	if t.Day() != day || int(t.Month()) != month {
		return time.Time{}, noDate // the day does not exist
	}
	if p != toDay {
		return t, p
	}
	if clock, q := d.clock(n == 14); q != noDate {
		t, p = t.Add(clock), q
	}
	return t.Add(-d.zone()), p
}

// clock reads a time of the day, such as T15:04:05.999, or if packed 150405. If the time
// is missing, it returns noDate and reads nothing.
func (d *cutter) clock(packed bool) (t time.Duration, p string) {
	r := *d
	if !packed && !r.one("Tt _") {
		return 0, noDate
	}
	for r.one(" ") {
	}
	packed = packed || r.digits() == 6
	hour, ok := r.number(1, 2)
	if !ok || !packed && !r.one(":") {
		return 0, noDate
	}
	minute, ok := r.number(2, 2)
	if !ok || hour > 24 || minute > 59 {
		return 0, noDate
	}
	t, p = time.Duration(hour)*time.Hour+time.Duration(minute)*time.Minute, toMinute
	seconds := r
	if packed || seconds.one(":") {
		// 60 is a leap second.
		if second, ok := seconds.number(2, 2); ok && second <= 60 {
			r = seconds
			t, p = t+time.Duration(second)*time.Second, toSecond
			if parts := r; parts.one(".,") && parts.digits() > 0 {
				r, p = parts, toFraction
				for unit := time.Second / 10; r.digits() > 0; unit /= 10 {
					n, _ := r.number(1, 1)
					t += time.Duration(n) * unit
				}
			}
		}
	}
	*d = r
	return t, p
}

// zone reads the offset from UTC: 0 if the text has no zone.
func (d *cutter) zone() time.Duration {
	for d.one(" ") {
	}
	sign := time.Duration(1)
	switch {
	case d.one("+"):
	case d.one("-"):
		sign = -1
	default:
		return 0
	}
	hours, ok := d.number(1, 2)
	if !ok || hours > 24 {
		return 0
	}
	d.one(":")
	minutes, ok := d.number(2, 2)
	if !ok || minutes > 59 {
		minutes = 0
	}
	return sign * (time.Duration(hours)*time.Hour + time.Duration(minutes)*time.Minute)
}

// A cutter reads from the start of a text.
type cutter struct{ rest []byte }

// digits returns the number of leading digits.
func (d *cutter) digits() int {
	for i, c := range d.rest {
		if c < '0' || c > '9' {
			return i
		}
	}
	return len(d.rest)
}

// number reads a number with a minimum and a maximum of digits.
func (d *cutter) number(least, most int) (n int, ok bool) {
	k := min(d.digits(), most)
	if k < least {
		return 0, false
	}
	for _, c := range d.rest[:k] {
		n = 10*n + int(c-'0')
	}
	d.rest = d.rest[k:]
	return n, true
}

// one reads one byte if it is one of these.
func (d *cutter) one(of string) bool {
	if len(d.rest) == 0 || strings.IndexByte(of, d.rest[0]) < 0 {
		return false
	}
	d.rest = d.rest[1:]
	return true
}

// zones are the named zones of RFC 822, section 5.1, with their hours.
var zones = map[string]int{
	"EST": -5, "EDT": -4, "CST": -6, "CDT": -5, "MST": -7, "MDT": -6, "PST": -8, "PDT": -7,
}

// parseMail reads a date of mail, as used by RSS (RFC 822, section 5).
func parseMail(text string) (time.Time, string) {
	t, err := mail.ParseDate(text)
	if err != nil {
		return t, noDate
	}
	if name, offset := t.Zone(); offset == 0 {
		t = t.Add(-time.Duration(zones[name]) * time.Hour)
	}
	return t.UTC(), toSecond
}
