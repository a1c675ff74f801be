package accesslog

import (
	"bytes"
	"regexp"
	"strings"
	"sync"
)

// nameless are logs whose lines never have a User-Agent, so that no format helps: their owner has
// to let the server write another log. Most programs never need the expressions.
var nameless = sync.OnceValue(func() []namelessLog {
	return []namelessLog{
		// https://github.com/gin-gonic/gin/blob/master/logger.go, defaultLogFormatter
		{"Gin", has("[GIN] "), regexp.MustCompile(`\[GIN\] \d{4}/\d\d/\d\d - \d\d:\d\d:\d\d \|`)},
		// https://github.com/encode/uvicorn/blob/master/uvicorn/logging.py, AccessFormatter
		{"Uvicorn", has(` - "`, " HTTP/"), regexp.MustCompile(
			`(?:INFO: +|^)\S+:\d+ - "[A-Z]+ [^"]* HTTP/[\d.]+" \d{3}\b`)},
		// https://github.com/rails/rails/blob/main/railties/lib/rails/rack/logger.rb
		{"Rails", has("Started ", `" for `), regexp.MustCompile(`Started [A-Z]+ "[^"]*" for \S+ at \d{4}-`)},
		// https://docs.python.org/3/library/http.server.html, log_message; Werkzeug writes the same.
		{"Werkzeug", has(`] "`), regexp.MustCompile(
			`\[\d\d/[A-Z][a-z]{2}/\d{4} \d\d:\d\d:\d\d\] "[^"]*" (?:\d{3}|-) \S+$`)},
		// https://docs.haproxy.org/dev/configuration.html#8.2.2
		{"HAProxy in mode tcp", hasCounts, regexp.MustCompile(
			` -?\d+/-?\d+/\+?\d+ \+?\d+ [-A-Za-z]{2} \d+/\d+/\d+/\d+/\+?\d+ \d+/\d+`)},
		// https://wiki.squid-cache.org/Features/LogFormat, squid
		{"Squid", hasThousandths, regexp.MustCompile(
			`\b\d{10}\.\d{3} +\d+ \S+ [A-Z_]+/\d{3} \d+ [A-Z]+ \S+ \S+ [A-Z_]+/`)},
		// https://github.com/unbit/uwsgi/blob/master/core/logging.c, uwsgi_logit_simple
		{"uWSGI", has("[pid: ", "|app: "), regexp.MustCompile(
			`\[pid: \d+\|app: .*\] \S+ \(.*\) \{\d+ vars in \d+ bytes\}`)},
		// https://github.com/expressjs/morgan#predefined-formats: tiny, dev
		{"morgan", has(" ms", " - ", " /"), regexp.MustCompile(
			`^[A-Z]+ /\S* (?:\x1b\[\d+m)?\d{3}(?:\x1b\[0m)? (?:\S+ - [\d.]+ ms|[\d.]+ ms - \S+)$`)},
		{errorLog + "nginx", has("] ", "#", ": "), regexp.MustCompile(
			`\d{4}/\d\d/\d\d \d\d:\d\d:\d\d \[[a-z]+\] \d+#\d+: `)},
		// Versions before 2.4 write no module before the level.
		{errorLog + "Apache httpd", startsWithBracket, regexp.MustCompile(
			`^\[[A-Z][a-z]{2} [A-Z][a-z]{2} \d\d [\d:.]+ \d{4}\] \[(?:\S*:\S+|[a-z]+)\] `)},
		// https://www.php.net/manual/en/errorfunc.configuration.php#ini.error-log
		{errorLog + "PHP", startsWithBracket, regexp.MustCompile(
			`^\[\d\d-[A-Z][a-z]{2}-\d{4} \d\d:\d\d:\d\d(?: [A-Za-z/_+:\d-]+)?\] `)},
	}
})

// errorLog begins the name of a log that no setting makes a log of requests. Its owner has the log
// of requests too, beside it.
const errorLog = "the error log of "

// A namelessLog is a log, what each of its lines has, which is found in little time, and an
// expression for them.
type namelessLog struct {
	name string
	may  func(line []byte) bool
	expr *regexp.Regexp
}

// is reports whether a line is of the log.
func (l namelessLog) is(line []byte) bool { return l.may(line) && l.expr.Match(line) }

// has finds lines that have some texts.
func has(texts ...string) func(line []byte) bool {
	return func(line []byte) bool {
		for _, text := range texts {
			if !bytes.Contains(line, []byte(text)) {
				return false
			}
		}
		return true
	}
}

// hasCounts finds lines that have five counts with slashes between them, before a blank.
func hasCounts(line []byte) bool {
	slashes := 0
	for _, c := range line {
		switch {
		case c == '/':
			slashes++
		case c == ' ' && slashes == 4:
			return true
		case c != '+' && c-'0' > 9:
			slashes = 0
		}
	}
	return false
}

// hasThousandths finds lines that have a digit, a dot, three digits and a blank.
func hasThousandths(line []byte) bool {
	for rest := line; ; {
		i := bytes.IndexByte(rest, '.')
		if i < 0 || i+4 >= len(rest) {
			return false
		}
		if i > 0 && rest[i-1]-'0' <= 9 && rest[i+3]-'0' <= 9 && rest[i+4] == ' ' {
			return true
		}
		rest = rest[i+1:]
	}
}

func startsWithBracket(line []byte) bool { return len(line) > 0 && line[0] == '[' }

// unknown returns why a line in no known format cannot be read.
func unknown(line []byte) (reason string) {
	for _, log := range nameless() {
		switch {
		case !log.is(line):
		case strings.HasPrefix(log.name, errorLog):
			return "the line is of " + log.name + "; give the access log, which is usually in the same folder"
		default:
			return "the line is of " + log.name + ", whose log has no User-Agent; let the server log it"
		}
	}
	switch {
	case isPart(line):
		return "the container runtime cut the line, and parts (P) are not joined; join them before"
	case bytes.Contains(line, []byte(`"logRecords"`)):
		return "the line has records of OpenTelemetry; write one a line, with " +
			"jq -c '.resourceLogs[].scopeLogs[].logRecords[]'"
	case hasObjects(line):
		return "the line has several objects in an array; write one a line, as jq -c '.[]' does"
	}
	return "the line is in no known format; name its format"
}

// isPart reports whether a line is a part of a longer one, as container runtimes cut it: "time
// stdout P part".
func isPart(line []byte) bool {
	_, rest := cutWord(line)
	return startsPart(rest)
}

func startsPart(text []byte) bool {
	return len(text) > 9 && text[7] == 'P' && text[8] == ' ' &&
		(bytes.HasPrefix(text, criOut) || bytes.HasPrefix(text, criErr))
}

// hasObjects reports whether a line is JSON with several objects in an array.
func hasObjects(line []byte) bool {
	return len(line) > 0 && (line[0] == '{' || line[0] == '[') && bytes.Contains(line, []byte("[{")) &&
		(bytes.Contains(line, []byte("},{")) || bytes.Contains(line, []byte("}, {")))
}
