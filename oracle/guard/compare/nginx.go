package main

import (
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"time"
)

// An nginx is a real nginx that refuses the names of the lists.
type nginx struct {
	cmd     *exec.Cmd
	address string
}

// startNginx starts nginx with both lists, below /ai and /bad: one expression of words with case, as ai.robots.txt writes it, and a map with an
// expression for each name without case, as nginx-ultimate-bad-bot-blocker does.
func startNginx(dir string) *nginx {
	program, err := exec.LookPath("nginx")
	if err != nil {
		program = "/usr/sbin/nginx"
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	check(err)
	s := &nginx{address: l.Addr().String()}
	l.Close()
	ai, bad := names()
	var lines strings.Builder
	for _, name := range bad {
		fmt.Fprintf(&lines, "\t\t%q 1;\n", `~*(?:\b)`+strings.ReplaceAll(regexp.QuoteMeta(name), `\\`, `\`)+`(?:\b)`)
	}
	for i, name := range ai {
		ai[i] = regexp.QuoteMeta(name)
	}
	config := fmt.Sprintf(`daemon off; master_process off; pid %[1]s/pid; error_log stderr crit;
events {}
http {
	access_log off; client_body_temp_path %[1]s/body; proxy_temp_path %[1]s/proxy;
	fastcgi_temp_path %[1]s/f; uwsgi_temp_path %[1]s/u; scgi_temp_path %[1]s/s;
	map_hash_max_size 8192; map_hash_bucket_size 512;
	map $http_user_agent $bad {
		default 0;
%[3]s	}
	server {
		listen %[2]s;
		location /ai {
			if ($http_user_agent ~ "\b(%[4]s)\b") {
				return 403;
			}
			return 200;
		}
		location /bad {
			if ($bad) {
				return 403;
			}
			return 200;
		}
	}
}`, dir, s.address, strings.ReplaceAll(lines.String(), `\\`, `\`), strings.Join(ai, "|"))
	file := filepath.Join(dir, "nginx.conf")
	check(os.WriteFile(file, []byte(config), 0o600))
	s.cmd = exec.Command(program, "-p", dir, "-c", file)
	s.cmd.Stderr = os.Stderr
	check(s.cmd.Start())
	for range 500 {
		if c, err := net.Dial("tcp", s.address); err == nil {
			c.Close()
			return s
		}
		time.Sleep(10 * time.Millisecond)
	}
	log.Fatal("nginx does not start")
	return nil
}

func (s *nginx) stop() {
	s.cmd.Process.Signal(os.Interrupt)
	s.cmd.Wait()
}

// ask returns which headers a list refuses.
func (s *nginx) ask(list string, headers []string) map[string]bool {
	refused := make(map[string]bool)
	for _, header := range headers {
		r, err := http.NewRequest("GET", "http://"+s.address+"/"+list, nil)
		check(err)
		r.Header["User-Agent"] = []string{header}
		answer, err := http.DefaultClient.Do(r)
		check(err)
		io.Copy(io.Discard, answer.Body)
		answer.Body.Close()
		switch answer.StatusCode {
		case http.StatusForbidden:
			refused[header] = true
		case http.StatusOK:
		default:
			log.Fatalf("%q: nginx answers %d", header, answer.StatusCode)
		}
	}
	return refused
}
