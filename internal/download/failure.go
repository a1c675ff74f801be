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

// Failure tells of which kind a failure is, so that a crawler can count and
// back off.
type Failure uint8

// The failures.
const (
	None         Failure = iota
	WrongURL             // the URL is none of HTTP, or not in canonical form: trying again does not help
	NoHost               // DNS says that there is no such name, or that it has no address
	DNS                  // DNS gave no answer
	Refused              // the filter refuses the address
	Connect              // no address of the host took the connection
	TLS                  // no agreement on TLS, or a certificate that does not hold
	Stale                // the server had closed the connection that was kept: no fault, another request is due
	Timeout              // the time for connecting, for the head or for the whole exchange was up
	TooSlow              // fewer bytes came than Client.MinRate
	Protocol             // what came is not HTTP
	Disconnected         // the connection broke
	HeaderSize           // the head is larger than Client.MaxHeader
	Encoding             // the content encoding is broken, or one that nobody asked for
	Local                // this machine could not keep the body: the disk is full, no more files can be opened
	Canceled             // the caller's context ended

	// Failures is how many there are, for arrays that count them.
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

// Truncation tells why a body has not all that the server had.
type Truncation uint8

// The truncations.
const (
	Whole      Truncation = iota // it has all
	Length                       // it is larger than a limit of the client
	Time                         // it took too long
	Disconnect                   // the connection broke
	Broken                       // its transfer or content encoding is broken
)

var truncations = [...]string{"", "length", "time", "disconnect", "unspecified"}

// String returns the reason as WARC names it (WARC/1.1, section 5.13): "length",
// "time", "disconnect", or "unspecified" for what is Broken. It is empty for a
// Whole body.
func (t Truncation) String() string {
	if int(t) < len(truncations) {
		return truncations[t]
	}
	return "unspecified"
}

// MarshalText implements [encoding.TextMarshaler] with the name of the reason.
func (t Truncation) MarshalText() ([]byte, error) { return []byte(t.String()), nil }

// An Error tells why there is no answer, or only a part of one.
type Error struct {
	URL     string // that was asked for, or the host that was to be resolved
	Failure Failure
	Addr    netip.AddrPort // of the server; zero if there was no connection
	Times   Times          // as far as it came
	Err     error          // what happened: a [*fetch.RefusedError] if Failure is Refused
}

// Error returns the URL, the kind of the failure, and what happened.
func (e *Error) Error() string {
	return fmt.Sprintf("download %s: %s: %s", printable.Clipped(e.URL, 200), e.Failure, printable.Clipped(e.Err.Error(), 300))
}

// Unwrap returns what happened.
func (e *Error) Unwrap() error { return e.Err }

// newError returns an Error about a failure at some step. What is said by err
// itself counts for more than the step.
func newError(url string, step Failure, err error) *Error {
	if e, ok := errors.AsType[*Error](err); ok {
		return e
	}
	return &Error{URL: url, Failure: classify(step, err), Err: err}
}

// A stop is an error of the client's own that says of which kind it is.
type stop struct {
	failure Failure
	text    string
}

// Error returns the text.
func (s *stop) Error() string { return s.text }

// Timeout reports whether a limit of time was reached.
func (s *stop) Timeout() bool { return s.failure == Timeout || s.failure == TooSlow }

// classify returns the kind of an error that came up at a step.
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
		// A server that hangs up is no better than one that sends an alert.
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
		case strings.Contains(err.Error(), "header list larger than"): // of HTTP/2; it has no type
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

// isDisconnect reports whether an error is of the network, and not of what came
// over it.
func isDisconnect(err error) bool {
	if errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, io.EOF) || errors.Is(err, net.ErrClosed) {
		return true
	}
	if e, ok := errors.AsType[*net.OpError](err); ok {
		// An alert of TLS comes as one too, from either side.
		return e.Op != "remote error" && e.Op != "local error"
	}
	// What net/http says of HTTP/2 has no type: the connection or the stream ended.
	for _, text := range [...]string{"server sent GOAWAY", "connection lost", "received from peer"} {
		if strings.Contains(err.Error(), text) {
			return true
		}
	}
	return false
}

// truncation returns why a body has only a part, if it ended with a failure.
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
