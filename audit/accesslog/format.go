package accesslog

import (
	"fmt"
	"slices"
	"strings"

	"github.com/robotsexclusion/robots/internal/nearest"
)

// A Format says how to read the lines of a log. It is immutable and safe for concurrent use.
type Format struct {
	name   string
	reader lineReader
	// doubt says what else the lines may mean, or is "".
	doubt string
}

// A lineReader reads lines of one format.
type lineReader interface {
	// read stores the fields of a line in d, and returns why the line cannot be read, or
	// "".
	read(line []byte, d *draft) (reason string)
	// has reports whether lines of the format may have a field.
	has(f field) bool
}

// String returns the name of f, or the text it was made of.
func (f *Format) String() string { return f.name }

// Doubt says what else a line of this format may mean, in English, or returns "". A caller
// should show it: a format whose first field is a name can be read in two ways.
func (f *Format) Doubt() string { return f.doubt }

// NamesRobots reports whether lines of this format say the User-Agent of the client. Without it
// there is no way to know which robot made a request.
func (f *Format) NamesRobots() bool { return f.reader.has(agent) }

// Formats returns the formats with a name, in the order in which a [Reader] tries them.
func Formats() []*Format { return slices.Clone(named) }

// ParseFormat returns the format with a name, or makes one from
//
//   - a log_format of nginx: the text with its variables, or the whole directive
//   - a LogFormat of Apache: the text with its directives, or the whole directive
//   - a log-format of HAProxy: the text with its variables, or the whole directive
//   - "#Fields:" and the names of fields of the W3C Extended Log File Format
//   - "json" and pairs of a field and the member that has it:
//     "json time=ts client=req.ip target=req.url agent=req.ua". The fields are time, client,
//     forwarded, host, request, method, target, path, query, protocol, status, size, seconds,
//     millis, referrer and agent. A dot leads into an object.
func ParseFormat(text string) (*Format, error) {
	for _, f := range named {
		if f.name == text {
			return f, nil
		}
	}
	var reader lineReader
	var err error
	switch {
	case strings.HasPrefix(text, "#Fields:"):
		reader, err = parseW3C(text)
	case strings.HasPrefix(text, "json "):
		reader, err = parseJSONNames(text)
	case strings.Contains(text, "$"), strings.HasPrefix(text, "log_format"):
		reader, err = parseNginx(text)
	case isHAProxy(text):
		reader, err = parseHAProxy(text)
	case strings.Contains(text, "%"), strings.HasPrefix(text, "LogFormat"):
		reader, err = parseApache(text)
	default:
		err = unknownFormat(text)
	}
	if err != nil {
		return nil, err
	}
	return &Format{name: text, reader: reader}, nil
}

// usualFormats are the formats that servers write unless their configuration has another.
var usualFormats = map[string]string{
	"nginx": "combined", "openresty": "combined", "apache": "combined", "apache2": "combined", "httpd": "combined",
	"litespeed": "combined", "gunicorn": "combined", "tomcat": "common",
}

// unknownFormat returns the error for a text that is neither the name nor the text of a format.
func unknownFormat(text string) error {
	if usual := usualFormats[strings.ToLower(text)]; usual != "" {
		return fmt.Errorf("format %q is not known: %s writes the format %s, or one that its configuration has, "+
			"whose text is a format too", text, strings.ToLower(text), usual)
	}
	if near, ok := nearest.Of(text, names()); ok {
		return fmt.Errorf("format %q is not known: did you mean %s?", text, near)
	}
	return fmt.Errorf("format %q is not known, and has no variable ($request, %%r); known are %s", text,
		strings.Join(names(), ", "))
}

func names() (list []string) {
	for _, f := range named {
		list = append(list, f.name)
	}
	return list
}
