package accesslog

import (
	"fmt"
	"strings"
)

// nginxVariables are the variables of nginx that say something about a request.
// Those without a line here are read and ignored.
//
// https://nginx.org/en/docs/http/ngx_http_log_module.html
// https://nginx.org/en/docs/http/ngx_http_core_module.html#variables
var nginxVariables = map[string]field{
	"remote_addr":               client,
	"http_x_forwarded_for":      forwarded,
	"proxy_add_x_forwarded_for": forwarded,
	"http_x_real_ip":            forwarded,
	"http_cf_connecting_ip":     forwarded,
	"http_true_client_ip":       forwarded,
	"host":                      host,
	"http_host":                 host,
	"server_name":               host,
	"time_local":                endTime,
	"time_iso8601":              endTime,
	"msec":                      endTime,
	"request":                   requestLine,
	"request_method":            method,
	"request_uri":               target,
	"uri":                       stem,
	"document_uri":              stem,
	"args":                      query,
	"query_string":              query,
	"server_protocol":           proto,
	"status":                    status,
	"body_bytes_sent":           size,
	"bytes_sent":                size,
	"request_time":              seconds,
	"http_referer":              referrer,
	"http_user_agent":           agent,

	// Not variables of nginx: the formats of other servers in list.go use them.
	"begin_time":       beginTime,
	"end_time":         endTime,
	"ident":            ident,
	"hashed_line":      hashedLine,
	"uri_args":         uriArgs,
	"remote_name":      clientOrName,
	"remote_addr_port": clientPort,
	"chain":            chain,
	"plain_user":       user,
	"captures":         captures,
	"first_host":       firstHost,
	"bare_referer":     referrer,
	"bare_agent":       agent,
	"request_millis":   millis,
	"request_part":     part,
}

// upstreamLists are the variables with a value for each upstream that nginx asked, with commas and
// colons between them.
//
// https://nginx.org/en/docs/http/ngx_http_upstream_module.html#variables
var upstreamLists = map[string]bool{
	"upstream_addr": true, "upstream_bytes_received": true, "upstream_bytes_sent": true, "upstream_connect_time": true,
	"upstream_first_byte_time": true, "upstream_header_time": true, "upstream_queue_time": true,
	"upstream_response_length": true, "upstream_response_time": true, "upstream_session_time": true,
	"upstream_status": true,
}

// parseNginx reads the text of a log_format, or the whole directive.
func parseNginx(text string) (*template, error) {
	text, err := directiveText(text, "log_format")
	if err != nil {
		return nil, err
	}
	// $uri is the path after decoding.
	decoded := false
	text = strings.ReplaceAll(text, "$uri$is_args$args", "$uri_args")
	var variables []variable
	for i := 0; i < len(text); i++ {
		if text[i] != '$' {
			continue
		}
		start := i
		name, end := nginxName(text[i+1:])
		if name == "" {
			return nil, fmt.Errorf("format %q: there is no name after $ at byte %d", text, i+1)
		}
		i += end
		v := variable{name: "$" + name, start: start, end: i + 1, field: nginxVariables[name]}
		if name == "time_local" { // 17/May/2015:10:05:03 +0000
			v.blanks = 1
		}
		v.listed = upstreamLists[name] || v.field == forwarded || v.field == chain
		v.bare = strings.HasPrefix(name, "bare_")
		variables = append(variables, v)
		decoded = decoded || v.field == stem || v.field == uriArgs
	}
	t, err := compile(text, variables)
	if err == nil {
		t.decoded = decoded
	}
	return t, err
}

// nginxName cuts the name of a variable, also in braces, from the beginning of s, and
// returns the length of both.
func nginxName(s string) (name string, length int) {
	braces := strings.HasPrefix(s, "{")
	if braces {
		s = s[1:]
	}
	n := 0
	for n < len(s) && (s[n] == '_' || '0' <= s[n] && s[n] <= '9' || 'a' <= s[n]|0x20 && s[n]|0x20 <= 'z') {
		n++
	}
	switch {
	case !braces:
		return s[:n], n
	case n < len(s) && s[n] == '}':
		return s[:n], n + 2
	}
	return "", 0
}

// configEscape returns the character for which a backslash and a character stand in a quoted text
// of a configuration, or 0. \t in a LogFormat is left to the format.
func configEscape(c byte, directive string) byte {
	switch {
	case c == '"' || c == '\'' || c == '\\':
		return c
	case directive == "LogFormat":
		return 0
	case c == 't':
		return '\t'
	case c == 'r':
		return '\r'
	case c == 'n':
		return '\n'
	}
	return 0
}

// directiveText returns the text of a format. Given a whole directive of a configuration,
// such as
//
//	log_format main '$remote_addr - $remote_user [$time_local] '
//	                '"$request" $status';
//
// it joins the quoted parts.
func directiveText(text, name string) (string, error) {
	rest, ok := strings.CutPrefix(strings.TrimSpace(text), name)
	if !ok || rest == "" || rest[0] != ' ' && rest[0] != '\t' {
		return text, nil
	}
	rest = strings.TrimSuffix(strings.TrimSpace(rest), ";")
	var out strings.Builder
	for parts := 0; ; parts++ {
		start := strings.IndexAny(rest, `'"`)
		if start < 0 {
			if parts == 0 {
				return "", fmt.Errorf("%s has no text in quotes", name)
			}
			return out.String(), nil
		}
		quote := rest[start]
		rest = rest[start+1:]
		for rest != "" && rest[0] != quote {
			c := rest[0]
			if c == '\\' && len(rest) > 1 {
				if escaped := configEscape(rest[1], name); escaped != 0 {
					c, rest = escaped, rest[1:]
				}
			}
			out.WriteByte(c)
			rest = rest[1:]
		}
		if rest == "" {
			return "", fmt.Errorf("%s: a quote (%c) is not closed", name, quote)
		}
		rest = rest[1:]
	}
}
