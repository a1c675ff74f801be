package download

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/netip"
	"strings"
	"syscall"

	"github.com/robotsexclusion/robots/fetch"
	"github.com/robotsexclusion/robots/internal/printable"
)

// Failure is the kind of a failure. A crawler counts failures by kind, and decides by
// the kind when to back off.
type Failure uint8

// The failures.
const (
	None         Failure = iota
	WrongURL             // the URL is not of HTTP, or not in canonical form: a retry does not help
	NoHost               // DNS reports that the name does not exist or has no address
	DNS                  // DNS gave no answer
	Refused              // the filter refused the address
	Connect              // no address of the host accepted the connection
	TLS                  // the TLS handshake failed, or the certificate is invalid
	Stale                // the server had closed the pooled connection: not a fault, retry the request
	Timeout              // a limit of time was reached, for connecting, for the head or for the whole exchange
	TooSlow              // the body came more slowly than Client.MinRate
	Protocol             // the answer is not HTTP
	Disconnected         // the connection broke
	HeaderSize           // the head is larger than Client.MaxHeader
	Encoding             // the content encoding is broken, or was not requested
	Local                // this machine could not keep the body: the disk is full, or too many files are open
	Canceled             // the caller's context ended

	// Failures is the number of failures, for arrays that count them.
	Failures = int(Canceled) + 1
)

var failures = [Failures]string{
	"none", "wrong-url", "no-host", "dns", "refused", "connect", "tls", "stale", "timeout", "too-slow",
	"protocol", "disconnected", "header-size", "encoding", "local", "canceled",
}

// String returns the name of the failure, such as "too-slow".
func (f Failure) String() string {
	if int(f) < len(failures) {
		return failures[f]
	}
	return "unknown"
}

// MarshalText implements [encoding.TextMarshaler] with the name of the failure.
func (f Failure) MarshalText() ([]byte, error) { return []byte(f.String()), nil }

// Truncation is the reason why a body is incomplete.
type Truncation uint8

// The truncations.
const (
	Whole      Truncation = iota // the body is complete
	Length                       // the body reached a limit of the client in bytes
	Time                         // a limit of time was reached
	Disconnect                   // the connection broke
	Broken                       // the transfer or content encoding is broken
)

var truncations = [...]string{"", "length", "time", "disconnect", "unspecified"}

// String returns the reason as WARC names it (WARC/1.1, section 5.13): "length",
// "time", "disconnect", or "unspecified" for Broken. It is empty for Whole.
func (t Truncation) String() string {
	if int(t) < len(truncations) {
		return truncations[t]
	}
	return "unspecified"
}

// MarshalText implements [encoding.TextMarshaler] with the name of the reason.
func (t Truncation) MarshalText() ([]byte, error) { return []byte(t.String()), nil }

// An Error is the reason why there is no answer, or only a part of one.
type Error struct {
	URL     string // the requested URL, or the host to resolve
	Failure Failure
	Addr    netip.AddrPort // of the server; zero if there was no connection
	Times   Times          // of the steps that were taken
	Err     error          // the cause: a [*fetch.RefusedError] if Failure is Refused
}

// Error returns the URL, the kind of the failure, and the cause.
func (e *Error) Error() string {
	return fmt.Sprintf("download %s: %s: %s", printable.Clipped(e.URL, 200), e.Failure, printable.Clipped(e.Err.Error(),
		300))
}

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Err }

// newError returns an Error for a failure at a step. If err itself names a kind, that
// kind overrides the step.
func newError(url string, step Failure, err error) *Error {
	if e, ok := errors.AsType[*Error](err); ok {
		return e
	}
	return &Error{URL: url, Failure: classify(step, err), Err: err}
}

// A stop is an error of the client itself, with its kind.
type stop struct {
	failure Failure
	text    string
}

// Error returns the text.
func (s *stop) Error() string { return s.text }

// Timeout reports whether a limit of time was reached.
func (s *stop) Timeout() bool { return s.failure == Timeout || s.failure == TooSlow }

// classify returns the kind of an error at a step.
func classify(step Failure, err error) Failure {
	if s, ok := errors.AsType[*stop](err); ok {
		return s.failure
	}
	if _, ok := errors.AsType[*fetch.RefusedError](err); ok {
		return Refused
	}
	if errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return Canceled
	}
	if _, ok := errors.AsType[*localError](err); ok || errors.Is(err, syscall.EMFILE) {
		return Local
	}
	switch step {
	case DNS:
		if e, ok := errors.AsType[*net.DNSError](err); ok && e.IsNotFound {
			return NoHost
		}
		return DNS
	case TLS:
		// A server that hangs up is treated like one that sends an alert.
		if isTimeout(err) {
			return Timeout
		}
		return TLS
	case Connect:
		if isTimeout(err) {
			return Timeout
		}
		return Connect
	case Disconnected:
		switch {
		case isTimeout(err):
			return Timeout
		case isDisconnect(err):
			return Disconnected
		case strings.Contains(err.Error(), "header list larger than"): // an HTTP/2 error without a type
			return HeaderSize
		}
		return Protocol
	}
	return step
}

func isTimeout(err error) bool {
	e, ok := errors.AsType[net.Error](err)
	return ok && e.Timeout()
}

// isDisconnect reports whether err comes from the network, and not from the data that
// came over it.
func isDisconnect(err error) bool {
	if errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, io.EOF) || errors.Is(err, net.ErrClosed) {
		return true
	}
	if e, ok := errors.AsType[*net.OpError](err); ok {
		// A TLS alert, sent by either side, is a net.OpError too.
		return e.Op != "remote error" && e.Op != "local error"
	}
	// The HTTP/2 errors of net/http have no type: the connection or the stream ended.
	for _, text := range [...]string{"server sent GOAWAY", "connection lost", "received from peer"} {
		if strings.Contains(err.Error(), text) {
			return true
		}
	}
	return false
}

// truncation returns the reason why a body that ended with the failure is incomplete.
func (f Failure) truncation() Truncation {
	switch f {
	case None:
		return Whole
	case Timeout, TooSlow:
		return Time
	case Disconnected:
		return Disconnect
	}
	return Broken
}
