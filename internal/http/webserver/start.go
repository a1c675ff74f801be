// Package webserver starts the web servers of a machine with a configuration in a temporary folder:
// for the check of an export, and for tests.
package webserver

import (
	"bytes"
	"context"
	"fmt"
	"io/fs"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"github.com/robotsexclusion/robots/internal/test/ports"
)

// A Site is a site of a server: its exported files, and the operator's own directives.
type Site struct {
	Includes [][]string        // the lines of each place, in the order of package export
	Files    map[string][]byte // by their names in the folder
	Text     string            // after the included lines; by default the site answers 200 to all requests
	Main     string            // of the first site: directives of nginx's main context
	TCP      bool              // of a single site: clients have addresses of the loopback
}

// include returns the lines for a place.
func (s *Site) include(place int) string { return strings.Join(s.Includes[place], "\n") }

// Host returns the name of the host of a site.
func Host(site int) string { return fmt.Sprintf("s%d.example", site) }

// A Process is a running server.
type Process struct {
	PID int // of the parent of all its processes

	network, address string
	each             bool // each site has an address, which ends with its number
	cancel           func()
	done             chan error
	output           bytes.Buffer // of the server, to be read after done
}

// Dial connects to a site.
func (p *Process) Dial(site int) (net.Conn, error) { return p.DialFrom(site, nil) }

// DialFrom connects to a site from an address of this machine.
func (p *Process) DialFrom(site int, from net.Addr) (net.Conn, error) {
	address := p.address
	if p.each {
		address += fmt.Sprint(site)
	}
	return (&net.Dialer{Timeout: 10 * time.Second, LocalAddr: from}).Dial(p.network, address)
}

// Stop ends the server, and returns its output.
func (p *Process) Stop() string {
	p.cancel()
	<-p.done
	return p.output.String()
}

// Installed returns an error that is fs.ErrNotExist if a server, or a part of it, is not installed.
func Installed(ctx context.Context, server string) error {
	how, ok := programs[server]
	if !ok {
		return notInstalled(server)
	}
	_, err := how.find(ctx)
	return err
}

// Start runs a server with sites in a folder, and waits until it accepts connections. The name of
// the folder must be short enough for the name of a socket. If the server is not installed, the
// error is fs.ErrNotExist.
func Start(ctx context.Context, server, dir string, sites ...Site) (*Process, error) {
	how, ok := programs[server]
	if !ok {
		return nil, fmt.Errorf("%s cannot be started for a check: name a server, such as nginx-lua", server)
	}
	path, err := how.find(ctx)
	if err != nil {
		return nil, err
	}
	p := &Process{network: "unix", address: filepath.Join(dir, "s"), each: how.each, done: make(chan error, 1)}
	listen := "unix:" + p.address
	if how.tcp || sites[0].TCP {
		p.each = false
		if listen, err = ports.Find(); err != nil {
			return nil, err
		}
		p.network, p.address = "tcp", listen
	}
	if err := how.save(dir, listen, sites); err != nil {
		return nil, err
	}
	ctx, p.cancel = context.WithCancel(ctx)
	cmd := exec.CommandContext(ctx, path, how.args(dir, listen)...)
	cmd.Dir, cmd.Stdout, cmd.Stderr, cmd.WaitDelay = dir, &p.output, &p.output, 10*time.Second
	// Caddy keeps its configuration
	cmd.Env = append(os.Environ(), "HOME="+dir, "XDG_CONFIG_HOME="+dir, "XDG_DATA_HOME="+dir)
	// a killed server leaves its workers
	cmd.Cancel = func() error { return cmd.Process.Signal(syscall.SIGTERM) }
	if err := cmd.Start(); err != nil {
		p.cancel()
		return nil, err
	}
	p.PID = cmd.Process.Pid
	go func() { p.done <- cmd.Wait() }()
	for {
		if conn, err := p.Dial(0); err == nil {
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

// find returns the path of the server. If the server or a part of it is missing, the error is a
// notInstalled.
func (how *program) find(ctx context.Context) (string, error) {
	path, err := find(how.command)
	if err != nil {
		return "", err
	}
	if how.module != "" {
		if _, err := os.Stat(how.module); err != nil {
			return "", notInstalled(how.module)
		}
	}
	if how.built != "" {
		says, err := exec.CommandContext(ctx, path, "-vv").Output()
		if err != nil {
			return "", fmt.Errorf("%s -vv: %w", path, err)
		}
		if !strings.Contains(string(says), how.built) {
			return "", notInstalled(fmt.Sprintf("a %s that is \"%s\"", how.command, how.built))
		}
	}
	return path, nil
}

// save writes a server's files.
func (how *program) save(dir, listen string, sites []Site) error {
	for i := range sites {
		if sites[i].Text == "" {
			sites[i].Text = how.answer
		}
	}
	main := strings.ReplaceAll(how.main(dir, listen, sites), how.usual, dir)
	files := map[string][]byte{"main": []byte(main), "pages/ok": []byte("ok")}
	for _, s := range sites {
		for name, data := range s.Files {
			if strings.HasSuffix(name, ".lighttpd.conf") { // it names another file
				data = bytes.ReplaceAll(data, []byte(how.usual+"/"), []byte(dir+"/"))
			}
			files[name] = data
		}
	}
	for name, data := range files {
		name = filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(name, data, 0o644); err != nil {
			return err
		}
	}
	return nil
}

// lastLine returns the end of a server's output.
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
	return "", notInstalled(command)
}

// A notInstalled is the error for a command that is not installed.
type notInstalled string

func (e notInstalled) Error() string {
	return string(e) + " is not installed, so the files cannot be checked"
}

func (e notInstalled) Unwrap() error { return fs.ErrNotExist }
