package accesslog

import (
	"regexp"
	"sync"
)

// nameless are logs whose lines never have a User-Agent, so that no format helps: their owner has
// to let the server write another log. Most programs never need the expressions.
var nameless = sync.OnceValue(func() []namelessLog {
	return []namelessLog{
		// https://github.com/gin-gonic/gin/blob/master/logger.go, defaultLogFormatter
		{"Gin", regexp.MustCompile(`\[GIN\] \d{4}/\d\d/\d\d - \d\d:\d\d:\d\d \|`)},
		// https://github.com/encode/uvicorn/blob/master/uvicorn/logging.py, AccessFormatter
		{"Uvicorn", regexp.MustCompile(`(?:INFO: +|^)\S+:\d+ - "[A-Z]+ [^"]* HTTP/[\d.]+" \d{3}\b`)},
		// https://github.com/rails/rails/blob/main/railties/lib/rails/rack/logger.rb
		{"Rails", regexp.MustCompile(`Started [A-Z]+ "[^"]*" for \S+ at \d{4}-`)},
		// https://docs.python.org/3/library/http.server.html, log_message; Werkzeug writes the same.
		{"Werkzeug", regexp.MustCompile(`\[\d\d/[A-Z][a-z]{2}/\d{4} \d\d:\d\d:\d\d\] "[^"]*" (?:\d{3}|-) \S+$`)},
		// https://docs.haproxy.org/dev/configuration.html#8.2.2
		{"HAProxy in mode tcp", regexp.MustCompile(
			` -?\d+/-?\d+/\+?\d+ \+?\d+ [-A-Za-z]{2} \d+/\d+/\d+/\d+/\+?\d+ \d+/\d+`)},
		// https://wiki.squid-cache.org/Features/LogFormat, squid
		{"Squid", regexp.MustCompile(`\b\d{10}\.\d{3} +\d+ \S+ [A-Z_]+/\d{3} \d+ [A-Z]+ \S+ \S+ [A-Z_]+/`)},
		// https://github.com/unbit/uwsgi/blob/master/core/logging.c, uwsgi_logit_simple
		{"uWSGI", regexp.MustCompile(`\[pid: \d+\|app: .*\] \S+ \(.*\) \{\d+ vars in \d+ bytes\}`)},
		// https://github.com/expressjs/morgan#predefined-formats: tiny, dev
		{"morgan", regexp.MustCompile(
			`^[A-Z]+ /\S* (?:\x1b\[\d+m)?\d{3}(?:\x1b\[0m)? (?:\S+ - [\d.]+ ms|[\d.]+ ms - \S+)$`)},
		{"errors of nginx", regexp.MustCompile(`\d{4}/\d\d/\d\d \d\d:\d\d:\d\d \[[a-z]+\] \d+#\d+: `)},
		{"errors of Apache httpd", regexp.MustCompile(
			`^\[[A-Z][a-z]{2} [A-Z][a-z]{2} \d\d [\d:.]+ \d{4}\] \[\S*:\S+\] `)},
	}
})

type namelessLog struct {
	name string
	expr *regexp.Regexp
}

// unknown returns why a line in no known format cannot be read.
func unknown(line []byte) (reason string) {
	for _, log := range nameless() {
		if log.expr.Match(line) {
			return "the line is of " + log.name + ", whose log has no User-Agent; let the server log it"
		}
	}
	return "the line is in no known format; name its format"
}
