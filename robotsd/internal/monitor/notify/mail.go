package notify

import (
	"bytes"
	"cmp"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"mime"
	"mime/quotedprintable"
	"net"
	"net/mail"
	"net/smtp"
	"net/textproto"
	"strings"
	"time"

	"github.com/robotsexclusion/robots/internal/language"
	"github.com/robotsexclusion/robots/internal/printable"
	"github.com/robotsexclusion/robots/robotsd/internal/monitor"
)

// Mail sends a message as a mail, to all recipients in one transaction (RFC 5321). It is safe for
// concurrent use; do not change it while it is in use.
//
// A mail that is sent again, because the answer of the server was lost, has the same Message-ID.
type Mail struct {
	Server string   // host and port of the mail server; port 465 is TLS from the start, any other needs STARTTLS
	From   string   // an address, such as "Robots <robots@example.com>"
	To     []string // addresses

	// User and Password log in to the server, unless User is empty.
	User     string
	Password string

	// Plain allows a connection without TLS, and then without login unless the server is on this
	// machine.
	Plain bool

	Language string      // of the text: en, es, ko or ru
	TLS      *tls.Config // nil means the defaults, and the name of the server
}

// Send implements [monitor.Receiver]. A recipient that the server refuses does not get the mail. It
// is an error if the server refuses all of them.
func (m *Mail) Send(ctx context.Context, message *monitor.Message) error {
	if err := m.Check(); err != nil {
		return err
	}
	from, to, _ := m.addresses()
	c, stop, err := m.connect(ctx)
	if err != nil {
		return smtpError(err)
	}
	defer stop()
	defer c.Close()
	if err := m.deliver(c, from.Address, to, m.message(message, from)); err != nil {
		return smtpError(err)
	}
	c.Quit() // the server has the mail, whatever it answers
	return nil
}

// Check returns what is wrong with the server or the addresses. It does not connect.
func (m *Mail) Check() error {
	if _, _, err := m.addresses(); err != nil {
		return err
	}
	if _, _, err := net.SplitHostPort(m.Server); err != nil {
		return fmt.Errorf("the server %s is not a host with a port, such as mail.example.com:587",
			printable.Shown(m.Server))
	}
	return nil
}

// addresses reads the addresses.
func (m *Mail) addresses() (from *mail.Address, to []string, err error) {
	if from, err = mail.ParseAddress(m.From); err != nil {
		return nil, nil, fmt.Errorf("the sender %s is not an address: %w", printable.Shown(m.From), err)
	}
	for _, text := range m.To {
		address, err := mail.ParseAddress(text)
		if err != nil {
			return nil, nil, fmt.Errorf("the recipient %s is not an address: %w", printable.Shown(text), err)
		}
		to = append(to, address.Address)
	}
	if len(to) == 0 {
		return nil, nil, errors.New("a mail needs a recipient")
	}
	return from, to, nil
}

// connect connects and logs in. When ctx is done, the connection ends. Call stop afterwards.
func (m *Mail) connect(ctx context.Context) (c *smtp.Client, stop func() bool, err error) {
	host, port, err := net.SplitHostPort(m.Server)
	if err != nil {
		return nil, nil, err
	}
	config := m.TLS.Clone()
	if config == nil {
		config = new(tls.Config)
	}
	config.ServerName = cmp.Or(config.ServerName, host)
	conn, err := new(net.Dialer).DialContext(ctx, "tcp", m.Server)
	if err != nil {
		return nil, nil, err
	}
	stop = context.AfterFunc(ctx, func() { conn.SetDeadline(time.Unix(1, 0)) })
	encrypted := port == "465"
	if encrypted {
		conn = tls.Client(conn, config)
	}
	c, err = smtp.NewClient(conn, host)
	if err == nil {
		err = m.logIn(c, config, host, encrypted)
	}
	if err != nil {
		stop()
		conn.Close()
		return nil, nil, err
	}
	return c, stop, nil
}

// logIn greets the server, begins TLS and logs in.
func (m *Mail) logIn(c *smtp.Client, config *tls.Config, host string, encrypted bool) error {
	if ok, _ := c.Extension("STARTTLS"); ok && !encrypted {
		if err := c.StartTLS(config); err != nil {
			return err
		}
	} else if !encrypted && !m.Plain {
		return errors.New("the server offers no STARTTLS: nothing is sent without TLS")
	}
	if m.User == "" {
		return nil
	}
	return c.Auth(smtp.PlainAuth("", m.User, m.Password, host))
}

// deliver makes the transaction.
func (m *Mail) deliver(c *smtp.Client, from string, to []string, message []byte) error {
	if err := c.Mail(from); err != nil {
		return err
	}
	var refused error
	accepted := 0
	for _, address := range to {
		if err := c.Rcpt(address); err == nil {
			accepted++
		} else if _, ok := errors.AsType[*textproto.Error](err); !ok {
			return err // the connection broke
		} else {
			refused = err
		}
	}
	if accepted == 0 {
		return refused
	}
	w, err := c.Data()
	if err == nil {
		_, err = w.Write(message)
	}
	if err == nil {
		err = w.Close()
	}
	return err
}

// message returns the mail. No text of a stranger is in a header without an encoding.
func (m *Mail) message(of *monitor.Message, from *mail.Address) []byte {
	t := textOf(of, language.Parse(m.Language))
	_, domain, _ := strings.Cut(from.Address, "@")
	var b bytes.Buffer
	for _, header := range [][2]string{
		{"From", from.String()},
		{"To", m.recipients()},
		{"Subject", mime.QEncoding.Encode("utf-8", t.subject)},
		{"Date", time.Now().Format("Mon, 02 Jan 2006 15:04:05 -0700")},
		{"Message-ID", "<" + messageID(of.ID) + "@" + domain + ">"},
		{"MIME-Version", "1.0"},
		{"Content-Type", "text/plain; charset=utf-8"},
		{"Content-Transfer-Encoding", "quoted-printable"},
		{"Auto-Submitted", "auto-generated"},
	} {
		b.WriteString(header[0] + ": " + header[1] + "\r\n")
	}
	b.WriteString("\r\n")
	w := quotedprintable.NewWriter(&b)
	w.Write([]byte(joined(t.subject, t.all()) + "\n"))
	w.Close()
	return b.Bytes()
}

// recipients returns the value of the header To.
func (m *Mail) recipients() string {
	var list []string
	for _, text := range m.To {
		if address, err := mail.ParseAddress(text); err == nil {
			list = append(list, address.String())
		}
	}
	return strings.Join(list, ",\r\n ")
}

// messageID returns the letters and digits of an id.
func messageID(id string) string {
	return "robots-" + strings.Map(func(c rune) rune {
		if c == '-' || '0' <= c && c <= '9' || 'A' <= c && c <= 'Z' || 'a' <= c && c <= 'z' {
			return c
		}
		return -1
	}, id)
}

// smtpError returns an error of a server as printable text.
func smtpError(err error) error {
	if answer, ok := errors.AsType[*textproto.Error](err); ok {
		return fmt.Errorf("the mail server answers %d %s", answer.Code, printable.Clipped(answer.Msg, 200))
	}
	return err
}
