package accesslog

import (
	"fmt"
	"strings"
	"time"
)

// apacheDirectives are the directives of LogFormat that say something about a request. Those
// without a line here are read and ignored.
//
// https://httpd.apache.org/docs/current/mod/mod_log_config.html#formats
var apacheDirectives = map[string]field{
	"%h": clientOrName,
	"%a": client,
	"%l": ident,
	"%v": host,
	"%V": host,
	"%t": beginTime,
	"%r": requestLine,
	"%m": method,
	"%U": stem,
	"%q": query,
	"%H": proto,
	"%s": status,
	"%b": size,
	"%B": size,
	"%O": size,
	"%D": micros,
	"%T": seconds,

	"%{ms}T": millis,
	"%{us}T": micros,
	"%{s}T":  seconds,

	"%{host}i":             host,
	"%{user-agent}i":       agent,
	"%{referer}i":          referrer,
	"%{x-forwarded-for}i":  forwarded,
	"%{x-real-ip}i":        forwarded,
	"%{cf-connecting-ip}i": forwarded,
	"%{true-client-ip}i":   forwarded,
	"%{x-forwarded-host}i": host,
}

// parseApache reads the text of a LogFormat, or the whole directive.
func parseApache(text string) (*template, error) {
	text, err := directiveText(text, "LogFormat")
	if err != nil {
		return nil, err
	}
	text = strings.NewReplacer(`\"`, `"`, `\t`, "\t", `\\`, `\`, "%%", "%\x00").Replace(text)
	// %U%q is the target as one text.
	text = strings.ReplaceAll(text, "%U%q", "%{target}")
	decoded := false // %U is the path after decoding
	var out strings.Builder
	var variables []variable
	for i := 0; i < len(text); i++ {
		if text[i] != '%' {
			out.WriteByte(text[i])
			continue
		}
		if strings.HasPrefix(text[i:], "%\x00") {
			out.WriteByte('%')
			i++
			continue
		}
		name, length := apacheName(text[i:])
		if length == 0 {
			return nil, fmt.Errorf("format %q: the directive at byte %d is not complete", text, i+1)
		}
		i += length - 1
		f, blanks, err := apacheField(name)
		if err != nil {
			return nil, err
		}
		if name == "%t" {
			out.WriteByte('[')
		}
		decoded = decoded || f == stem || f == target
		start := out.Len()
		out.WriteString(name)
		variables = append(variables, variable{name: name, start: start, end: out.Len(), field: f, blanks: blanks,
			listed: f == forwarded})
		if name == "%t" {
			out.WriteByte(']')
		}
	}
	t, err := compile(out.String(), variables)
	if err == nil {
		t.decoded = decoded
	}
	return t, err
}

// apacheName cuts a directive from the beginning of s, without the conditions and modifiers in
// it: "%>s" and "%400,501!s" are "%s". The length is that of the whole directive.
func apacheName(s string) (name string, length int) {
	i := 1
	for i < len(s) && strings.IndexByte("!<>,0123456789", s[i]) >= 0 {
		i++
	}
	argument := ""
	if strings.HasPrefix(s[i:], "{target}") {
		return "%{target}", i + len("{target}")
	}
	if i < len(s) && s[i] == '{' {
		end := strings.IndexByte(s[i:], '}')
		if end < 0 {
			return "", 0
		}
		argument = s[i : i+end+1]
		i += end + 1
	}
	if i < len(s) && s[i] == '^' { // %^FB, %{name}^ti
		i += 2
	}
	if i >= len(s) {
		return "", 0
	}
	return "%" + argument + s[i:i+1], i + 1
}

// apacheField returns the field of a directive, and the number of blanks in its value.
func apacheField(name string) (f field, blanks int, err error) {
	switch {
	case name == "%{target}":
		return target, 0, nil
	case name == "%t": // in brackets
		return beginTime, 0, nil
	case strings.HasPrefix(name, "%{") && strings.HasSuffix(name, "}t"):
		return apacheTime(name[2 : len(name)-2])
	case strings.HasPrefix(name, "%{") && strings.HasSuffix(name, "}i"):
		name = strings.ToLower(name)
	case strings.HasPrefix(name, "%{") && strings.HasSuffix(name, "}a"):
		return ignored, 0, nil // the peer, where %a is the client that mod_remoteip found
	}
	return apacheDirectives[name], 0, nil
}

// apacheTime returns the field of "%{format}t", and the number of blanks in its value.
func apacheTime(format string) (f field, blanks int, err error) {
	f = beginTime
	if rest, ok := strings.CutPrefix(format, "end:"); ok {
		f, format = endTime, rest
	}
	format = strings.TrimPrefix(format, "begin:")
	switch format {
	case "", "sec", "msec", "usec":
		return f, 0, nil
	case "msec_frac", "usec_frac":
		return ignored, 0, nil
	}
	// The format is understood if a time in it is read as the same time.
	sample := time.Date(2015, time.May, 7, 18, 5, 3, 0, time.FixedZone("", 2*3600))
	text, ok := strftime(sample, format)
	m, read := parseTime([]byte(text))
	if !ok || !read || !m.in(sample.Location()).Equal(sample) {
		return ignored, 0, fmt.Errorf("format %%{%s}t: a time like %q cannot be read; %%t and %%{%%FT%%T%%z}t can",
			format, text)
	}
	return f, strings.Count(text, " "), nil
}

// strftime formats a time as C's strftime does, and reports whether it knows all conversions in
// the format.
func strftime(t time.Time, format string) (string, bool) {
	layouts := map[byte]string{
		'a': "Mon", 'A': "Monday", 'b': "Jan", 'B': "January", 'd': "02", 'D': "01/02/06", 'e': "_2", 'F': "2006-01-02",
		'H': "15", 'h': "Jan", 'I': "03", 'm': "01", 'M': "04", 'p': "PM", 'R': "15:04", 'S': "05", 'T': "15:04:05",
		'y': "06", 'Y': "2006", 'z': "-0700", 'Z': "MST",
	}
	var out strings.Builder
	for i := 0; i < len(format); i++ {
		if format[i] != '%' || i+1 == len(format) {
			out.WriteByte(format[i])
			continue
		}
		i++
		layout, ok := layouts[format[i]]
		switch {
		case ok:
			out.WriteString(t.Format(layout))
		case format[i] == 's':
			fmt.Fprint(&out, t.Unix())
		case format[i] == '%':
			out.WriteByte('%')
		default:
			return out.String(), false
		}
	}
	return out.String(), true
}
