package accesslog

import (
	"encoding/json"
	"regexp"
	"slices"
	"strings"
)

// slowNames are names of members and keys, and their fields, the best first: those of nginx's
// variables, of "nginx_json" in the documentation of Matomo's log analytics, of the Elastic Common
// Schema, and of ltsv.org.
var slowNames = [][2]string{
	{"client", "remote_addr"}, {"client", "ip"}, {"client", "source.ip"}, {"forwarded", "http_x_forwarded_for"},
	{"host", "http_host"}, {"host", "vhost"}, {"host", "fqdn"}, {"host", "domain_name"}, {"host", "host"},
	{"endtime", "time_iso8601"}, {"endtime", "time_local"},
	{"endtime", "time"}, {"endtime", "date"}, {"request", "request"}, {"request", "req"},
	{"method", "request_method"}, {"method", "method"}, {"method", "http.request.method"}, {"target", "request_uri"},
	{"target", "uri"}, {"target", "url.original"}, {"target", "path"}, {"status", "status"},
	{"status", "http.response.status_code"}, {"size", "body_bytes_sent"}, {"size", "bytes_sent"}, {"size", "size"},
	{"size", "length"}, {"seconds", "request_time"}, {"seconds", "reqtime"}, {"referrer", "http_referer"},
	{"referrer", "referer"}, {"referrer", "referrer"}, {"agent", "http_user_agent"}, {"agent", "user_agent"},
	{"agent", "user_agent.original"}, {"agent", "ua"}, {"", "level"}, {"", "msg"},
}

// Forms of values. A value in another form is none of the field.
var slowForms = map[string]*regexp.Regexp{
	"status":  regexp.MustCompile(`^[0-9]{3}$`),
	"size":    regexp.MustCompile(`^[0-9]{1,19}$`),
	"seconds": regexp.MustCompile(`^[0-9]{1,19}(\.[0-9]*)?$`),
	"method":  regexp.MustCompile("^[-!#$%&'*+.^_`|~A-Za-z][-!#$%&'*+.^_`|~0-9A-Za-z]{0,31}$"),
	"target":  regexp.MustCompile(`(?s)^(/|\*$)`),
	"request": regexp.MustCompile(`(?s)^[^ ]+ `),
}

// slowGeneral makes the request of names and values. Names are known whatever their case, and
// whatever other bytes than letters and digits they have.
func slowGeneral(pairs [][2]string) (*Request, bool) {
	var values []slowField
	seen := map[string]bool{}
	for _, known := range slowNames {
		field := known[0]
		for _, p := range pairs {
			if slowName(p[0]) != slowName(known[1]) || seen[field] || field == "" || p[1] == "" || p[1] == "-" {
				continue
			}
			if form := slowForms[field]; form != nil && !form.MatchString(p[1]) {
				continue
			}
			v := p[1]
			_, isAddr := slowAddr(v)
			isAddr = isAddr || slowChain(v) && (field != "client" || strings.Contains(v, ","))
			if isAddr != (field == "client" || field == "forwarded") {
				continue
			}
			if field == "host" && !slowHostName(v) {
				continue
			}
			if field == "seconds" {
				if _, ok := slowDuration(field, v); !ok {
					continue
				}
			}
			if field == "endtime" {
				if _, _, ok := slowTime(strings.Trim(v, "[]")); !ok {
					continue
				}
			}
			seen[field] = true
			values = append(values, slowField{field, v})
		}
	}
	if seen["request"] { // it says what the target is
		values = slices.DeleteFunc(values, func(f slowField) bool { return f.name == "target" })
	}
	r, ok := slowRequest(values)
	return r, ok && r.Target != nil
}

func slowName(s string) string {
	return regexp.MustCompile(`[^a-z0-9]`).ReplaceAllString(strings.ToLower(s), "")
}

// slowCollect returns the names and values of a line, and false for a line about which a twin says
// nothing: it has a name that no document has, or a value that may be read in several ways.
var slowCollect = map[string]func(line string) (pairs [][2]string, ok bool){
	"json": func(line string) (pairs [][2]string, ok bool) {
		var object map[string]any
		if json.Unmarshal([]byte(line), &object) != nil || !strings.HasPrefix(line, "{") || repeats(line) {
			return nil, false
		}
		for name, v := range object {
			switch v := v.(type) {
			case string:
				pairs = append(pairs, [2]string{name, v})
			case json.Number, float64:
				expr := regexp.MustCompile(regexp.QuoteMeta(`"`+name+`"`) + `\s*:\s*([-0-9.eE+]+)`)
				text := expr.FindStringSubmatch(line)
				if text == nil {
					return nil, false
				}
				pairs = append(pairs, [2]string{name, text[1]})
			case nil:
			default:
				return nil, false
			}
		}
		return pairs, plainPairs(pairs)
	},
	"logfmt": func(line string) (pairs [][2]string, ok bool) {
		const pair = `([a-z_.]+)=("([^"\\]|\\["\\])*"|[^ "=]+)`
		if !regexp.MustCompile("^("+pair+"( |$))+$").MatchString(line) || strings.HasSuffix(line, " ") {
			return nil, false
		}
		for _, m := range regexp.MustCompile(pair).FindAllStringSubmatch(line, -1) {
			v := m[2]
			if v[0] == '"' {
				v = slowUnescape(v[1 : len(v)-1])
			}
			pairs = append(pairs, [2]string{m[1], v})
		}
		return pairs, plainPairs(pairs)
	},
	"ltsv": func(line string) (pairs [][2]string, ok bool) {
		if !regexp.MustCompile(`^([a-z_.]+:[^\t\\]*(\t|$)){2,}$`).MatchString(line) || strings.HasSuffix(line, "\t") {
			return nil, false
		}
		for _, field := range strings.Split(line, "\t") {
			name, v, _ := strings.Cut(field, ":")
			if name == "host" { // "Remote host"
				if _, isAddr := slowAddr(v); !isAddr {
					return nil, false
				}
				name = "remote_addr"
			}
			pairs = append(pairs, [2]string{name, v})
		}
		return pairs, plainPairs(pairs)
	},
}

// plainPairs reports whether all names are documented, no name stands twice, and no value is of a
// form that programs write in several ways.
func plainPairs(pairs [][2]string) bool {
	seen := map[string]bool{}
	for _, p := range pairs {
		name := slowName(p[0])
		if seen[name] || !slices.ContainsFunc(slowNames, func(n [2]string) bool { return slowName(n[1]) == name }) {
			return false
		}
		seen[name] = true
		header := strings.Contains(name, "agent") || strings.Contains(name, "refer") || name == "ua"
		if strings.Contains(p[1], "\\") || header && strings.ContainsAny(p[1], "%+") ||
			strings.HasPrefix(p[1], "[") != strings.HasSuffix(p[1], "]") ||
			regexp.MustCompile(`^[0-9.]{10,}$|^[0-9-]{10}$|^[0-9][0-9]:`).MatchString(p[1]) && name != "size" {
			return false
		}
		if _, ok := parseTime([]byte(strings.Trim(p[1], "[]"))); ok && len(p[1]) > 8 {
			_, _, known := slowTime(strings.Trim(p[1], "[]"))
			if !known || !strings.Contains(name, "time") && name != "date" {
				return false // slowTime knows fewer forms, and a time is one under any name
			}
		}
		if (name == "request" || name == "req") && strings.Index(p[1], " ") <= 0 {
			return false
		}
		if name == "requestmethod" && p[1] == "-" || strings.Contains(p[1], ",") && strings.Contains(p[1], ".") {
			return false
		}
	}
	return len(pairs) > 0
}

// repeats reports whether a name may stand twice in an object.
func repeats(line string) bool {
	names := regexp.MustCompile(`"([^"\\]*)"\s*:`).FindAllStringSubmatch(line, -1)
	seen := map[string]bool{}
	for _, m := range names {
		if seen[m[1]] {
			return true
		}
		seen[m[1]] = true
	}
	return false
}

// slowRealTime reads a line of the real-time logs of CloudFront by the order of "Fields" in its
// documentation.
func slowRealTime(line string) (*Request, bool) {
	names := []string{"time", "client", "", "status", "size", "method", "", "host", "stem", "", "", "", "", "seconds",
		"proto", "", "agent", "referrer", "", "query"}
	tokens := slowToken.FindAllString(line, -1)
	if len(tokens) < 17 {
		return nil, false
	}
	return slowW3C(names[:min(len(tokens), len(names))], min(len(tokens), len(names)), line)
}
