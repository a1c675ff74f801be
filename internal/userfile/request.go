package userfile

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"net/http"
	"strings"
)

// ParseRequest parses the head of one HTTP request, as a server or a client logged it. Three forms
// are read: the head of HTTP/1.1 with lines that end with CRLF or LF, the same with "> " before
// each line, as curl writes it, and the fields of HTTP/2 with ":method", ":authority" and ":path".
// The empty line at the end may be missing, and a body is ignored.
//
// The request must name one host. The errors say what is wrong with the text.
func ParseRequest(text []byte) (*http.Request, error) {
	lines, err := headLines(text)
	if err != nil {
		return nil, err
	}
	if strings.HasPrefix(lines[0], ":") {
		if lines, err = withoutPseudoFields(lines); err != nil {
			return nil, err
		}
	}
	hosts := 0
	for _, line := range lines[1:] {
		if name, _, _ := strings.Cut(line, ":"); strings.EqualFold(name, "Host") {
			hosts++
		}
	}
	if hosts > 1 {
		return nil, errors.New("it has several Host fields, so that servers may differ about its host")
	}
	r, err := http.ReadRequest(bufio.NewReader(strings.NewReader(strings.Join(lines, "\r\n") + "\r\n\r\n")))
	if err != nil {
		return nil, fmt.Errorf("it is not the head of an HTTP request: %w", err)
	}
	if r.Host == "" {
		return nil, errors.New("it names no host: add the Host field that the client sent")
	}
	if strings.ContainsFunc(r.Host, func(c rune) bool {
		return c <= ' ' || c > '~' ||
			strings.ContainsRune("/?#@\\", c)
	}) {
		return nil, fmt.Errorf("its host %.60q is none", r.Host)
	}
	if r.ProtoMajor != 1 {
		return nil,
			fmt.Errorf("it is a request of %s: write the head of HTTP/1.1, or the fields of HTTP/2 with :method, :authority and :path", r.Proto)
	}
	return r, nil
}

// headLines returns the lines of a head, without line ends and marks of curl.
func headLines(text []byte) ([]string, error) {
	text = bytes.TrimLeft(bytes.TrimPrefix(text, []byte("\uFEFF")), "\r\n")
	marked := bytes.HasPrefix(text, []byte("> "))
	var lines []string
	for line := range strings.Lines(string(text)) {
		line = strings.TrimSuffix(strings.TrimSuffix(line, "\n"), "\r")
		if marked {
			var ok bool
			if line, ok = strings.CutPrefix(line, ">"); !ok {
				break
			}
			line = strings.TrimPrefix(line, " ")
		}
		if line == "" {
			break
		}
		if strings.ContainsAny(line, "\r\x00") {
			return nil, fmt.Errorf("line %d has a character that no field may have", len(lines)+1)
		}
		if line[0] == ' ' || line[0] == '\t' {
			return nil, fmt.Errorf("line %d starts with a blank: write each field on one line", len(lines)+1)
		}
		lines = append(lines, line)
	}
	if len(lines) == 0 {
		return nil, errors.New("it is empty: write the head of an HTTP request")
	}
	return lines, nil
}

// withoutPseudoFields returns the lines of HTTP/2 as HTTP/1.1 would have them (RFC 9113, section
// 8.3.1).
func withoutPseudoFields(lines []string) ([]string, error) {
	pseudo := make(map[string]string)
	for len(lines) > 0 && strings.HasPrefix(lines[0], ":") {
		name, value, ok := strings.Cut(lines[0][1:], ":")
		if _, twice := pseudo[name]; !ok || twice {
			return nil, fmt.Errorf("the line %.60q is wrong, or stands twice in it", lines[0])
		}
		pseudo[name] = strings.Trim(value, " \t")
		lines = lines[1:]
	}
	for _, name := range []string{"method", "authority", "path"} {
		if value := pseudo[name]; value == "" || strings.ContainsAny(value, " \t") {
			return nil, fmt.Errorf("its field :%s is missing, or has a blank in it", name)
		}
	}
	head := []string{pseudo["method"] + " " + pseudo["path"] + " HTTP/1.1", "Host: " + pseudo["authority"]}
	return append(head, lines...), nil
}
