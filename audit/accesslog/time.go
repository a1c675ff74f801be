package accesslog

import (
	"time"
)

// A moment is a time as a line has it. Without a zone, seconds are those of a clock in UTC that
// shows the same.
type moment struct {
	seconds int64 // since 1970
	nanos   int64
	zoned   bool
}

// in returns the time of m. A time without a zone is one in the location.
func (m moment) in(l *time.Location) time.Time {
	t := time.Unix(m.seconds, m.nanos).UTC()
	if m.zoned || l == nil || l == time.UTC {
		return t
	}
	return time.Date(t.Year(), t.Month(), t.Day(), t.Hour(), t.Minute(), t.Second(), t.Nanosecond(), l).UTC()
}

// parseTime reads a time of day with its date, in one of the forms that servers write:
//
//	17/May/2015:10:05:03 +0000        nginx, Apache; HAProxy without a zone, with milliseconds
//	2015-05-17T10:05:03.123+02:00     ISO 8601; with a blank in place of T, with "/" in the date
//	November 17, 2015T10:05:03 +0000  names of months
//	1431857103.123                    seconds, milliseconds, microseconds or nanoseconds since 1970
func parseTime(b []byte) (moment, bool) {
	if len(b) > 11 && b[2] == '/' {
		return parseCommonTime(b)
	}
	if len(b) > 10 && (b[4] == '-' || b[4] == '/') {
		return parseISOTime(b)
	}
	if len(b) > 0 && b[0]-'0' <= 9 {
		return parseEpoch(b)
	}
	return parseNamedTime(b)
}

func parseCommonTime(b []byte) (m moment, ok bool) {
	d, ok1 := digits(b[:2])
	month, ok2 := parseMonth(b[3:])
	if !ok1 || !ok2 || b[6] != '/' {
		return m, false
	}
	y, ok := digits(b[7:11])
	if !ok || len(b) < 20 || b[11] != ':' {
		return m, false
	}
	return parseClock(b[12:], y, month, d)
}

func parseISOTime(b []byte) (m moment, ok bool) {
	y, ok1 := digits(b[:4])
	month, ok2 := digits(b[5:7])
	d, ok3 := digits(b[8:10])
	if !ok1 || !ok2 || !ok3 || b[7] != b[4] || b[10] != 'T' && b[10] != ' ' && b[10] != ':' {
		return m, false
	}
	return parseClock(b[11:], y, month, d)
}

// parseNamedTime reads a date that begins with the name of its month.
func parseNamedTime(b []byte) (m moment, ok bool) {
	if len(b) < 3 {
		return m, false
	}
	month, ok := parseMonth(b)
	for len(b) > 0 && b[0] != ' ' {
		b = b[1:]
	}
	d, b, ok1 := leadingNumber(trimBlanks(b), 2)
	if !ok || !ok1 || len(b) < 7 || b[0] != ',' || b[1] != ' ' {
		return m, false
	}
	y, ok := digits(b[2:6])
	if !ok || b[6] != 'T' && b[6] != ' ' {
		return m, false
	}
	return parseClock(b[7:], y, month, d)
}

// parseClock reads the time of day, with fractions of seconds and the zone, of a date.
func parseClock(b []byte, y, month, d int) (m moment, ok bool) {
	if len(b) < 8 || b[2] != ':' || b[5] != ':' {
		return m, false
	}
	h, ok1 := digits(b[:2])
	minute, ok2 := digits(b[3:5])
	s, ok3 := digits(b[6:8])
	if !ok1 || !ok2 || !ok3 || h > 23 || minute > 59 || s > 60 {
		return m, false
	}
	days, ok := daysSince1970(y, month, d)
	if !ok {
		return m, false
	}
	m.seconds = days*86400 + int64(h*3600+minute*60+s)
	b = b[8:]
	if len(b) > 1 && (b[0] == '.' || b[0] == ',') {
		m.nanos, b = fraction(b[1:])
	}
	if len(b) == 0 {
		return m, true
	}
	m.zoned = true
	if b[0] == ' ' {
		b = b[1:]
	}
	offset, ok := parseZone(b)
	m.seconds -= offset
	return m, ok
}

// fraction reads the digits of a fraction of a second. It ignores digits after the ninth.
func fraction(b []byte) (nanos int64, rest []byte) {
	unit := int64(100_000_000)
	for len(b) > 0 && b[0]-'0' <= 9 {
		nanos += int64(b[0]-'0') * unit
		unit /= 10
		b = b[1:]
	}
	return nanos, b
}

// parseZone reads "Z", "UTC", "GMT", "+0200", "+02:00" or "+02".
func parseZone(b []byte) (seconds int64, ok bool) {
	switch string(b) {
	case "Z", "z", "UTC", "GMT", "+0000":
		return 0, true
	}
	if len(b) < 3 || b[0] != '+' && b[0] != '-' {
		return 0, false
	}
	h, ok := digits(b[1:3])
	if !ok || h > 14 {
		return 0, false
	}
	minute := 0
	if rest := b[3:]; len(rest) > 0 {
		if rest[0] == ':' {
			rest = rest[1:]
		}
		if len(rest) != 2 {
			return 0, false
		}
		if minute, ok = digits(rest); !ok || minute > 59 {
			return 0, false
		}
	}
	seconds = int64(h*3600 + minute*60)
	if b[0] == '-' {
		seconds = -seconds
	}
	return seconds, true
}

// parseEpoch reads a number of seconds, milliseconds, microseconds or nanoseconds since 1970. The
// unit follows from the size of the number: seconds have ten digits from 2001 to 2286.
func parseEpoch(b []byte) (m moment, ok bool) {
	whole, rest, ok := leadingNumber64(b)
	if !ok {
		return m, false
	}
	m.zoned = true
	switch {
	case whole < 1e11:
		m.seconds = whole
	case whole < 1e14:
		m.seconds, m.nanos = whole/1e3, whole%1e3*1e6
	case whole < 1e17:
		m.seconds, m.nanos = whole/1e6, whole%1e6*1e3
	default:
		m.seconds, m.nanos = whole/1e9, whole%1e9
	}
	if len(rest) > 1 && rest[0] == '.' {
		nanos, tail := fraction(rest[1:])
		if whole < 1e11 {
			m.nanos = nanos
		}
		rest = tail
	}
	return m, len(rest) == 0
}

// daysSince1970 counts days in the Gregorian calendar. It refuses a day that does not exist.
func daysSince1970(y, month, d int) (int64, bool) {
	if month < 1 || month > 12 || d < 1 || d > daysIn(y, month) {
		return 0, false
	}
	// The year begins in March, so that a leap day is its last. 400 years are added, so that
	// none is negative.
	y += 400
	if month <= 2 {
		y--
		month += 12
	}
	days := 365*y + y/4 - y/100 + y/400 + (153*(month-3)+2)/5 + d - 1
	return int64(days) - 719468 - 146097, true
}

func daysIn(y, month int) int {
	switch month {
	case 2:
		if y%4 == 0 && (y%100 != 0 || y%400 == 0) {
			return 29
		}
		return 28
	case 4, 6, 9, 11:
		return 30
	}
	return 31
}

// parseMonth reads the first three letters of the English name of a month.
func parseMonth(b []byte) (int, bool) {
	const names = "janfebmaraprmayjunjulaugsepoctnovdec"
	a, c, d := b[0]|0x20, b[1]|0x20, b[2]|0x20
	for i := 0; i < len(names); i += 3 {
		if names[i+2] == d && names[i+1] == c && names[i] == a {
			return i/3 + 1, true
		}
	}
	return 0, false
}

// digits reads all of b as a number.
func digits(b []byte) (n int, ok bool) {
	for _, c := range b {
		if c -= '0'; c > 9 {
			return 0, false
		}
		n = n*10 + int(c)
	}
	return n, true
}

// leadingNumber reads a number at the beginning of b, with at most the given number of digits.
func leadingNumber(b []byte, most int) (n int, rest []byte, ok bool) {
	i := 0
	for i < len(b) && i < most && b[i]-'0' <= 9 {
		n = n*10 + int(b[i]-'0')
		i++
	}
	return n, b[i:], i > 0
}

func leadingNumber64(b []byte) (n int64, rest []byte, ok bool) {
	i := 0
	for i < len(b) && i < 18 && b[i]-'0' <= 9 {
		n = n*10 + int64(b[i]-'0')
		i++
	}
	if i < len(b) && b[i]-'0' <= 9 { // nanoseconds have nineteen digits
		if c := int64(b[i] - '0'); i == 18 && n <= (1<<63-1-c)/10 {
			n = n*10 + c
			i++
		} else {
			return 0, nil, false
		}
	}
	return n, b[i:], i > 0 && (i == len(b) || b[i]-'0' > 9)
}

func trimBlanks(b []byte) []byte {
	for len(b) > 0 && b[0] == ' ' {
		b = b[1:]
	}
	return b
}
