package accesslog

import (
	"bytes"
	"fmt"
	"strings"
)

// haproxyVariables are the variables of a log-format that say something about a request. Those
// without a line here are read and ignored.
//
// https://docs.haproxy.org/dev/configuration.html#8.2.6
var haproxyVariables = map[string]field{
	"ci": client, "tr": beginTime, "t": beginTime, "T": endTime, "Tl": endTime, "trg": beginTime, "trl": beginTime,
	"Ts": endTime, "ts": ignored, "ms": ignored, "r": hashedLine, "HM": method, "HU": target, "HP": stem, "HPO": stem,
	"HQ": query, "HV": proto, "ST": status, "B": size, "Ta": millis, "hr": braces, "hrl": braces, "si": ignored,
	"Th": ignored, "Ti": ignored, "TR": ignored, "Tw": ignored, "Tc": ignored, "Tr": ignored, "Td": ignored,
	"Tq": ignored, "Tt": ignored, "Tu": ignored, "U": ignored, "ac": ignored, "b": ignored, "bc": ignored,
	"bi": ignored, "bp": ignored, "bq": ignored, "CC": ignored, "CS": ignored, "cp": ignored, "f": ignored,
	"fc": ignored, "fi": ignored, "fp": ignored, "ft": ignored, "H": ignored, "hs": ignored, "hsl": ignored,
	"ID": ignored, "lc": ignored, "pid": ignored, "rc": ignored, "rt": ignored, "s": ignored, "sc": ignored,
	"sp": ignored, "sq": ignored, "sslc": ignored, "sslv": ignored, "tsc": ignored,
}

// isBraces are the variables with captured headers in braces.
var isBraces = map[string]bool{"hr": true, "hrl": true, "hs": true, "hsl": true}

// haproxySamples are parts of sample expressions that say which fact they fetch.
var haproxySamples = []struct {
	part  string
	field field
}{
	{"user-agent", agent}, {"user_agent", agent}, {"x-forwarded-for", forwarded}, {"x_forwarded_for", forwarded},
	{"referer", referrer}, {"hdr(host)", host}, {"fhdr(host)", host}, {"capture.req.uri", target},
	{"capture.req.method", method}, {"capture.req.ver", proto}, {"txn.ua", agent}, {"txn.host", host},
}

// isHAProxy reports whether a text is a log-format of HAProxy: its variables have several letters,
// where those of Apache have one.
func isHAProxy(text string) bool {
	return strings.HasPrefix(text, "log-format") || strings.Contains(text, "%ci") || strings.Contains(text, "%[") ||
		strings.Contains(text, "%HM") || strings.Contains(text, "%ST")
}

// parseHAProxy reads the text of a log-format, or the whole directive.
func parseHAProxy(text string) (*template, error) {
	format := text
	if rest, ok := strings.CutPrefix(text, "log-format"); ok {
		text = strings.Trim(strings.TrimSpace(rest), `"'`)
	}
	text = strings.NewReplacer(`\ `, " ", `\"`, `"`, `\[`, "[", `\]`, "]", `\\`, `\`).Replace(text)
	var out strings.Builder
	var variables []variable
	quoteAll := false
	for i := 0; i < len(text); i++ {
		if text[i] != '%' {
			out.WriteByte(text[i])
			continue
		}
		if strings.HasPrefix(text[i:], "%%") {
			out.WriteByte('%')
			i++
			continue
		}
		name, flags, length := haproxyName(text[i:])
		if length == 0 {
			return nil, fmt.Errorf("format %q: HAProxy has no variable at byte %d", format, i+1)
		}
		i += length - 1
		quoted := quoteAll && !strings.Contains(flags, "-Q") || strings.Contains(flags, "+Q")
		if name == "o" { // no value: the flags of all variables after it
			quoteAll = quoted
			continue
		}
		if n := len(variables); n > 0 && isBraces[name] &&
			(variables[n-1].field == ignored || variables[n-1].field == braces) {
			// Without captured headers, HAProxy writes neither braces nor the blank.
			variables[n-1].field = braces
			trimmed := strings.TrimSuffix(out.String(), " ")
			out.Reset()
			out.WriteString(trimmed)
			continue
		}
		v := variable{name: "%" + name, field: haproxyField(name)}
		quoted = quoted && isText(v.field)
		if quoted {
			out.WriteByte('"')
		}
		v.start = out.Len()
		out.WriteString(v.name)
		v.end = out.Len()
		if quoted {
			out.WriteByte('"')
		}
		switch name {
		case "T", "Tl", "trg", "trl": // 26/Nov/2026:10:00:00 +0000
			v.blanks = 1
		}
		v.bare = v.field == hashedLine
		variables = append(variables, v)
	}
	// HAProxy writes no blank at the beginning of a line.
	joined := out.String()
	trimmed := strings.TrimLeft(joined, " ")
	for i := range variables {
		variables[i].start -= len(joined) - len(trimmed)
		variables[i].end -= len(joined) - len(trimmed)
	}
	return compile(trimmed, variables)
}

// isText reports whether HAProxy may put quotes around a field: it puts none around numbers and
// times.
func isText(f field) bool {
	return f != status && f != size && f != millis && f != beginTime && f != endTime
}

// haproxyName cuts a variable with its flags from the beginning of s, such as "%{+Q}r", "%ci" or
// "%[capture.req.hdr(0)]". The length is that of all.
func haproxyName(s string) (name, flags string, length int) {
	i := 1
	if strings.HasPrefix(s[i:], "{") {
		end := strings.IndexByte(s, '}')
		if end < 0 {
			return "", "", 0
		}
		flags, i = s[i:end], end+1
	}
	if i < len(s) && s[i] == '[' {
		end := strings.IndexByte(s[i:], ']')
		if end < 0 {
			return "", "", 0
		}
		return s[i : i+end+1], flags, i + end + 1
	}
	if strings.HasPrefix(s[i:], "o") {
		return "o", flags, i + 1
	}
	for n := min(4, len(s)-i); n > 0; n-- {
		if _, ok := haproxyVariables[s[i:i+n]]; ok {
			return s[i : i+n], flags, i + n
		}
	}
	return "", "", 0
}

// haproxyField returns the field of a variable. A header that was captured under a number may be
// any that setCaptures knows.
func haproxyField(name string) field {
	if name[0] != '[' {
		return haproxyVariables[name]
	}
	name = strings.ToLower(name)
	for _, s := range haproxySamples {
		if strings.Contains(name, s.part) {
			return s.field
		}
	}
	switch {
	case name == "[src]":
		return client
	case name == "[path]", name == "[capture.req.path]":
		return stem
	case name == "[url]", name == "[pathq]":
		return target
	case name == "[method]":
		return method
	case name == "[status]":
		return status
	case strings.HasPrefix(name, "[capture.req.hdr("):
		return capture
	}
	return ignored
}

// setCaptures stores the headers of the request that HAProxy captured: "{host|User-Agent}", without
// their names and in the order of its configuration. They are recognised by their form. It reports
// whether a User-Agent is among them.
func (d *draft) setCaptures(v []byte) bool {
	list := v
	if open := bytes.IndexByte(v, '{'); open >= 0 {
		end := bytes.IndexByte(v[open:], '}')
		if end < 0 {
			return false
		}
		list = v[open+1 : open+end]
	}
	count := bytes.Count(list, bar) + 1
	var rest []byte // the only header that has no form of its own
	unknown := 0
	for range count {
		one, after, _ := bytes.Cut(list, bar)
		list = after
		if bytes.IndexByte(one, '#') >= 0 {
			from := len(d.buffer)
			d.buffer = appendHexDecoded(d.buffer, one, '#')
			one = d.since(from)
		}
		switch {
		case len(one) == 0 || string(one) == "-":
		case isChain(one):
			d.set(forwarded, one)
		case bytes.HasPrefix(one, httpStart) || bytes.HasPrefix(one, httpsStart):
			d.set(referrer, one)
		case isProduct(one):
			d.set(agent, one)
		case isHostName(one) && bytes.IndexByte(one, '.') > 0:
			d.set(host, one)
		default:
			unknown++
			rest = one
		}
	}
	if d.UserAgent == nil && unknown == 1 && count <= 2 && d.Host != nil {
		d.set(agent, rest)
	}
	return d.UserAgent != nil
}

// isProduct reports whether b begins with a product and its version, as a User-Agent does.
func isProduct(b []byte) bool {
	i := bytes.IndexByte(b, '/')
	if i <= 0 || i+1 == len(b) || b[i+1]-'0' > 9 && !(b[i+1] == 'v' && i+2 < len(b) && b[i+2]-'0' <= 9) {
		return false
	}
	for _, c := range b[:i] {
		if !tokenByte[c] && c != ' ' {
			return false
		}
	}
	return true
}

var (
	bar        = []byte("|")
	httpStart  = []byte("http://")
	httpsStart = []byte("https://")
)
