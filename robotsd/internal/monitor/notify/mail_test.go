package notify_test

import (
	"bufio"
	"context"
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"io"
	"mime"
	"mime/quotedprintable"
	"net"
	"net/http/httptest"
	"net/mail"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/robotsexclusion/robots/internal/test/fatal"
	"github.com/robotsexclusion/robots/robotsd/internal/monitor/notify"
)

// A mailServer is an SMTP server on loopback that fails as its fields say.
type mailServer struct {
	answers map[string]string // in place of the usual ones, by the start of a command; "" closes the connection
	noTLS   bool
	config  *tls.Config

	mu       sync.Mutex
	mails    []string
	commands []string
}

// start returns the address of the server.
func (s *mailServer) start(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	fatal.If(t, err)
	t.Cleanup(func() { l.Close() })
	go func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			go s.serve(conn)
		}
	}()
	return l.Addr().String()
}

func (s *mailServer) serve(conn net.Conn) {
	defer func() { conn.Close() }()
	r := bufio.NewReader(conn)
	if greeting, ok := s.answers["greeting"]; ok {
		io.WriteString(conn, greeting)
		io.Copy(io.Discard, conn)
		return
	}
	io.WriteString(conn, "220 mail.example ESMTP\r\n")
	encrypted := false
	for {
		line, err := r.ReadString('\n')
		if err != nil {
			return
		}
		line = strings.TrimRight(line, "\r\n")
		s.mu.Lock()
		s.commands = append(s.commands, line)
		s.mu.Unlock()
		answer := "250 ok"
		for start, other := range s.answers {
			if strings.HasPrefix(line, start) {
				if answer = other; other == "" {
					return
				}
			}
		}
		switch {
		case answer != "250 ok":
		case strings.HasPrefix(line, "EHLO") && !s.noTLS && !encrypted:
			answer = "250-mail.example\r\n250 STARTTLS"
		case strings.HasPrefix(line, "EHLO"):
			answer = "250-mail.example\r\n250 AUTH PLAIN"
		case line == "STARTTLS":
			io.WriteString(conn, "220 go\r\n")
			conn = tls.Server(conn, s.config)
			r = bufio.NewReader(conn)
			encrypted = true
			continue
		case strings.HasPrefix(line, "AUTH"):
			answer = "235 welcome"
		case line == "DATA":
			io.WriteString(conn, "354 go\r\n")
			var text strings.Builder
			for {
				l, err := r.ReadString('\n')
				if err != nil {
					return
				}
				if l == ".\r\n" {
					break
				}
				text.WriteString(l)
			}
			if after, ok := s.answers["."]; ok {
				answer = after
			}
			s.mu.Lock()
			s.mails = append(s.mails, text.String())
			s.mu.Unlock()
			if answer == "" {
				return
			}
		case line == "QUIT":
			io.WriteString(conn, "221 bye\r\n")
			return
		}
		io.WriteString(conn, answer+"\r\n")
	}
}

// certificates returns the configurations of a server and of its client.
func certificates(t *testing.T) (server, client *tls.Config) {
	web := httptest.NewUnstartedServer(nil)
	web.StartTLS()
	defer web.Close()
	pool := x509.NewCertPool()
	pool.AddCert(web.Certificate())
	return &tls.Config{Certificates: web.TLS.Certificates}, &tls.Config{RootCAs: pool}
}

// TestMailGroup checks that a message about many sites is one mail.
func TestMailGroup(t *testing.T) {
	server, client := certificates(t)
	s := &mailServer{config: server}
	m := &notify.Mail{Server: s.start(t), From: "robots@example.com", To: []string{"ops@example.com"}, TLS: client}
	fatal.If(t, m.Send(t.Context(), many(30)))
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.mails) != 1 || !strings.Contains(s.mails[0], "Subject: 30 sites: critical: closed-search, claim") ||
		strings.Count(s.mails[0], ".example: new: ") != 20 ||
		!strings.Contains(s.mails[0], "<robots-group-0123@example.com>") {
		t.Errorf("got %q", s.mails)
	}
}

func TestMail(t *testing.T) {
	server, client := certificates(t)
	s := &mailServer{config: server, answers: map[string]string{"RCPT TO:<gone@": "550 no such user"}}
	m := &notify.Mail{Server: s.start(t), From: "Робот <robots@example.com>", To: []string{"gone@example.com",
		"Ops <ops@example.com>"}, User: "u", Password: "secret-password", TLS: client}
	fatal.If(t, m.Send(t.Context(), hostile()))
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.mails) != 1 || strings.Count(strings.Join(s.commands, "\n"), "RCPT TO:") != 2 {
		t.Fatalf("got %q by %q", s.mails, s.commands)
	}
	message, err := mail.ReadMessage(strings.NewReader(s.mails[0]))
	fatal.If(t, err)
	subject, err := new(mime.WordDecoder).DecodeHeader(message.Header.Get("Subject"))
	if err != nil || subject != "https://a.example: critical: closed-search, claim" {
		t.Errorf("the subject is %q, %v", subject, err)
	}
	if message.Header.Get("Bcc") != "" || len(message.Header) != 9 ||
		message.Header.Get("Message-Id") != "<robots-ABC-7@example.com>" {
		t.Errorf("the headers are %v", message.Header)
	}
	if from, err := message.Header.AddressList("From"); err != nil || from[0].Name != "Робот" ||
		from[0].Address != "robots@example.com" {
		t.Errorf("From is %v, %v", from, err)
	}
	body, err := io.ReadAll(quotedprintable.NewReader(message.Body))
	if text := string(body); err != nil || strings.ContainsAny(text, "\x1b\u202e") ||
		!strings.Contains(text, "\r\nnew: closed to search engines") || strings.Contains(text, "\nBcc:") {
		t.Errorf("the body is %q, %v", text, err)
	}
}

// TestMailFails tries servers that fail in every step. No mail is sent without TLS, and no error
// shows the password.
func TestMailFails(t *testing.T) {
	server, client := certificates(t)
	for _, test := range []struct {
		name    string
		answers map[string]string
		noTLS   bool
		want    string // in the error; "" for none
	}{
		{"greets with a failure", map[string]string{"greeting": "554 go away\x1b[2J\r\n"}, false, `554 go away\x1b[2J`},
		{"says nothing", map[string]string{"greeting": ""}, false, "timeout"},
		{"is not a mail server", map[string]string{"greeting": "HTTP/1.1 400 Bad Request\r\n\r\n"}, false, ""},
		{"has no TLS", nil, true, "no STARTTLS"},
		{"refuses STARTTLS", map[string]string{"STARTTLS": "454 not now"}, false, "454 not now"},
		{"refuses the password", map[string]string{"AUTH": "535 no"}, false, "535 no"},
		{"refuses the sender", map[string]string{"MAIL": "550 no"}, false, "550 no"},
		{"refuses the recipients", map[string]string{"RCPT": "451 later"}, false, "451 later"},
		{"refuses the text", map[string]string{"DATA": "552 full"}, false, "552 full"},
		{"breaks at the recipient", map[string]string{"RCPT": ""}, false, "EOF"},
		{"refuses the end of the text", map[string]string{".": "552 full"}, false, "552 full"},
		{"breaks after the text", map[string]string{".": ""}, false, "EOF"},
	} {
		s := &mailServer{config: server, answers: test.answers, noTLS: test.noTLS}
		m := &notify.Mail{Server: s.start(t), From: "robots@example.com", To: []string{"ops@example.com"}, User: "u",
			Password: "secret-password", TLS: client}
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		if test.want == "timeout" {
			ctx, cancel = context.WithTimeout(t.Context(), 50*time.Millisecond)
		}
		err := m.Send(ctx, hostile())
		cancel()
		if err == nil || !strings.Contains(err.Error(), test.want) || strings.Contains(err.Error(), "secret") ||
			strings.Contains(err.Error(), "\x1b") {
			t.Errorf("a server that %s: %v", test.name, err)
		}
		s.mu.Lock()
		if test.noTLS && len(s.commands) > 1 && strings.Contains(fmt.Sprint(s.commands), "AUTH") {
			t.Errorf("without TLS: %q", s.commands)
		}
		s.mu.Unlock()
	}
	s := &mailServer{noTLS: true}
	if err := (&notify.Mail{Server: s.start(t), From: "robots@example.com", To: []string{"ops@example.com"},
		Plain: true}).Send(t.Context(), hostile()); err != nil {
		t.Errorf("plain text was allowed: %v", err)
	}
	s = &mailServer{config: server}
	if err := (&notify.Mail{Server: s.start(t), From: "robots@example.com",
		To: []string{"ops@example.com"}}).Send(t.Context(), hostile()); err == nil || !strings.Contains(err.Error(),
		"certificate") {
		t.Errorf("a certificate of nobody: %v", err)
	}
	for _, m := range []*notify.Mail{
		{Server: "mail.example", From: "a@example.com", To: []string{"b@example.com"}},
		{Server: "127.0.0.1:1", From: "a", To: []string{"b@example.com"}},
		{Server: "127.0.0.1:1", From: "a@example.com\r\nBcc: x@evil.example", To: []string{"b@example.com"}},
		{Server: "127.0.0.1:1", From: "a@example.com", To: []string{"b@example.com, c@example.com"}},
		{Server: "127.0.0.1:1", From: "a@example.com"},
		{Server: "127.0.0.1:1", From: "a@example.com", To: []string{"b@example.com"}},
	} {
		if err := m.Send(t.Context(), hostile()); err == nil {
			t.Errorf("%+v is not an error", m)
		}
	}
}
