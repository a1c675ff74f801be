// Package natsclient connects to the NATS servers by which several processes share something.
package natsclient

import (
	"errors"
	"fmt"
	"net/url"

	"github.com/nats-io/nats.go"
)

// Connect returns a connection to servers, whose URLs have commas between them. It does not wait for a server: the client tries
// for ever, keeps no message for later, and writes nothing to standard error. The error is about a wrong URL, and has no
// password of the URL.
func Connect(servers, name string, options ...nats.Option) (*nats.Conn, error) {
	conn, err := nats.Connect(servers, append([]nats.Option{
		nats.Name(name), nats.RetryOnFailedConnect(true), nats.MaxReconnects(-1), nats.ReconnectBufSize(-1), nats.MaxPingsOutstanding(2),
		nats.ErrorHandler(func(*nats.Conn, *nats.Subscription, error) {}), // or they are printed on standard error
	}, options...)...)
	if wrong, ok := errors.AsType[*url.Error](err); ok {
		err = wrong.Err // without the URL
	}
	if err != nil {
		return nil, fmt.Errorf("cannot use the NATS server: %w", err)
	}
	return conn, nil
}
