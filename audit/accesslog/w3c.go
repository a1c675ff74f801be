package accesslog

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/robotsexclusion/robots/internal/printable"
)

// A w3c reads lines of the W3C Extended Log File Format, whose directive "#Fields:" names the
// fields of the lines that follow.
//
// https://www.w3.org/TR/WD-logfile.html
type w3c struct {
	text   string // the directive
	fields []field
	local  bool // times are local, and not in UTC as the document demands
	// decoded says that the server writes paths after decoding them, as IIS does.
	decoded bool
	// least is the number of fields that each line has, if not all: others may lack, or follow.
	least int
}

// w3cFields are the names of fields that say something about a request, in lower
// case. Those without a line here are read and ignored.
var w3cFields = map[string]field{
	"c-ip":                client,
	"x-forwarded-for":     forwarded,
	"cs(x-forwarded-for)": forwarded,
	"s-xff":               forwarded,
	"cs-host":             host,
	"cs(host)":            host,
	"x-host-header":       host,
	"date":                date,
	"time":                timeOfDay,
	"date-local":          date,
	"time-local":          timeOfDay,
	"cs-method":           method,
	"cs-uri":              target,
	"cs-uri-stem":         stem,
	"cs-uri-query":        query,
	"cs-version":          proto,
	"cs-protocol-version": proto,
	"sc-status":           status,
	"c-status":            status,
	"sc-bytes":            size,
	"timetakenms":         millis,
	"cs(user-agent)":      agent,
	"c-user-agent":        agent,
	"cs(referer)":         referrer,
	"cs(referrer)":        referrer,
	"c-referrer":          referrer,
}

// cloudFront reads the standard logs of CloudFront from which the directives were removed, as
// when several logs are joined.
//
// https://docs.aws.amazon.com/AmazonCloudFront/latest/DeveloperGuide/standard-logs-reference.html
var cloudFront = func() *w3c {
	w, err := parseW3C("#Fields: date time x-edge-location sc-bytes c-ip cs-method cs(Host) cs-uri-stem sc-status cs(Referer) " +
		"cs(User-Agent) cs-uri-query cs(Cookie) x-edge-result-type x-edge-request-id x-host-header cs-protocol cs-bytes time-taken")
	if err != nil {
		panic(err)
	}
	w.least = len(w.fields)
	return w
}()

// realTime reads the real-time logs of CloudFront with the fields of its console, in their order.
// Those after the User-Agent may lack.
//
// https://docs.aws.amazon.com/AmazonCloudFront/latest/DeveloperGuide/real-time-logs.html
var realTime = &w3c{least: 17, fields: []field{beginTime, client, ignored, status, size, method, ignored, host, stem,
	ignored, ignored, ignored, ignored, seconds, proto, ignored, agent, referrer, ignored, query}}

// parseW3C reads the directive "#Fields:", after others like "#Software:" on lines of their own.
func parseW3C(directives string) (*w3c, error) {
	w := &w3c{text: directives}
	software, listed := "", ""
	for line := range strings.Lines(directives) {
		name, value, _ := strings.Cut(strings.TrimSpace(line), ":")
		switch value = strings.TrimSpace(value); strings.ToLower(name) {
		case "#software":
			software = strings.ToLower(value)
		case "#time format":
			w.local = strings.EqualFold(value, "local")
		case "#fields":
			listed = strings.ToLower(value)
		}
	}
	names := strings.Fields(listed)
	if len(names) == 0 {
		return nil, errors.New("the directive #Fields names no field")
	}
	edge := slices.Contains(names, "x-edge-location")
	iis := strings.Contains(software, "iis") || strings.Contains(software, "internet information") ||
		slices.Contains(names, "sc-win32-status")
	w.decoded = iis
	for _, name := range names {
		f := w3cFields[name]
		switch {
		case name == "time-taken" && edge:
			f = seconds
		case name == "time-taken" && iis:
			f = millis
		case name == "c-dns" && !slices.Contains(names, "c-ip"):
			f = clientOrName
		case strings.HasSuffix(name, "-local"):
			w.local = true
		}
		w.fields = append(w.fields, f)
	}
	// Host is the name that the client asked for, x-host-header that of the site.
	if i := slices.Index(names, "x-host-header"); i >= 0 {
		for k, f := range w.fields {
			if f == host && k != i {
				w.fields[k] = ignored
			}
		}
	}
	if !w.has(date) || !w.has(timeOfDay) {
		return nil, fmt.Errorf("the directive #Fields names no date and time: %s", printable.Clipped(listed, 200))
	}
	if !w.has(stem) && !w.has(target) {
		return nil, fmt.Errorf("the directive #Fields names no path of a request (cs-uri-stem): %s",
			printable.Clipped(listed, 200))
	}
	return w, nil
}

func (w *w3c) has(f field) bool { return slices.Contains(w.fields, f) }

func (w *w3c) read(line []byte, d *draft) (reason string) {
	rest := line
	for i, f := range w.fields {
		var value []byte
		var quoted bool
		if value, rest, quoted = cutW3C(rest); value == nil {
			if w.least > 0 && i >= w.least {
				break
			}
			if w.least > 0 || i == 0 {
				return "the line has fewer fields than the log names"
			}
			return "the line has fewer fields than #Fields names"
		}
		if f == ignored {
			continue
		}
		if quoted && bytes.Contains(value, doubledQuote) {
			value = bytes.ReplaceAll(value, doubledQuote, doubledQuote[:1])
		}
		if !d.set(f, d.w3cValue(f, value)) {
			return w3cReasons[f]
		}
	}
	if value, _, _ := cutW3C(rest); value != nil && w.least == 0 {
		return "the line has more fields than #Fields names"
	}
	d.Decoded, d.utc = w.decoded, !w.local
	return ""
}

var doubledQuote = []byte(`""`)

var w3cReasons = func() (reasons [fields]string) {
	for f, name := range fieldNames {
		reasons[f] = "a field that should be the " + name + " is not"
	}
	return reasons
}()

// cutW3C cuts a value from the beginning of a line. Values are separated by blanks or
// tabs; a value in quotes has quotes doubled. It returns nil at the end of the line.
func cutW3C(line []byte) (value, rest []byte, quoted bool) {
	for len(line) > 0 && (line[0] == ' ' || line[0] == '\t') {
		line = line[1:]
	}
	if len(line) == 0 {
		return nil, nil, false
	}
	if line[0] == '"' {
		for from := 1; ; {
			i := bytes.IndexByte(line[from:], '"')
			if i < 0 {
				break // not a quoted value after all
			}
			i += from
			if i+1 < len(line) && line[i+1] == '"' {
				from = i + 2
				continue
			}
			if i+1 == len(line) || line[i+1] == ' ' || line[i+1] == '\t' {
				return line[1:i:i], line[i+1:], true
			}
			break
		}
	}
	end := 0
	for end < len(line) && line[end] != ' ' && line[end] != '\t' {
		end++
	}
	return line[:end:end], line[end:], false
}

// w3cValue decodes a header field: CloudFront and SHOUTcast encode it as in a URL, IIS
// writes "+" for a blank.
func (d *draft) w3cValue(f field, value []byte) []byte {
	if f != agent && f != referrer || bytes.IndexByte(value, ' ') >= 0 {
		return value
	}
	start := len(d.buffer)
	switch {
	case bytes.Contains(value, []byte("%25")):
		d.buffer = appendPercentDecoded(d.buffer, value)
		once := d.buffer[start:]
		start = len(d.buffer)
		d.buffer = appendPercentDecoded(d.buffer, once)
	case bytes.IndexByte(value, '%') >= 0:
		d.buffer = appendPercentDecoded(d.buffer, value)
	case f == agent && bytes.IndexByte(value, '+') >= 0:
		d.buffer = append(d.buffer, value...)
		for i := start; i < len(d.buffer); i++ {
			if d.buffer[i] == '+' {
				d.buffer[i] = ' '
			}
		}
	default:
		return value
	}
	return d.since(start)
}

// An iisNative reads lines of the format that IIS calls its own, with the date in the order of
// the United States.
type iisNative struct{}

var iisFields = [...]field{client, ignored, date, timeOfDay, ignored, ignored, ignored, millis, ignored, size, status,
	ignored, method, stem, query}

func (iisNative) has(f field) bool { return slices.Contains(iisFields[:], f) }

func (iisNative) read(line []byte, d *draft) (reason string) {
	for _, f := range iisFields {
		value, rest, ok := bytes.Cut(line, []byte(", "))
		switch {
		case !ok && f != query:
			return "the line has fewer than 15 fields"
		case len(rest) > 0 && f == query:
			return "the line has more than 15 fields" // such as a path with a comma and a blank, which moves the others
		case !ok:
			value = bytes.TrimSuffix(line, comma)
		}
		line = rest
		switch f {
		case ignored:
		case date:
			if value = d.isoDate(value); value == nil {
				return "the third field is not a date like 3/20/01"
			}
			d.date = value
		case timeOfDay:
			start := len(d.buffer)
			if len(value) == len("7:55:20") {
				d.buffer = append(d.buffer, '0')
			}
			d.buffer = append(d.buffer, value...)
			d.clock = d.since(start)
		default:
			if !d.set(f, value) {
				return w3cReasons[f]
			}
		}
	}
	d.Decoded = true
	return ""
}

// isoDate returns a date like 3/20/01 as 2001-03-20, or nil.
func (d *draft) isoDate(b []byte) []byte {
	month, b, ok1 := leadingNumber(b, 2)
	if !ok1 || len(b) == 0 || b[0] != '/' {
		return nil
	}
	day, b, ok2 := leadingNumber(b[1:], 2)
	if !ok2 || len(b) == 0 || b[0] != '/' {
		return nil
	}
	year, rest, ok3 := leadingNumber(b[1:], 4)
	if digits := len(b) - 1; !ok3 || len(rest) > 0 || digits != 2 && digits != 4 {
		return nil
	}
	if year < 100 {
		year += 1900
		if year < 1990 {
			year += 100
		}
	}
	start := len(d.buffer)
	d.buffer = fmt.Appendf(d.buffer, "%04d-%02d-%02d", year, month, day)
	return d.since(start)
}
