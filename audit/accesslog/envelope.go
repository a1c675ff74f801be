package accesslog

import (
	"bytes"
	"strings"

	"github.com/robotsexclusion/robots/audit/internal/edge"
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
	if bytes.IndexByte(start(text), escape) >= 0 {
		return d.withoutColours(text)
	}
	switch text[0] {
	case '{':
		for _, open := range [...]func([]byte, *draft) []byte{openJSON, openElement, openLabels} {
			if line := open(text, d); line != nil {
				return line
			}
		}
		return nil
	case '"':
		return openQuotes(text, d)
	case '<':
		return openPriority(text, d)
	case '[':
		if line := openRecord(text, d); line != nil {
			return line
		}
		return openBracket(text)
	}
	if rest, ok := cutStamp(text, d); ok {
		if line := open5424(rest); line != nil {
			return line
		}
		return cutTag(cutLevel(cutStream(rest)))
	}
	for _, cut := range [...]func([]byte) []byte{cutTag, cutLevel} {
		if line := cut(text); len(line) < len(text) {
			return line
		}
	}
	for _, open := range [...]func([]byte) []byte{openCEF, openCompose, openGrep, openBraces, openCount} {
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
	if !isDate(word) || len(clock) < 8 || clock[2] != ':' || clock[5] != ':' || len(after) == 0 ||
		bytes.IndexByte(clock, '"') >= 0 { // the next column of a CSV file
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

// cutStream cuts what container runtimes write after the time: "stdout F ". It returns nil for the
// first parts of a line that the runtime cut ("stdout P "), which could be read as a shorter line.
func cutStream(text []byte) []byte {
	if startsPart(text) {
		return nil
	}
	if len(text) > 9 && (bytes.HasPrefix(text, criOut) || bytes.HasPrefix(text, criErr)) && text[8] == ' ' {
		return text[9:]
	}
	return text
}

// cutLevel cuts the level that programs write after the time: "INFO ", "[info] ".
func cutLevel(text []byte) []byte {
	if word, rest := cutWord(text); isLevel(word) {
		return trimBlanks(rest)
	}
	return text
}

// isLevel reports whether a word is the level of a message, perhaps in brackets or with a colon.
func isLevel(word []byte) bool {
	word = bytes.Trim(word, "[]:")
	var lower [8]byte
	if len(word) < 4 || len(word) > len(lower) {
		return false
	}
	for i, c := range word {
		lower[i] = c | 0x20
	}
	return levels[string(lower[:len(word)])]
}

var levels = map[string]bool{"info": true, "notice": true, "debug": true, "trace": true, "warn": true, "warning": true,
	"error": true, "fatal": true, "critical": true}

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
	"short_message": {target, 13}, "full_message": {target, 14}, "body.stringvalue": {target, 15},
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
	if line := d.column(text); line != nil {
		return line
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

// column returns the first column of a line of a CSV file that has a quote, as the lines of servers
// have them, and objects. The first column is in quotes. It returns nil if there is no such column,
// or no other.
func (d *draft) column(text []byte) []byte {
	from := len(d.buffer)
	for n := 0; len(text) > 0; n++ {
		value, rest, _ := bytes.Cut(text, comma)
		if text[0] == '"' {
			if value = d.undouble(text[1:]); value == nil {
				break
			}
			quotes := 2 + len(value) + bytes.Count(value, doubledQuote[:1])
			if rest = text[quotes:]; len(rest) > 0 && rest[0] != ',' || len(rest) == 0 && n == 0 {
				break
			}
			rest = bytes.TrimPrefix(rest, comma)
		}
		if bytes.IndexByte(value, '"') >= 0 {
			return value
		}
		if m, ok := parseTime(value); ok && len(value) > 18 && !d.stamped {
			d.stamp, d.stamped = m, true
		}
		text = rest
	}
	d.buffer = d.buffer[:from]
	return nil
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
		stamp, rest := cutWord(rest)
		if m, ok := parseTime(stamp); ok && len(stamp) > 18 {
			d.stamp, d.stamped = m, true
		}
		return openFields(rest)
	}
	if rest, ok := cutStamp(text, d); ok {
		text = rest
	}
	return cutTag(text)
}

// openFields opens a line of RFC 5424 behind its time: four fields, structured data, the line.
func openFields(text []byte) []byte {
	for range 4 {
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

// open5424 opens a line of RFC 5424 in a file, without its priority, behind its time. A line of a
// server may have as many words and hyphens, but one of its words is the address of the client.
func open5424(text []byte) []byte {
	var words [4][]byte
	rest := text
	for i := range words {
		if words[i], rest = cutWord(rest); len(words[i]) == 0 {
			return nil
		}
		if _, isAddr := parseAddr(words[i]); isAddr && i > 0 {
			return nil
		}
	}
	_, tail, ok := leadingNumber(words[2], 9)
	if !(ok && len(tail) == 0 || string(words[2]) == "-") || len(rest) < 2 ||
		!bytes.HasPrefix(rest, noIdent[1:]) && (rest[0] != '[' || !bytes.Contains(start(rest), []byte(`="`))) {
		return nil
	}
	return openFields(text)
}

// openBracket opens a line behind a name in brackets, as of kubectl --prefix:
// "[pod/web/nginx] line".
func openBracket(text []byte) []byte {
	if bytes.HasPrefix(text, []byte("[{")) { // the first of an array of objects
		return bytes.TrimRight(text[1:], ",]")
	}
	i := bytes.IndexAny(start(text), " ]")
	if i < 2 || i+1 >= len(text) || text[i] != ']' || text[i+1] != ' ' {
		return nil
	}
	return trimBlanks(text[i+2:])
}

// openRecord opens a record as Fluent Bit writes it to its standard output:
//
//	[0] tag: [[1795687200.123456789, {}], {"log"=>"line", "stream"=>"stdout"}]
//
// Before version 2.1 the time has no brackets of its own.
func openRecord(text []byte, d *draft) []byte {
	i := bytes.Index(start(text), []byte(": ["))
	if i < 0 {
		return nil
	}
	stamp, _, _ := bytes.Cut(bytes.TrimPrefix(text[i+3:], []byte("[")), comma)
	m, ok := parseTime(stamp)
	if !ok {
		return nil
	}
	for _, name := range [...]string{`"log"=>"`, `"message"=>"`, `"msg"=>"`} {
		_, value, found := bytes.Cut(text, []byte(name))
		if end := closingQuote(value); found && end > 0 {
			d.stamp, d.stamped = m, true
			from := len(d.buffer)
			d.buffer = appendUnescaped(d.buffer, value[:end])
			return bytes.TrimRight(d.since(from), "\r\n")
		}
	}
	return nil
}

// cutTag cuts "tag: ", "host tag: " and "host tag[pid]: " from a line that begins with them.
func cutTag(text []byte) []byte {
	i := bytes.Index(start(text), []byte(": "))
	if i <= 0 || bytes.Count(text[:i], blank) > 1 || bytes.ContainsAny(text[:i], "\"{|<=,\t") ||
		bytes.HasSuffix(text[:i+1], []byte(unixSocket)) {
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
// Lines around those that match have hyphens there.
func openGrep(text []byte) []byte {
	if line := openContext(text); line != nil {
		return line
	}
	i := bytes.IndexByte(start(text), ':')
	if i <= 0 || i+1 == len(text) || text[i+1] == ' ' || !isName(text[:i]) {
		return nil
	}
	name, rest := text[:i], text[i+1:]
	if isNumber(name) { // grep -n alone
		return cutNumber(text)
	}
	if !bytes.ContainsAny(name, "./-_") {
		return nil // it may be the beginning of an address
	}
	if line := cutNumber(rest); line != nil {
		return line
	}
	if word, _ := cutWord(rest); isNumber(word) {
		return nil // a port
	}
	return rest
}

// openContext opens a line around those that grep -C found: "access.log-12-line". The line begins
// with an address, or with the host behind a number.
func openContext(text []byte) []byte {
	word, _ := cutWord(text)
	i := bytes.LastIndexByte(word, '-')
	if i <= 0 || !isName(word[:i]) {
		return nil
	}
	if _, isAddr := parseAddr(word[i+1:]); isAddr {
		return text[i+1:]
	}
	if name, rest, _ := bytes.Cut(word, hyphen); isNumber(name) && isDomain(rest) {
		return text[len(name)+1:]
	}
	return nil
}

func isNumber(b []byte) bool { _, ok := digits(b); return ok && len(b) > 0 }

// cutNumber cuts the number of a line and its colon. It returns nil if the text begins otherwise:
// with an address or a time of day.
func cutNumber(text []byte) []byte {
	number, rest, ok := bytes.Cut(start(text), colon)
	if !ok || !isNumber(number) || len(number) > 9 || len(rest) == 0 {
		return nil
	}
	rest = text[len(number)+1:]
	word, _ := cutWord(text)
	if numberBefore(word) == 0 {
		if _, isAddr := parseAddr(word); isAddr || isClockWord(word) || rest[0] == ' ' {
			return nil
		}
	}
	return rest
}

// isClockWord reports whether a word is a time of day, perhaps without seconds.
func isClockWord(b []byte) bool {
	if len(b) < 5 || b[2] != ':' || !isTimes(b) || bytes.Count(b, dot) > 1 {
		return false
	}
	return len(b) == 5 || len(b) >= 8 && b[5] == ':' && (len(b) == 8 || b[8] == '.' || b[8] == ',')
}

var dot = []byte(".")

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

// openCount opens a line of syslog behind the count of its bytes: RFC 6587, section 3.4.1.
func openCount(text []byte) []byte {
	count, rest := cutWord(text)
	if !isNumber(count) || len(rest) == 0 || rest[0] != '<' {
		return nil
	}
	return rest
}

// openElement opens an object in an array of objects, one in each line.
func openElement(text []byte, _ *draft) []byte {
	if object := bytes.TrimRight(text, ",]"); len(object) < len(text) && object[len(object)-1] == '}' {
		return object
	}
	return nil
}

// openLabels opens a line behind the labels of its stream, as logcli of Loki writes them:
// {app="web"} line.
func openLabels(text []byte, _ *draft) []byte {
	rest := text[1:]
	for {
		n := pairName(rest)
		if n == 0 || n+1 == len(rest) || rest[n+1] != '"' {
			break
		}
		end := closingQuote(rest[n+2:])
		if end < 0 {
			return nil
		}
		rest = bytes.TrimLeft(rest[n+2+end+1:], ", ")
	}
	if len(rest) < 2 || rest[0] != '}' || rest[1] != ' ' && rest[1] != '\t' {
		return nil
	}
	return trimBlanks(rest[1:])
}

// escape begins a control sequence of a terminal: ECMA-48, section 5.4.
const escape = 0x1b

// withoutColours returns a text without the control sequences of a terminal.
func (d *draft) withoutColours(text []byte) []byte {
	from := len(d.buffer)
	for i := 0; i < len(text); i++ {
		if text[i] != escape {
			d.buffer = append(d.buffer, text[i])
			continue
		}
		for i+1 < len(text) && (text[i+1] == '[' || text[i+1]-'0' <= 9 || text[i+1] == ';') {
			i++
		}
		i++ // the letter that ends it
	}
	return d.since(from)
}

// openWords opens a line that begins with the address of a client behind words of any kind, such as
// the names of a pod and a container. The server wrote the words, and the client nothing before its
// address. The last of the words may be the host, and is left if it has the form of one: a request
// to a host that is not known accuses nobody.
func openWords(text []byte, _ *draft) []byte {
	if isPart(text) {
		return nil
	}
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
		_, ok := parseAddr(list)
		if (ok || string(word) == unixSocket) && len(rest) > 0 &&
			(isList || rest[0] == '[' || bytes.HasPrefix(rest, noIdent[1:])) {
			return text[beforeClient(text, i):]
		}
	}
	return nil
}

// beforeClient returns the index of the words that belong to the address of a client at an index of
// a text: the addresses that proxies told, and a host.
func beforeClient(text []byte, client int) (first int) {
	peer, _ := cutWord(text[client:])
	a, _ := parseAddr(peer)
	for from := client; from > 0; {
		end := from - 1
		from = bytes.LastIndexAny(text[:end], " \t|]>") + 1
		word, isList := bytes.CutSuffix(text[from:end], comma)
		if _, isAddr := parseAddr(word); !isAddr {
			if isDomain(word) {
				return from
			}
			break
		}
		if isList || edge.Proxy(a) {
			client = from
		}
	}
	return client
}
