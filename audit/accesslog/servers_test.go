package accesslog_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/robotsexclusion/robots/audit/accesslog"
	"github.com/robotsexclusion/robots/internal/test/fatal"
	"github.com/robotsexclusion/robots/internal/test/ports"
)

// A logServer is a web server whose log a test reads.
type logServer struct {
	name    string
	program string // skip without it
	format  string // of the log, as ParseFormat takes it
	// start returns the files of the server, by name, and its command. The server listens at an
	// address, and writes its log to the file "log" of its folder, or to standard output.
	start func(dir, address string) (files map[string]string, command []string)
	// after is a command that writes the log, or nil.
	after func(dir string) []string

	exact     int                 // least number of requests that the server logs as they were sent
	decoded   bool                // the log has paths after decoding
	anonymous bool                // the log has no headers
	buffered  bool                // the log has the last lines when the server has ended
	cut       int                 // lines are cut after about so many bytes, or 0
	text      func(string) string // the text that the server has for one that was sent, or nil if it is the same
}

const apacheModules = "/usr/lib/apache2/modules/"

// nginxText and apacheText are formats that have all fields, in odd places and between odd texts.
const (
	nginxText  = `log_format odd '$status|$remote_addr:$remote_port|$request_time|"$request"|$host|[$time_local]|"$http_user_agent"' '\'"$http_referer" $body_bytes_sent';`
	nginxJSON  = `log_format odd escape=json '{"t":"$time_iso8601","a":"$remote_addr","r":"$request","s":"$status","u":"$http_user_agent","f":"$http_referer"}';`
	nginxURI   = `log_format odd '$msec "$request_method" "$uri$is_args$args" $status $remote_addr "$http_referer" "$http_user_agent"';`
	nginxParts = `log_format odd '$msec "$request_method" "$request_uri" "$server_protocol" $status $remote_addr "$http_referer" "$http_user_agent"';`
	apacheText = `LogFormat "%>s|%a|%D|\"%r\"|%v|%{%Y-%m-%dT%H:%M:%S%z}t|\"%{User-Agent}i\"'\"%{Referer}i\" %O 100%%" odd`
	apacheURL  = `LogFormat "%h %l %u %t \"%m\" \"%U%q\" \"%H\" %>s %b \"%{Referer}i\" \"%{User-agent}i\"" odd`
)

func nginxServer(name, directive, format string) logServer {
	return logServer{name: name, program: "nginx", format: format, exact: 10, decoded: name == "nginx-uri",
		start: func(dir, address string) (map[string]string, []string) {
			return map[string]string{"main": "pid nginx.pid; error_log stderr crit; daemon off; master_process off; events {}\n" +
				"http { client_body_temp_path t; proxy_temp_path t; fastcgi_temp_path t; uwsgi_temp_path t; scgi_temp_path t;\n" +
				directive + "\naccess_log log odd; server { listen " + address +
				"; location / { return 200 hello; } } }\n"}, []string{"nginx", "-p", dir, "-c", "main"}
		}}
}

func apacheServer(name, format string) logServer {
	return logServer{name: name, program: "apache2", format: format, exact: 7, decoded: name == "apache-url",
		start: func(dir, address string) (map[string]string, []string) {
			text := ""
			for _, m := range []string{"mpm_event", "authz_core", "rewrite"} {
				text += fmt.Sprintf("LoadModule %s_module %smod_%[1]s.so\n", m, apacheModules)
			}
			if os.Getuid() == 0 {
				text += "User www-data\nGroup www-data\n"
			}
			text += fmt.Sprintf("ServerRoot %[1]s\nPidFile %[1]s/pid\nServerName www.example.com\nListen %[2]s\nErrorLog /dev/stderr\nLogLevel crit\nStartServers 1\nDocumentRoot %[1]s\n%[3]s\nCustomLog %[1]s/log odd\n", dir, address, format)
			return map[string]string{"main": text}, []string{"apache2", "-d", dir, "-f", dir + "/main", "-D",
				"FOREGROUND"}
		}}
}

// logServers are servers with formats of their own.
var logServers = []logServer{
	nginxServer("nginx", nginxText, nginxText),
	nginxServer("nginx-json", nginxJSON, "json time=t client=a request=r status=s agent=u referrer=f"),
	nginxServer("nginx-parts", nginxParts, nginxParts),
	nginxServer("nginx-uri", nginxURI, nginxURI),
	apacheServer("apache", apacheText),
	apacheServer("apache-url", apacheURL),
	{name: "haproxy", program: "haproxy", format: "haproxy", exact: 6, anonymous: true, cut: 1000,
		start: func(dir, address string) (map[string]string, []string) {
			return map[string]string{"main": "global\nnbthread 1\nlog stdout format raw local0\ndefaults\nmode http\nlog global\noption httplog\ntimeout client 9s\n" +
					"frontend front\nbind " + address + "\nhttp-request return status 200\n"}, []string{"haproxy", "-f",
					dir +
						"/main", "-db"}
		}},
	{name: "caddy", program: "caddy", format: "caddy", exact: 9, text: replaceInvalid,
		start: func(dir, address string) (map[string]string, []string) {
			return map[string]string{"main": "{\nadmin off\nauto_https off\n}\nhttp://:" + port(address) + " {\nbind " +
					host(address) + "\nlog {\noutput file " + dir + "/log\n}\nrespond hello\n}\n"},
				[]string{"caddy", "run", "--adapter", "caddyfile", "--config", dir + "/main"}
		}},
	{name: "lighttpd", program: "lighttpd", format: "combined", exact: 7, buffered: true,
		start: func(dir, address string) (map[string]string, []string) {
			return map[string]string{"main": fmt.Sprintf("server.modules = ( \"mod_accesslog\" )\nserver.bind = %q\nserver.port = %s\nserver.document-root = %q\nserver.errorlog = \"/dev/null\"\naccesslog.filename = %q\n"+
				"accesslog.format = \"%%h %%l %%u %%t \\\"%%r\\\" %%>s %%b \\\"%%{Referer}i\\\" \\\"%%{User-Agent}i\\\"\"\n", host(address), port(address), dir, dir+"/log")}, []string{"lighttpd", "-D", "-f", dir + "/main"}
		}},
	{name: "varnish", program: "varnishncsa", format: "combined", exact: 8, cut: 255,
		start: func(dir, address string) (map[string]string, []string) {
			return map[string]string{"main": "vcl 4.1;\nbackend default none;\nsub vcl_recv { return (synth(200)); }\n"},
				[]string{"varnishd", "-F", "-n", dir + "/n", "-a", address, "-f", dir + "/main", "-j", "none", "-s",
					"malloc,10m"}
		}, after: func(dir string) []string { return []string{"varnishncsa", "-n", dir + "/n", "-d"} }},
}

func port(address string) string { return address[strings.LastIndexByte(address, ':')+1:] }
func host(address string) string {
	return strings.Trim(address[:strings.LastIndexByte(address, ':')], "[]")
}

// sentRequests are the requests that the servers log. Each begins with a number, in its target.
var sentRequests = []struct{ method, target, proto, agent, referrer string }{
	{"GET", "/a?b=c", "HTTP/1.1", "ExampleBot/1.0 (+https://example.com/bot)", "https://example.com/"},
	{"GET", `/a"b\c`, "HTTP/1.1", `q"uo\te \x22 \u0041 "end\`, `http://a/"\"\\`},
	{"GET", "/%22%5C%2f%00?q=%22#x", "HTTP/1.1", "%22%5C+x", "%22"},
	{"GET", "/caf\u00e9\u65e5", "HTTP/1.1", "F\u00fc\u00df \u65e5\u672c \U0001F916", "http://b\u00fccher.example/"},
	{"GET", "/\xff\xfe", "HTTP/1.1", "\xe9\xff", "\x80"},
	{"GET", "/control", "HTTP/1.1", "a\tb\x01\x1b[31m\x7f", "\x0b\x0c"},
	{"GET", "http://other.example/x?y", "HTTP/1.1", "Bot", ""},
	{"GET", "/sp ace and more", "HTTP/1.1", "Bot", ""},
	{"GET", "/#22#{|}#zz", "HTTP/1.1", "#22{|}", "#"},
	{"OPTIONS", "*", "HTTP/1.1", "Bot", ""},
	{"get", "//lower/../x", "HTTP/1.0", "-", "-"},
	{"M-SEARCH", "/' \"'", "HTTP/1.1", "' | | ]", "[ ] - \""},
	{"GET", "/" + strings.Repeat("x", 3000), "HTTP/1.1", strings.Repeat("y", 3000), ""},
	{"\x16\x03\x01\x00", "/", "", "", ""},
	{"GET", "/nine", "", "", ""},
	{"GET", encoded, "HTTP/1.1", "Bot", ""},
	{"GET", "/last", "HTTP/1.1", "Last", ""},
}

// TestServers reads the logs of servers with formats of their own, and compares each line with the
// request that was sent. Servers refuse some of the requests, and may log less of them or nothing:
// such a line has to be readable, and shows no header that was not sent.
func TestServers(t *testing.T) {
	for _, s := range logServers {
		t.Run(s.name, func(t *testing.T) {
			t.Parallel()
			log := s.log(t)
			f, err := accesslog.ParseFormat(s.format)
			fatal.If(t, err)
			r := accesslog.Reader{Formats: []*accesslog.Format{f}}
			logged := make([]bool, len(sentRequests)) // a server with threads may log in another order
			exact := 0
			for q, err := range r.From("log", bytes.NewReader(log)).Requests() {
				if err != nil {
					var bad *accesslog.SyntaxError
					errors.As(err, &bad)
					t.Errorf("%v: %.300q", err, bad.Text)
					continue
				}
				if since := time.Since(q.Time); since < -time.Minute || since > time.Hour {
					t.Errorf("the time is %v: %.300q", q.Time, q.Text)
				}
				if q.Client.String() != "127.0.0.1" && q.Status != 400 {
					t.Errorf("the client is %v: %.300q", q.Client, q.Text)
				}
				i := 0
				for i < len(sentRequests) && (logged[i] || !s.same(q, i)) {
					i++
				}
				switch {
				case i < len(sentRequests):
					logged[i] = true
					exact++
				case q.Status < 400:
					t.Errorf("no request that was sent is %s %q, %q, %q: %.300q", q.Method, q.Target, q.UserAgent,
						q.Referrer, q.Text)
				}
			}
			if !logged[0] || !logged[len(logged)-1] || exact < s.exact {
				t.Errorf("%d lines are of requests that were sent, want %d, with the first and the last: %v\n%s", exact,
					s.exact, logged, log)
			}
		})
	}
}

// same reports whether a line of the log says of a request what was sent.
func (s *logServer) same(q *accesslog.Request, i int) bool {
	sent := sentRequests[i]
	path := sent.target
	if rest, ok := strings.CutPrefix(path, "http://other.example"); ok {
		path = rest
	}
	agent, referrer := sent.agent, sent.referrer
	if s.text != nil {
		path, agent, referrer = s.text(path), s.text(agent), s.text(referrer)
	}
	if s.decoded {
		if sent.target == encoded {
			path = "/Ab c/d?e/f?g=%41%20"
		}
		if q.Path != nil && !q.Decoded {
			return false
		}
	} else if q.Decoded {
		return false
	}
	if agent == "-" {
		agent = ""
	}
	if referrer == "-" {
		referrer = ""
	}
	if s.anonymous {
		agent, referrer = "", ""
	}
	if path == "*" && q.Path == nil && string(q.Target) == "*" {
		path = ""
	}
	got := string(q.Path)
	if s.name == "nginx-uri" { // $uri has no fragment
		path, _, _ = strings.Cut(path, "#")
	}
	return string(q.Method) == sent.method && s.sameText(got, path) && s.sameText(string(q.UserAgent), agent) &&
		string(q.Referrer) == referrer
}

// sameText reports whether a text of the log is the text that was sent, or its beginning if the
// server cuts it.
func (s *logServer) sameText(got, sent string) bool {
	return got == sent || s.cut > 0 && len(sent) > s.cut && len(got) > s.cut*4/5 && strings.HasPrefix(sent, got)
}

// encoded is a target with characters that need no escape, and with escapes that say something else
// when decoded.
const encoded = "/%41b%20c%2Fd%3Fe//f?g=%41%20"

// log runs a server, sends the requests, and returns its log.
func (s *logServer) log(t *testing.T) (log []byte) {
	t.Helper()
	if _, err := exec.LookPath(s.program); err != nil {
		t.Skipf("%s is not installed", s.program)
	}
	dir, err := os.MkdirTemp("", "accesslog")
	fatal.If(t, err)
	t.Cleanup(func() { os.RemoveAll(dir) })
	fatal.If(t, os.Chmod(dir, 0o777))
	address := ports.Address(t)
	files, command := s.start(dir, address)
	for name, text := range files {
		fatal.If(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666))
	}
	ctx, cancel := context.WithCancel(t.Context())
	cmd := exec.CommandContext(ctx, command[0], command[1:]...)
	cmd.Dir = dir
	cmd.Cancel = func() error { return cmd.Process.Signal(syscall.SIGTERM) }
	cmd.WaitDelay = time.Minute
	out, err := os.Create(filepath.Join(dir, "stdout"))
	fatal.If(t, err)
	defer out.Close()
	var stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = out, &stderr
	fatal.If(t, cmd.Start())
	ended := make(chan struct{})
	go func() { cmd.Wait(); close(ended) }()
	stop := func() { cancel(); <-ended }
	defer stop()
	for {
		conn, err := net.Dial("tcp", address)
		if err == nil {
			conn.Close()
			break
		}
		select {
		case <-ended:
			t.Fatalf("%s ended: %s", s.name, stderr.Bytes())
		case <-time.After(20 * time.Millisecond):
		}
	}
	for _, q := range sentRequests {
		send(t, address, q.method+" "+q.target, q.proto, q.agent, q.referrer)
	}
	if s.after != nil {
		after := s.after(dir)
		if log, err = exec.Command(after[0], after[1:]...).Output(); err != nil {
			t.Fatal(err)
		}
		return log
	}
	read := func() []byte {
		log, err := os.ReadFile(filepath.Join(dir, "log"))
		if errors.Is(err, os.ErrNotExist) {
			log, err = os.ReadFile(out.Name())
		}
		fatal.If(t, err)
		return log
	}
	// A server may answer before it logs.
	wait := time.Minute
	if s.buffered {
		wait = time.Second
	}
	for end := time.Now().Add(wait); !bytes.Contains(read(), []byte("/last")) && time.Now().Before(end); {
		time.Sleep(5 * time.Millisecond)
	}
	stop()
	return read()
}

// replaceInvalid returns s with U+FFFD for each byte that is not UTF-8, as package encoding/json
// writes it.
func replaceInvalid(s string) string { return string([]rune(s)) }

// send sends a request and waits for the end of the answer.
func send(t *testing.T, address, line, proto, agent, referrer string) {
	t.Helper()
	conn, err := net.Dial("tcp", address)
	fatal.If(t, err)
	defer conn.Close()
	if proto != "" {
		line += " " + proto
	}
	line += "\r\n"
	if proto != "" {
		line += "Host: www.example.com\r\nConnection: close\r\n"
		if agent != "" {
			line += "User-Agent: " + agent + "\r\n"
		}
		if referrer != "" {
			line += "Referer: " + referrer + "\r\n"
		}
	}
	io.WriteString(conn, line+"\r\n")
	conn.(*net.TCPConn).CloseWrite()
	io.Copy(io.Discard, conn)
}
