package sitemap

import (
	"net/mail"
	"strconv"
	"strings"
	"time"
)

// Precision tells how much of a date is known. The rest is that of its beginning: a
// month is the midnight of its first day.
type Precision uint8

// The precisions of W3C Datetime (https://www.w3.org/TR/NOTE-datetime).
const (
	NoDate Precision = iota
	Year
	Month
	Day
	Minute
	Second
	Fraction // of a second
)

var precisions = [...]string{"no date", "year", "month", "day", "minute", "second", "fraction"}

// String returns "year", "month", "day", "minute", "second", "fraction" or "no date".
func (p Precision) String() string {
	if int(p) < len(precisions) {
		return precisions[p]
	}
	return "unknown"
}

// firstYear is the first one that a page can be of: there was no Web before 1990.
// Earlier dates are what programs write that know none: years 1, 1601, 1900, 1970.
const firstYear = 1990

// parseDate reads a date, in UTC if it has no zone. It takes W3C Datetime, and what
// sites have in its place: parts that have one digit, other separators or none, a
// blank for the T, a zone without colon, two dates of which the first counts, the
// dates of mail, and seconds or milliseconds since 1970.
func parseDate(text []byte) (t time.Time, p Precision) {
	if len(text) == 0 || len(text) > 100 {
		return t, NoDate
	}
	t, p = parseISO(text)
	if p == NoDate {
		t, p = parseMail(string(text))
	}
	if p == NoDate || t.Year() < firstYear {
		return time.Time{}, NoDate
	}
	return t, p
}

// parseISO reads a date that begins with the year, or is a number of seconds. What
// comes after it is ignored.
func parseISO(text []byte) (t time.Time, p Precision) {
	d := cutter{text}
	n := d.digits()
	switch {
	case n == 10 && n == len(text):
		s, _ := strconv.ParseInt(string(text), 10, 64)
		return time.Unix(s, 0).UTC(), Second
	case n == 13 && n == len(text):
		s, _ := strconv.ParseInt(string(text), 10, 64)
		return time.UnixMilli(s).UTC(), Fraction
	case n == 8 || n == 14: // 20060102, 20060102150405
	case n != 4:
		return t, NoDate
	}
	compact := n != 4
	year, _ := d.number(4, 4)
	month, day := 1, 1
	p = Year
	if ok := true; compact || d.one("-/.") {
		if month, ok = d.number(1, 2); !ok {
			return t, NoDate
		}
		p = Month
		if compact || d.one("-/.") {
			if day, ok = d.number(1, 2); !ok {
				return t, NoDate
			}
			p = Day
		}
	}
	if p != Day && len(d.rest) > 0 { // 2006 things, 2006-01T15:04
		return t, NoDate
	}
	t = time.Date(year, time.Month(month), day, 0, 0, 0, 0, time.UTC)
	if t.Day() != day || int(t.Month()) != month {
		return time.Time{}, NoDate // there is no such day
	}
	if p < Day {
		return t, p
	}
	if clock, q := d.clock(n == 14); q != NoDate {
		t, p = t.Add(clock), q
	}
	return t.Add(-d.zone()), p
}

// clock reads a time of the day, such as T15:04:05.999, or if packed 150405. It
// returns NoDate, and reads nothing, if there is none.
func (d *cutter) clock(packed bool) (t time.Duration, p Precision) {
	r := *d
	if !packed && !r.one("Tt _") {
		return 0, NoDate
	}
	for r.one(" ") {
	}
	packed = packed || r.digits() == 6
	hour, ok := r.number(1, 2)
	if !ok || !packed && !r.one(":") {
		return 0, NoDate
	}
	minute, ok := r.number(2, 2)
	if !ok || hour > 24 || minute > 59 {
		return 0, NoDate
	}
	t, p = time.Duration(hour)*time.Hour+time.Duration(minute)*time.Minute, Minute
	seconds := r
	if packed || seconds.one(":") {
		// 60 is a second that was added.
		if second, ok := seconds.number(2, 2); ok && second <= 60 {
			r = seconds
			t, p = t+time.Duration(second)*time.Second, Second
			if parts := r; parts.one(".,") && parts.digits() > 0 {
				r, p = parts, Fraction
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

// zone reads how far a time is ahead of UTC: 0 if it does not say so.
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

// digits returns how many digits the text begins with.
func (d *cutter) digits() int {
	for i, c := range d.rest {
		if c < '0' || c > '9' {
			return i
		}
	}
	return len(d.rest)
}

// number reads a number of at least and at most so many digits.
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

// one reads one of these bytes.
func (d *cutter) one(of string) bool {
	if len(d.rest) == 0 || strings.IndexByte(of, d.rest[0]) < 0 {
		return false
	}
	d.rest = d.rest[1:]
	return true
}

// zones are those that RFC 822, section 5.1 has names for, with their hours.
var zones = map[string]int{
	"EST": -5, "EDT": -4, "CST": -6, "CDT": -5, "MST": -7, "MDT": -6, "PST": -8, "PDT": -7,
}

// parseMail reads a date of mail, as RSS has them (RFC 822, section 5).
func parseMail(text string) (time.Time, Precision) {
	t, err := mail.ParseDate(text)
	if err != nil {
		return t, NoDate
	}
	if name, offset := t.Zone(); offset == 0 {
		t = t.Add(-time.Duration(zones[name]) * time.Hour)
	}
	return t.UTC(), Second
}
