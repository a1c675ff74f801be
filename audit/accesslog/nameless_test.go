package accesslog_test

import (
	"strings"
	"testing"

	"github.com/robotsexclusion/robots/audit/accesslog"
)

// TestNameless checks what is said of lines that never have a User-Agent, and of others that cannot
// be read.
func TestNameless(t *testing.T) {
	for _, c := range []struct{ of, line string }{
		{"Gin", `[GIN] 2026/11/26 - 10:00:00 | 200 |    1.2ms |   203.0.113.7 | GET      "/a"`},
		{"Gin", `web-1  | [GIN] 2026/11/26 - 10:00:00 | 200 | 1.2ms | 203.0.113.7 | GET "/a"`},
		{"Uvicorn", `INFO:     203.0.113.7:4711 - "GET /a HTTP/1.1" 200 OK`},
		{"Rails", `I, [2026-11-26T10:00:00.1 #1]  INFO -- : Started GET "/a" for 203.0.113.7 at 2026-11-26 10:00:00`},
		{"Werkzeug", `203.0.113.7 - - [26/Nov/2026 10:00:00] "GET /a HTTP/1.1" 200 -`},
		{"HAProxy in mode tcp", `203.0.113.7:51234 [26/Nov/2026:10:00:00.123] fe be/s1 0/0/13 512 -- 1/1/0/0/0 0/0`},
		{"Squid", `1795687200.123 12 203.0.113.7 TCP_MISS/200 5 GET http://a.example/a - HIER_NONE/- text/html`},
		{"uWSGI", `[pid: 1|app: 0|req: 1/1] 203.0.113.7 () {3 vars in 5 bytes} [Thu Nov 26 10:00:00 2026] GET /a => ` +
			`generated 5 bytes in 1 msecs (HTTP/1.1 200)`},
		{"morgan", `GET /a 200 3.1 ms - 512`},
		{"the error log of nginx", `2026/11/26 10:00:00 [error] 12#12: *1 open() "/a" failed, client: 203.0.113.7`},
		{"the error log of Apache httpd", `[Thu Nov 26 10:00:00.123456 2026] [core:error] [pid 1] [client a] AH00036`},
		{"the error log of Apache httpd", `[Thu Nov 26 10:00:00 2026] [error] [client ::1] File does not exist: /a`},
		{"the error log of PHP", `[26-Nov-2026 10:00:00 UTC] PHP Warning:  Undefined variable $a in /a.php on line 1`},
		{"the error log of PHP", `[26-Nov-2026 10:00:00 Europe/Berlin] WordPress database error Lost connection`},
		{"", `203.0.113.7 GET /a 200`},
		{"", `Dear reader,`},
	} {
		var r accesslog.Reader
		for _, err := range r.From("log", strings.NewReader(c.line)).Requests() {
			want := "the line is in no known format; name its format"
			if strings.HasPrefix(c.of, "the error log") {
				want = "the line is of " + c.of + "; give the access log, which is usually in the same folder"
			} else if c.of != "" {
				want = "the line is of " + c.of + ", whose log has no User-Agent; let the server log it"
			}
			if err == nil || !strings.HasSuffix(err.Error(), want) {
				t.Errorf("%s: %v, want %s", c.line, err, want)
			}
		}
	}
}
