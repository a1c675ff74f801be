package accesslog

import "bytes"

// An envelope is what programs that move logs put around a line.
type envelope struct {
	name string
	// open returns the line in an envelope, or nil if the text is not such an envelope.
	open func(text []byte, d *draft) []byte
}

// envelopes are the known envelopes, in the order in which they are tried.
var envelopes = []*envelope{
	{"cri", openCRI},
	{"json", openJSON},
	{"syslog", openSyslog},
	{"compose", openCompose},
}

var (
	criOut = []byte(" stdout F ")
	criErr = []byte(" stderr F ")
)

// openCRI opens a line of a container runtime:
//
//	2025-12-31T17:37:40.493035218+01:00 stdout F line
func openCRI(text []byte, _ *draft) []byte {
	stamp := bytes.IndexByte(text, ' ')
	if stamp < 20 || stamp > 40 {
		return nil
	}
	if _, ok := parseTime(text[:stamp]); !ok {
		return nil
	}
	for _, stream := range [][]byte{criOut, criErr} {
		if line, ok := bytes.CutPrefix(text[stamp:], stream); ok {
			return line
		}
	}
	return nil
}

// enveloped are the members in which Docker, Fluent Bit, journald and others put a line.
var enveloped = map[string]jsonMember{"log": {target, 0}, "message": {target, 1}, "msg": {target, 2}}

// openJSON opens a JSON object that has a line in one of its members.
func openJSON(text []byte, d *draft) []byte {
	if len(text) == 0 || text[0] != '{' {
		return nil
	}
	w := &d.walk
	w.start(text, enveloped, &d.buffer)
	line := bytes.TrimRight(w.values[target].text, "\r\n")
	if w.bad || len(line) == 0 {
		return nil
	}
	return cutTag(line)
}

// openSyslog opens a line of syslog: RFC 3164 and RFC 5424, as written to files.
func openSyslog(text []byte, _ *draft) []byte {
	if len(text) > 0 && text[0] == '<' { // the priority, which files rarely have
		end := bytes.IndexByte(text[:min(len(text), 6)], '>')
		if end < 0 {
			return nil
		}
		text = text[end+1:]
		if rest, ok := bytes.CutPrefix(text, []byte("1 ")); ok {
			return open5424(rest)
		}
	}
	// "Sep 25 06:05:27 host tag[pid]: line", or a time of ISO 8601.
	if len(text) > 16 && text[3] == ' ' && text[6] == ' ' && text[9] == ':' && text[12] == ':' && text[15] == ' ' {
		return tagged(text[16:])
	}
	stamp := bytes.IndexByte(text, ' ')
	if stamp < 19 || stamp > 40 {
		return nil
	}
	if _, ok := parseTime(text[:stamp]); !ok {
		return nil
	}
	return tagged(text[stamp+1:])
}

// open5424 opens the rest of a line of RFC 5424: five fields, structured data, the line.
func open5424(text []byte) []byte {
	for range 5 {
		i := bytes.IndexByte(text, ' ')
		if i < 0 {
			return nil
		}
		text = text[i+1:]
	}
	if line, ok := bytes.CutPrefix(text, []byte("- ")); ok {
		return bytes.TrimPrefix(line, []byte("\ufeff"))
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
			return bytes.TrimPrefix(text[i+2:], []byte("\ufeff"))
		}
	}
	return nil
}

// tagged cuts "host tag[pid]: " from a line, or returns nil.
func tagged(text []byte) []byte {
	if line := cutTag(text); len(line) < len(text) {
		return line
	}
	return nil
}

// cutTag cuts "host tag: " and "host tag[pid]: " from a line that begins with them.
func cutTag(text []byte) []byte {
	i := bytes.Index(text[:min(len(text), 256)], []byte(": "))
	if i < 0 || bytes.Count(text[:i], blank) != 1 || bytes.IndexByte(text[:i], '"') >= 0 {
		return text
	}
	return text[i+2:]
}

// openCompose opens a line of docker compose: "service-1  | line".
func openCompose(text []byte, _ *draft) []byte {
	i := bytes.Index(text[:min(len(text), 80)], []byte(" | "))
	if i <= 0 {
		return nil
	}
	for _, c := range bytes.TrimRight(text[:i], " ") {
		if !hostByte[c] {
			return nil
		}
	}
	return text[i+3:]
}
