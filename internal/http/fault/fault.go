// Package fault says in one sentence why a server could not be reached, for all programs: the same
// fault has the same sentence wherever it happens.
package fault

import (
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"strings"
	"syscall"

	"github.com/robotsexclusion/robots/internal/language"
	"github.com/robotsexclusion/robots/internal/printable"
)

// TextNoHost says that DNS does not know a host.
var TextNoHost = language.New("DNS has no host %[1]s: check its spelling")

var (
	textDNS         = language.New("DNS does not answer the question for %[1]s: try again later")
	textRefused     = language.New("no server listens at %[1]s: check the port, and whether the server runs")
	textNoTLS       = language.New("the server does not speak TLS: write http:// in place of https://")
	textCertificate = language.New("the certificate of the server is not valid: %[1]s")
	textClosed      = language.New("the server closed the connection without an answer")
	textMalformed   = language.New("the answer of the server is not valid HTTP: %[1]s")

	textSpecialAddress = language.New(
		"%[1]s is a special address (%[2]s): use --allow-private if you mean to go there")
	textSpecialHost = language.New(
		"%[1]s is at %[2]s, a special address (%[3]s): use --allow-private if you mean to go there")
)

// A sentence is an error in other words.
type sentence struct {
	language.Message
	err error
}

func (s *sentence) Error() string { return s.In(language.English) }

func (s *sentence) Unwrap() error { return s.err }

// Of returns an error of a connection as a sentence that says what to do, and wraps the error. An
// error that needs no other words is returned as it is.
func Of(err error) error {
	var (
		dns         *net.DNSError
		plain       tls.RecordHeaderError
		certificate *tls.CertificateVerificationError
		dial        *net.OpError
	)
	say := func(text language.Text, args ...any) error { return &sentence{text.With(args...), err} }
	switch {
	case errors.As(err, new(*sentence)):
	case errors.As(err, &dns) && dns.IsNotFound:
		return say(TextNoHost, printable.Shown(strings.TrimSuffix(dns.Name, ".")))
	case errors.As(err, &dns):
		return say(textDNS, printable.Shown(strings.TrimSuffix(dns.Name, ".")))
	case errors.As(err, &plain) || errors.Is(err, http.ErrSchemeMismatch):
		return say(textNoTLS)
	case errors.As(err, &certificate):
		return say(textCertificate, printable.Clipped(certificate.Err.Error(), 200))
	case errors.Is(err, syscall.ECONNREFUSED) && errors.As(err, &dial) && dial.Addr != nil:
		return say(textRefused, dial.Addr.String())
	case isClosed(err):
		return say(textClosed)
	}
	if _, why, ok := strings.Cut(fmt.Sprint(err), malformed); ok {
		return say(textMalformed, printable.Clipped(strings.TrimPrefix(strings.TrimPrefix(why, "net/"), "http: "), 200))
	}
	return err
}

var (
	textInUse   = language.New("another program listens at %[1]s already: end that program, or name another port")
	textLowPort = language.New(
		"this user may not listen at %[1]s: name a port above 1023, or run robots as a user who may")
	textNotHere  = language.New("this machine has no address %[1]s: name one of its own, such as 127.0.0.1")
	textNoListen = language.New("%[1]s: %[2]s: name another address")
)

// Listening returns the error of listening at an address as a sentence that says what to do, and
// wraps the error.
func Listening(err error) error {
	var listen *net.OpError
	if !errors.As(err, &listen) || listen.Op != "listen" || listen.Addr == nil {
		return err
	}
	at := listen.Addr.String()
	say := func(text language.Text, args ...any) error { return &sentence{text.With(args...), err} }
	switch {
	case errors.Is(err, syscall.EADDRINUSE):
		return say(textInUse, at)
	case errors.Is(err, fs.ErrPermission):
		return say(textLowPort, at)
	case errors.Is(err, syscall.EADDRNOTAVAIL):
		host, _, _ := net.SplitHostPort(at)
		return say(textNotHere, host)
	}
	return say(textNoListen, at, listen.Err.Error())
}

// malformed begins the errors of net/http about an answer that it cannot read.
const malformed = "net/http: HTTP/1.x transport connection broken: "

// isClosed reports whether a server closed a connection before the head of its answer. The errors
// of a body that breaks off wrap others.
func isClosed(err error) bool {
	if asked, ok := err.(*url.Error); ok {
		err = asked.Err
	}
	read, ok := err.(*net.OpError)
	return err == io.EOF || ok && read.Op == "read" && errors.Is(read, syscall.ECONNRESET)
}

// Special returns the error of a connection that was not allowed, to an address that is not one of
// the Internet. name says what the address is for. host may be empty.
func Special(host string, addr netip.Addr, name string) *language.Error {
	if host == "" || host == addr.String() {
		return textSpecialAddress.Err(addr.String(), name)
	}
	return textSpecialHost.Err(printable.Shown(host), addr.String(), name)
}
