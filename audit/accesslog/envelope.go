package accesslog

import (
	"bytes"
	"strings"
)

// An envelope is what programs that move logs put around a line.
type envelope struct {
	name string
	// open returns the line in an envelope, or nil if the text is not such an envelope.
	open func(text []byte, d *draft) []byte
}

// envelopes are the known envelopes, in the order in which they are tried: several that stand one
// in another, and then words of any kind before the address of a client.
var envelopes = append(layers(4), &envelope{"words", openWords})

// layers returns envelopes of 1 to n layers.
func layers(n int) (list []*envelope) {
	for depth := range n {
		list = append(list, &envelope{"prefix", func(text []byte, d *draft) []byte {
			for i := 0; i <= depth && text != nil; i++ {
				text = openLayer(text, d)
			}
			return text
		}})
	}
	return list
}

// openLayer opens the outermost envelope of a text, or returns nil.
func openLayer(text []byte, d *draft) []byte {
	if len(text) == 0 {
		return nil
	}
	switch text[0] {
	case '{':
		return openJSON(text, d)
	case '"':
		return openQuotes(text, d)
	case '<':
		return openPriority(text, d)
	case '[':
		return openBracket(text)
	}
	if rest, ok := cutStamp(text, d); ok {
		return cutTag(cutLevel(cutStream(rest)))
	}
	if line := cutTag(text); len(line) < len(text) {
		return line
	}
	for _, open := range [...]func([]byte) []byte{openCEF, openCompose, openGrep, openBraces} {
		if line := open(text); line != nil {
			return line
		}
	}
	if rest, ok := cutColumn(text); ok {
		return openQuotes(rest, d)
	}
	return nil
}

// maxPrefix is the maximum length of a prefix.
const maxPrefix = 256

// start returns the beginning of a text, where a prefix may stand.
func start(text []byte) []byte { return text[:min(len(text), maxPrefix)] }

// cutStamp cuts the time from the beginning of a line, and the blank after it:
//
//	2025-12-31T17:37:40.493035218+01:00   container runtimes, syslog, journalctl -o short-iso
//	2025-12-31 17:37:40,493 +0100         programs
//	31.12.2025 17:37:40
//	Dec 31 17:37:40                       syslog, journalctl; "Dec  1" for the first nine days
//	Wed 2025-12-31 17:37:40 UTC           journalctl -o short-full
//	1767199060.493
//
// It keeps a time that states its year, for lines that have none.
func cutStamp(text []byte, d *draft) (rest []byte, ok bool) {
	word, rest := cutWord(text)
	if len(word) == 3 && isWeekday(word) {
		word, rest = cutWord(rest)
	}
	if len(word) == 3 {
		return cutMonth(word, rest)
	}
	if len(word) < 8 || len(rest) == 0 || word[0]-'0' > 9 {
		return nil, false
	}
	if m, ok := parseTime(word); ok && (len(word) >= 19 || m.seconds > 1e9) {
		d.stamp, d.stamped = m, true
		return rest, true
	}
	clock, after := cutWord(rest)
	if !isDate(word) || len(clock) < 8 || clock[2] != ':' || clock[5] != ':' || len(after) == 0 {
		return nil, false
	}
	end := len(word) + 1 + len(clock)
	if zone, afterZone := cutWord(after); len(afterZone) > 0 {
		if _, ok := parseZone(zone); ok {
			end, after = end+1+len(zone), afterZone
		}
	}
	if m, ok := parseTime(text[:end]); ok {
		d.stamp, d.stamped = m, true
	}
	return after, true
}

// cutWord cuts the text before the first blank or tab.
func cutWord(text []byte) (word, rest []byte) {
	i := bytes.IndexAny(start(text), " \t")
	if i < 0 {
		return nil, nil
	}
	return text[:i], text[i+1:]
}

func isWeekday(word []byte) bool { return strings.Contains("MonTueWedThuFriSatSun", string(word)) }

// isDate reports whether b is a date of digits.
func isDate(b []byte) bool {
	for _, c := range b {
		if c-'0' > 9 && c != '-' && c != '.' && c != '/' {
			return false
		}
	}
	return len(b) >= 8 && len(b) <= 10
}

// cutMonth cuts the day and the time of day after the name of a month, and perhaps a year.
func cutMonth(month, text []byte) (rest []byte, ok bool) {
	if _, ok := parseMonth(month); !ok {
		return nil, false
	}
	day, rest := cutWord(trimBlanks(text))
	if _, tail, ok := leadingNumber(day, 2); !ok || len(tail) > 0 {
		return nil, false
	}
	clock, rest := cutWord(trimBlanks(rest))
	if len(clock) == 4 {
		if _, ok := digits(clock); ok {
			clock, rest = cutWord(rest)
		}
	}
	if len(clock) < 8 || clock[2] != ':' || clock[5] != ':' || clock[0]-'0' > 9 || len(rest) == 0 {
		return nil, false
	}
	if year, after := cutWord(rest); len(year) == 4 && len(after) > 0 {
		if _, ok := digits(year); ok {
			rest = after
		}
	}
	return rest, true
}

// cutStream cuts what container runtimes write after the time: "stdout F ".
func cutStream(text []byte) []byte {
	if len(text) > 9 && (bytes.HasPrefix(text, criOut) || bytes.HasPrefix(text, criErr)) && text[8] == ' ' {
		return text[9:]
	}
	return text
}

// cutLevel cuts the level that programs write after the time: "INFO ", "[info] ".
func cutLevel(text []byte) []byte {
	word, rest := cutWord(text)
	switch strings.ToLower(string(bytes.Trim(word, "[]:"))) {
	case "info", "notice", "debug", "warn", "warning":
		return trimBlanks(rest)
	}
	return text
}

var (
	criOut = []byte("stdout ")
	criErr = []byte("stderr ")
)

// enveloped are the members in which Docker, Fluent Bit, journald, clouds and others put a line,
// and the time of the line.
var enveloped = map[string]jsonMember{
	"log": {target, 0}, "message": {target, 1}, "msg": {target, 2}, "textpayload": {target, 3}, "line": {target, 4},
	"event": {target, 5}, "body": {target, 6}, "@message": {target, 7}, "event.original": {target, 8},
	"_raw": {target, 9}, "result._raw": {target, 10}, "log.original": {target, 11}, "data": {target, 12},
	"@timestamp": {endTime, 0}, "timestamp": {endTime, 1}, "time": {endTime, 2}, "date": {endTime, 3},
}

// openJSON opens a JSON object that has a line in one of its members.
func openJSON(text []byte, d *draft) []byte {
	w := &d.walk
	w.start(text, enveloped, &d.buffer)
	line := bytes.TrimRight(w.values[target].text, "\r\n")
	if w.bad || len(line) == 0 {
		return nil
	}
	if m, ok := parseTime(w.values[endTime].text); ok {
		d.stamp, d.stamped = m, true
	}
	return cutTag(line)
}

// openQuotes opens a line in quotes. Those of a CSV file have the quotes in the line doubled, those
// of others have escapes. LiteSpeed leaves the quotes as they are, and may have one at the
// beginning only.
func openQuotes(text []byte, d *draft) []byte {
	if len(text) < 2 || text[0] != '"' {
		return nil
	}
	text = text[1:]
	from := len(d.buffer)
	if end := closingQuote(text); end >= 0 && text[end] == '"' && bytes.IndexByte(text[:end], '\\') >= 0 {
		d.buffer = appendUnescaped(d.buffer, text[:end])
		if line := d.since(from); bytes.IndexByte(line, '"') >= 0 {
			return line
		}
		d.buffer = d.buffer[:from]
	}
	if i := bytes.IndexByte(text, '"'); i >= 0 && i+1 < len(text) && text[i+1] == '"' {
		return d.undouble(text)
	}
	if bytes.Count(text, doubledQuote[:1])%2 == 1 {
		return bytes.TrimSuffix(text, doubledQuote[:1])
	}
	return text
}

// undouble returns the text before the closing quote, with one quote for two.
func (d *draft) undouble(text []byte) []byte {
	from := len(d.buffer)
	for i := 0; i < len(text); i++ {
		if text[i] == '"' {
			if i++; i == len(text) || text[i] != '"' {
				return d.since(from)
			}
		}
		d.buffer = append(d.buffer, text[i])
	}
	return nil
}

// cutColumn cuts columns with numbers and times from the beginning of a line of a CSV file whose
// next column is in quotes.
func cutColumn(text []byte) (rest []byte, ok bool) {
	i := bytes.Index(start(text), []byte(`,"`))
	if i <= 0 || bytes.ContainsAny(text[:i], "\"[{=") {
		return nil, false
	}
	return text[i+1:], true
}

// openPriority opens a line of syslog with its priority: RFC 3164 and RFC 5424.
func openPriority(text []byte, d *draft) []byte {
	end := bytes.IndexByte(text[:min(len(text), 6)], '>')
	if end < 0 {
		return nil
	}
	text = text[end+1:]
	if rest, ok := bytes.CutPrefix(text, []byte("1 ")); ok {
		return open5424(rest, d)
	}
	if rest, ok := cutStamp(text, d); ok {
		text = rest
	}
	return cutTag(text)
}

// open5424 opens the rest of a line of RFC 5424: five fields, structured data, the line.
func open5424(text []byte, d *draft) []byte {
	if stamp, _ := cutWord(text); len(stamp) > 18 {
		if m, ok := parseTime(stamp); ok {
			d.stamp, d.stamped = m, true
		}
	}
	for range 5 {
		i := bytes.IndexByte(text, ' ')
		if i < 0 {
			return nil
		}
		text = text[i+1:]
	}
	if line, ok := bytes.CutPrefix(text, []byte("- ")); ok {
		return bytes.TrimPrefix(line, byteOrderMark)
	}
	// Structured data ends with "] ", but not inside of a quoted value.
	for i := 0; i+1 < len(text) && text[0] == '['; i++ {
		switch {
		case text[i] == '"':
			n := closingQuote(text[i+1:])
			if n < 0 {
				return nil
			}
			i += n + 1
		case text[i] == ']' && text[i+1] == ' ':
			return bytes.TrimPrefix(text[i+2:], byteOrderMark)
		}
	}
	return nil
}

// openBracket opens a line behind a name in brackets, as of kubectl --prefix:
// "[pod/web/nginx] line".
func openBracket(text []byte) []byte {
	i := bytes.IndexAny(start(text), " ]")
	if i < 2 || i+1 >= len(text) || text[i] != ']' || text[i+1] != ' ' {
		return nil
	}
	return trimBlanks(text[i+2:])
}

// cutTag cuts "tag: ", "host tag: " and "host tag[pid]: " from a line that begins with them.
func cutTag(text []byte) []byte {
	i := bytes.Index(start(text), []byte(": "))
	if i <= 0 || bytes.Count(text[:i], blank) > 1 || bytes.ContainsAny(text[:i], "\"{|<=,\t") {
		return text
	}
	return trimBlanks(text[i+2:])
}

// openCompose opens a line of docker compose: "service-1  | line".
func openCompose(text []byte) []byte {
	i := bytes.Index(start(text), []byte(" | "))
	if i <= 0 || !isName(bytes.TrimRight(text[:i], " ")) {
		return nil
	}
	return text[i+3:]
}

// openGrep opens a line behind the name of its file, and perhaps its number: "access.log:12:line".
func openGrep(text []byte) []byte {
	i := bytes.IndexByte(start(text), ':')
	if i <= 0 || i+1 == len(text) || text[i+1] == ' ' || !isName(text[:i]) {
		return nil
	}
	name, rest := text[:i], text[i+1:]
	if _, ok := digits(name); ok { // grep -n alone
		word, _ := cutWord(rest)
		if bytes.IndexByte(word, ':') >= 0 && strings.IndexByte(`{"[<`, rest[0]) < 0 {
			return nil // an address
		}
		return rest
	}
	if !bytes.ContainsAny(name, "./-_") {
		return nil // it may be the beginning of an address
	}
	_, after, ok := leadingNumber(rest, 9)
	word, _ := cutWord(rest)
	if _, isAddr := parseAddr(word); ok && !isAddr && len(after) > 1 && after[0] == ':' && after[1] != ':' {
		return after[1:]
	}
	return rest
}

// isName reports whether b is the name of a file, a container or a process.
func isName(b []byte) bool {
	for _, c := range b {
		if !hostByte[c] && c != '/' && c != '@' && c != '~' && c != '+' || c == '[' {
			return false
		}
	}
	return len(b) > 0
}

// openCEF returns the fields of a line in the Common Event Format: after seven texts with "|".
func openCEF(text []byte) []byte {
	if !bytes.HasPrefix(text, []byte("CEF:")) {
		return nil
	}
	for range 7 {
		i := bytes.IndexByte(text, '|')
		if i < 0 {
			return nil
		}
		text = text[i+1:]
	}
	return trimBlanks(text)
}

// openBraces opens a JSON object behind some words, as the console encoder of Caddy writes them.
// Log shippers write a tag there.
func openBraces(text []byte) []byte {
	i := bytes.IndexAny(start(text), "{\"")
	if i <= 0 || text[i] != '{' || text[i-1] != ' ' && text[i-1] != '\t' || text[len(text)-1] != '}' {
		return nil
	}
	return text[i:]
}

// openWords opens a line that begins with the address of a client behind words of any kind, such as
// the names of a pod and a container. The server wrote the words, and the client nothing before its
// address.
func openWords(text []byte, _ *draft) []byte {
	before := start(text)
	if i := bytes.IndexAny(before, "\"{"); i >= 0 {
		before = before[:i]
	}
	for i := range before {
		if i == 0 || strings.IndexByte(" \t|]>", before[i-1]) < 0 || before[i]|0x20 < '0' {
			continue
		}
		word, rest := cutWord(text[i:])
		list, isList := bytes.CutSuffix(word, comma)
		if _, ok := parseAddr(list); ok && len(rest) > 0 &&
			(isList || rest[0] == '[' || bytes.HasPrefix(rest, noIdent[1:])) {
			return text[i:]
		}
	}
	return nil
}
