package page

import (
	"strings"
	"time"

	"github.com/robotsexclusion/robots/internal/html/htmltoken"
)

// longestDate is the number of words of the longest date: Fri, 25 Jun 2010 3:00:00 PM GMT.
const longestDate = 7

// longestWord exceeds the length in bytes of any day with time and zone.
const longestWord = 64

// parseDate parses the date at the start of words, in the forms of RFC 822, RFC 850 and ISO
// 8601, and returns the number of its words, or 0 if there is no date. Three further common
// forms are unambiguous and accepted too: June 25, 2010; the asctime form Fri Jun 25 15:00:00
// 2010; and 2010/06/25. The time of day may be in 12-hour form, as in 3:00 PM. The day of the
// week is not checked. A missing time of day is midnight. A missing zone is UTC, and so is a
// zone whose name is not in RFC 822. Two-digit years are 1969 to 2068. Fractions of a second
// are dropped.
func parseDate(words []string) (t time.Time, used int) {
	rest := words
	if len(rest) > 0 && named(strings.TrimSuffix(rest[0], "."), weekdays[:]) > 0 {
		rest = rest[1:]
	}
	if len(rest) == 0 || len(rest[0]) > longestWord {
		return t, 0
	}
	var hour time.Duration
	var z zone
	var timed bool
	if day, clock, ok := cutISO(rest[0]); ok {
		if t, used = parseDay([]string{day}); used == 0 {
			return t, 0
		}
		if hour, z, timed = parseClock(clock, true); !timed {
			return time.Time{}, 0
		}
		rest = rest[1:]
	} else if t, rest, hour, z, timed = parseASCTime(rest); !timed {
		if t, used = parseDay(rest); used == 0 {
			return t, 0
		}
		if rest = rest[used:]; len(rest) > 0 {
			if hour, z, timed = parseClock(rest[0], false); timed {
				rest = rest[1:]
			}
		}
		if timed && !z.known && len(rest) > 0 {
			if of, ok := hourOf(hour, rest[0]); ok {
				hour, rest = of, rest[1:]
			}
		}
	}
	if timed && !z.known && len(rest) > 0 {
		if z = parseZone(rest[0]); z.known {
			rest = rest[1:]
		}
	}
	if timed {
		t = t.Add(hour - z.offset)
	}
	return t, len(words) - len(rest)
}

// parseASCTime parses a date as C's asctime writes it, without the day of the week. The year is
// after the time, and a zone may be between them.
func parseASCTime(words []string) (t time.Time, rest []string, hour time.Duration, z zone, ok bool) {
	if len(words) < 4 || named(words[0], months[:]) == 0 {
		return t, words, 0, z, false
	}
	if hour, z, ok = parseClock(words[2], false); !ok || z.known {
		return t, words, 0, zone{}, false
	}
	year := words[3]
	rest = words[4:]
	if between := parseZone(year); between.known && len(rest) > 0 {
		z, year, rest = between, rest[0], rest[1:]
	}
	if len(year) != 4 {
		return t, words, 0, zone{}, false
	}
	t, used := makeDay(year, named(words[0], months[:]), words[1], 1)
	if used == 0 {
		return t, words, 0, zone{}, false
	}
	return t, rest, hour, z, true
}

// hourOf converts a 12-hour time to the time of day, for the half AM or PM.
func hourOf(t time.Duration, half string) (time.Duration, bool) {
	if t < time.Hour || t >= 13*time.Hour {
		return t, false
	}
	switch t %= 12 * time.Hour; htmltoken.Lower(half) {
	case "am", "a.m.":
		return t, true
	case "pm", "p.m.":
		return t + 12*time.Hour, true
	}
	return 0, false
}

// cutISO splits a word of ISO 8601 into the day and the time after the T.
func cutISO(word string) (day, clock string, ok bool) {
	for _, n := range [...]int{len("2006-01-02"), len("20060102")} {
		if len(word) > n && word[n]|0x20 == 't' && isNumber(word[:4]) {
			return word[:n], word[n+1:], true
		}
	}
	return "", "", false
}

// parseDay parses the day at the start of words, and returns the number of its words.
func parseDay(words []string) (t time.Time, used int) {
	word := words[0]
	if len(word) == len("20060102") && isNumber(word) {
		return makeDay(word[:4], number(word[4:6]), word[6:], 1)
	}
	if len(word) == len("2010/06/25") && word[4] == '/' && word[7] == '/' && isNumber(word[5:7]) {
		return makeDay(word[:4], number(word[5:7]), word[8:], 1)
	}
	if month := named(strings.TrimSuffix(word, "."), months[:]); month > 0 && len(words) >= 3 && len(words[2]) == 4 {
		return makeDay(words[2], month, words[1], 3)
	}
	parts := strings.Split(word, "-")
	switch {
	case len(parts) == 3 && len(parts[0]) == 4:
		if len(parts[1]) != 2 || len(parts[2]) != 2 || !isNumber(parts[1]) {
			return t, 0
		}
		return makeDay(parts[0], number(parts[1]), parts[2], 1)
	case len(parts) == 3:
		return makeDay(parts[2], named(parts[1], months[:]), parts[0], 1)
	case len(parts) == 1 && len(words) >= 3:
		return makeDay(words[2], named(words[1], months[:]), words[0], 3)
	}
	return t, 0
}

// makeDay returns the day and used, or 0 if the day does not exist.
func makeDay(year string, month int, day string, used int) (time.Time, int) {
	if !isNumber(year) || !isNumber(day) || len(day) > 2 || len(year) != 2 && len(year) != 4 || month < 1 ||
		month > 12 {
		return time.Time{}, 0
	}
	y, d := number(year), number(day)
	switch {
	case len(year) == 4:
	case y < 69:
		y += 2000
	default:
		y += 1900
	}
	t := time.Date(y, time.Month(month), d, 0, 0, 0, 0, time.UTC)
	if t.Day() != d || y < 1900 { // the day does not exist, or the year is absurd
		return time.Time{}, 0
	}
	return t, used
}

// A zone is the offset of local time from UTC.
type zone struct {
	offset time.Duration
	known  bool
}

// parseClock parses a time of day, such as 15:00 or 15:00:00, optionally with a zone, AM or PM
// directly after it. basic also allows the form 150000 of ISO 8601.
func parseClock(s string, basic bool) (t time.Duration, z zone, ok bool) {
	if i := strings.IndexFunc(s, func(c rune) bool { return (c < '0' || c > '9') && c != ':' && c != '.' }); i >= 0 {
		if z = parseZone(s[i:]); !z.known {
			if t, _, ok = parseClock(s[:i], false); ok && !basic {
				t, ok = hourOf(t, s[i:])
			} else {
				ok = false
			}
			return t, z, ok
		}
		s = s[:i]
	}
	s, fraction, has := strings.Cut(s, ".")
	if has && !isNumber(fraction) {
		return 0, z, false
	}
	parts := strings.Split(s, ":")
	if basic && isNumber(s) && (len(s) == 4 || len(s) == 6) {
		parts = []string{s[:2], s[2:4], s[4:]}[:len(s)/2]
	}
	if len(parts) < 2 || len(parts) > 3 {
		return 0, z, false
	}
	for i, part := range parts {
		most := [...]int{23, 59, 60}[i] // 60 is a leap second
		if !isNumber(part) || len(part) > 2 || len(part) < 2 && i > 0 || number(part) > most {
			return 0, z, false
		}
		t += time.Duration(number(part)) * [...]time.Duration{time.Hour, time.Minute, time.Second}[i]
	}
	return t, z, !has || len(parts) == 3
}

// parseZone parses a zone: a name of RFC 822, or an offset such as +0100, +01:00 or +01.
func parseZone(s string) zone {
	if s == "" {
		return zone{}
	}
	if s[0] == '+' || s[0] == '-' {
		hour, minute := s[1:], "00"
		switch len(hour) {
		case len("01:00"):
			if hour[2] != ':' {
				return zone{}
			}
			hour, minute = hour[:2], hour[3:]
		case len("0100"):
			hour, minute = hour[:2], hour[2:]
		case len("01"):
		default:
			return zone{}
		}
		if !isNumber(hour) || !isNumber(minute) || number(hour) > 23 || number(minute) > 59 {
			return zone{}
		}
		offset := time.Duration(number(hour))*time.Hour + time.Duration(number(minute))*time.Minute
		if s[0] == '-' {
			offset = -offset
		}
		return zone{offset, true}
	}
	for _, z := range zones {
		if htmltoken.EqualFold(s, z.name) {
			return zone{time.Duration(z.hours) * time.Hour, true}
		}
	}
	return zone{}
}

var zones = [...]struct {
	name  string
	hours int
}{
	{"gmt", 0}, {"utc", 0}, {"ut", 0}, {"z", 0},
	{"est", -5}, {"edt", -4}, {"cst", -6}, {"cdt", -5}, {"mst", -7}, {"mdt", -6}, {"pst", -8}, {"pdt", -7},
}

var weekdays = [...]string{"monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"}

var months = [...]string{
	"january", "february", "march", "april", "may", "june",
	"july", "august", "september", "october", "november", "december",
}

// named returns the number of a name in names, starting at 1, or 0. The name may be written in
// full or with its first three letters.
func named(s string, names []string) int {
	for i, name := range names {
		if htmltoken.EqualFold(s, name) || htmltoken.EqualFold(s, name[:3]) {
			return i + 1
		}
	}
	return 0
}

func isNumber(s string) bool {
	for _, c := range []byte(s) {
		if c < '0' || c > '9' {
			return false
		}
	}
	return s != ""
}

// number parses a few digits.
func number(s string) (n int) {
	for _, c := range []byte(s) {
		n = n*10 + int(c-'0')
	}
	return n
}
