package accesslog

import (
	"bytes"
	"strconv"
	"unicode/utf8"
)

// An eventXML reads requests that IIS sends to the event log of Windows, as XML on one line.
type eventXML struct{}

func (eventXML) has(field) bool { return true }

// eventFields are the names of elements Data that say something about a request, as the provider
// Microsoft-Windows-IIS-Logging writes them.
var eventFields = map[string]field{
	"date": date, "time": timeOfDay, "c-ip": client, "cs-method": method, "cs-uri-stem": stem, "cs-uri-query": query,
	"sc-status": status, "sc-bytes": size, "time-taken": millis, "csUser-Agent": agent, "csReferer": referrer,
	"cs-version": proto, "cs-host": host,
}

func (eventXML) read(line []byte, d *draft) (reason string) {
	rest, ok := bytes.CutPrefix(line, []byte("<Event"))
	if !ok || len(rest) == 0 || rest[0] != '>' && !xmlSpace(rest[0]) {
		return "the line does not begin with <Event"
	}
	for {
		_, after, ok := bytes.Cut(rest, dataStart)
		if !ok {
			break
		}
		name, value, after := cutData(after)
		rest = after
		f := eventFields[string(name)]
		if bytes.IndexByte(value, '&') >= 0 {
			start := len(d.buffer)
			d.buffer = appendXMLDecoded(d.buffer, value)
			value = d.since(start)
		}
		if f != ignored && !d.set(f, d.w3cValue(f, value)) {
			return w3cReasons[f]
		}
	}
	if d.stem == nil {
		return "there is no element Data with the name cs-uri-stem"
	}
	d.Decoded, d.utc = true, true
	return ""
}

var (
	dataStart = []byte("<Data")
	dataEnd   = []byte("</Data")
	nameStart = []byte("Name")
	emptyEnd  = []byte("/>")
)

// cutData cuts the rest of an element Data after its first bytes, "<Data": `
// Name="c-ip">192.0.2.7</Data>`. If the element is another one, the name is nil.
func cutData(b []byte) (name, value, rest []byte) {
	if len(b) == 0 || !xmlSpace(b[0]) {
		return nil, nil, b
	}
	after, ok := bytes.CutPrefix(trimXMLSpace(b), nameStart)
	after = trimXMLSpace(after)
	if !ok || len(after) < 2 || after[0] != '=' {
		return nil, nil, b
	}
	after = trimXMLSpace(after[1:])
	if len(after) == 0 || after[0] != '"' && after[0] != '\'' { // Windows writes either
		return nil, nil, b
	}
	end := bytes.IndexByte(after[1:], after[0]) + 1
	if end == 0 {
		return nil, nil, b
	}
	name, after = after[1:end], trimXMLSpace(after[end+1:])
	if after, ok := bytes.CutPrefix(after, emptyEnd); ok { // <Data Name="CustomFields" />
		return name, nil, after
	}
	if len(after) == 0 || after[0] != '>' {
		return nil, nil, b
	}
	value, after, ok = bytes.Cut(after[1:], dataEnd)
	if after = trimXMLSpace(after); !ok || len(after) == 0 || after[0] != '>' {
		return nil, nil, b
	}
	return name, value, after[1:]
}

// xmlSpace reports whether c is white space of XML.
func xmlSpace(c byte) bool { return c == ' ' || c == '\t' || c == '\r' || c == '\n' }

// trimXMLSpace returns b without white space at its beginning.
func trimXMLSpace(b []byte) []byte {
	for len(b) > 0 && xmlSpace(b[0]) {
		b = b[1:]
	}
	return b
}

// appendXMLDecoded appends a text to b and replaces its references by their characters. References
// other than numbers and the five names of XML are kept.
func appendXMLDecoded(b, text []byte) []byte {
	for len(text) > 0 {
		if text[0] == '&' {
			if end := bytes.IndexByte(text[:min(len(text), len("&#x0010FFFF;"))], ';'); end > 0 {
				if r := xmlReference(text[1:end]); r > 0 {
					b = utf8.AppendRune(b, r)
					text = text[end+1:]
					continue
				}
			}
		}
		b = append(b, text[0])
		text = text[1:]
	}
	return b
}

// xmlReference returns the character for which a reference stands, without its "&" and ";", or 0.
func xmlReference(name []byte) rune {
	switch string(name) {
	case "lt":
		return '<'
	case "gt":
		return '>'
	case "amp":
		return '&'
	case "quot":
		return '"'
	case "apos":
		return '\''
	}
	digits, ok := bytes.CutPrefix(name, []byte("#"))
	if !ok {
		return 0
	}
	base := 10
	if hex, ok := bytes.CutPrefix(digits, []byte("x")); ok {
		digits, base = hex, 16
	}
	n, err := strconv.ParseUint(string(digits), base, 32)
	if err != nil || !utf8.ValidRune(rune(n)) {
		return 0
	}
	return rune(n)
}
