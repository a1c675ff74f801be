package exportcheck

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"github.com/robotsexclusion/robots/export"
)

// A program is how to run a server: its command, and the configuration around the exported lines.
type program struct {
	command string
	main    func(dir, address string, config *export.Config) string // of the file "main"
	args    func(dir, address string) []string
	tcp     bool // the server cannot listen on a socket of a file
}

// programs has the servers by their names in package export. Each answers 200 to all requests that
// the exported configuration does not refuse.
var programs = map[string]program{
	"nginx": {
		command: "nginx",
		main: func(_, address string, c *export.Config) string {
			return fmt.Sprintf("pid nginx.pid; error_log stderr error; daemon off; master_process off; events {}\n"+
				"http { access_log off; client_body_temp_path t; proxy_temp_path t; fastcgi_temp_path t; uwsgi_temp_path t; scgi_temp_path t;\n"+
				"large_client_header_buffers 4 32k;\n%s\nserver { listen %s;\n%s\nlocation / { return 200; } } }\n", include(c, 0), address, include(c, 1))
		},
		args: func(dir, _ string) []string { return []string{"-p", dir, "-c", "main"} },
	},
	"haproxy": {
		command: "haproxy",
		main: func(_, address string, c *export.Config) string {
			return fmt.Sprintf("defaults\nmode http\ntimeout client 30s\nfrontend f\nbind %s\n%s\nhttp-request return status 200\n",
				strings.Replace(address, "unix:", "unix@", 1), include(c, 0))
		},
		args: func(string, string) []string { return []string{"-f", "main", "-db"} },
	},
	"varnish": {
		command: "varnishd",
		main: func(_, _ string, c *export.Config) string {
			return fmt.Sprintf("vcl 4.1;\nbackend default none;\n%s\nsub vcl_recv {\n%s\nreturn (synth(200));\n}\n", include(c, 0), include(c, 1))
		},
		args: func(dir, address string) []string {
			return []string{"-F", "-n", dir + "/work", "-j", "none", "-a", strings.TrimPrefix(address, "unix:"), "-f", dir + "/main", "-s", "default,1m",
				"-p", "vsl_space=1M", "-p", "http_req_size=32k", "-p", "http_req_hdr_len=16k", "-p", "pcre2_match_limit=1000000"}
		},
	},
	"apache": {
		command: "apache2",
		tcp:     true,
		main: func(dir, address string, c *export.Config) string {
			user := ""
			if os.Getuid() == 0 {
				user = "User www-data\nGroup www-data\n"
			}
			modules := ""
			for _, m := range []string{"mpm_event", "authz_core", "rewrite"} {
				modules += fmt.Sprintf("LoadModule %s_module /usr/lib/apache2/modules/mod_%[1]s.so\n", m)
			}
			return modules + user + fmt.Sprintf("ServerRoot %[1]s\nPidFile %[1]s/pid\nServerName x\nListen %[2]s\nErrorLog /dev/stderr\nLogLevel crit\nStartServers 1\n"+
				"LimitRequestLine 16000\nDocumentRoot %[1]s\n<VirtualHost *:*>\nAllowEncodedSlashes On\n%[3]s\nRewriteRule ^ /main [L]\n</VirtualHost>\n", dir, address, include(c, 0))
		},
		args: func(dir, _ string) []string { return []string{"-d", dir, "-f", dir + "/main", "-D", "FOREGROUND"} },
	},
}

// include returns the lines of one place of a configuration.
func include(c *export.Config, place int) string { return strings.Join(c.Includes[place].Lines, "\n") }

// A process is a running server.
type process struct {
	network, address string
	cancel           func()
	done             chan error
	output           bytes.Buffer // of the server, to be read after done
}

// stop ends the server.
func (p *process) stop() {
	p.cancel()
	<-p.done
}

// start runs a server with the files of a folder, and waits until it accepts connections.
func start(ctx context.Context, server, dir string, config *export.Config) (*process, error) {
	how, ok := programs[server]
	if !ok {
		return nil, fmt.Errorf("%s cannot be started for a check", server)
	}
	path, err := find(how.command)
	if err != nil {
		return nil, fmt.Errorf("%s is not installed, so the files cannot be checked", how.command)
	}
	p := &process{network: "unix", address: filepath.Join(dir, "s"), done: make(chan error, 1)}
	listen := "unix:" + p.address
	if how.tcp {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			return nil, err
		}
		p.network, p.address, listen = "tcp", l.Addr().String(), l.Addr().String()
		l.Close()
	}
	for _, f := range append([]export.File{{Name: "main", Data: []byte(how.main(dir, listen, config))}}, config.Files...) {
		if err := os.WriteFile(filepath.Join(dir, f.Name), f.Data, 0o644); err != nil {
			return nil, err
		}
	}
	ctx, p.cancel = context.WithCancel(ctx)
	cmd := exec.CommandContext(ctx, path, how.args(dir, listen)...)
	cmd.Dir, cmd.Stdout, cmd.Stderr, cmd.WaitDelay = dir, &p.output, &p.output, 10*time.Second
	cmd.Cancel = func() error { return cmd.Process.Signal(syscall.SIGTERM) } // a killed server leaves its workers
	if err := cmd.Start(); err != nil {
		p.cancel()
		return nil, err
	}
	go func() { p.done <- cmd.Wait() }()
	for {
		if conn, err := net.Dial(p.network, p.address); err == nil {
			conn.Close()
			return p, nil
		}
		select {
		case err := <-p.done:
			p.cancel()
			return nil, fmt.Errorf("%s does not take the files: %w: %s", how.command, err, lastLine(p.output.String()))
		case <-time.After(50 * time.Millisecond):
		}
	}
}

// lastLine returns the end of what a server wrote.
func lastLine(text string) string {
	text = strings.TrimSpace(text)
	return text[strings.LastIndexByte(text, '\n')+1:]
}

// find returns the path of a server, which need not be in the path of a user.
func find(command string) (string, error) {
	for _, dir := range append(filepath.SplitList(os.Getenv("PATH")), "/usr/sbin", "/usr/local/sbin") {
		if path, err := exec.LookPath(filepath.Join(dir, command)); err == nil {
			return path, nil
		}
	}
	return "", errors.Join(fs.ErrNotExist)
}
