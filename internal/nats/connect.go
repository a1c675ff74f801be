package nats

import (
	"errors"
	"fmt"
	"net/url"
	"sync"
	"sync/atomic"
	"time"

	client "github.com/nats-io/nats.go"

	"github.com/robotsexclusion/robots/internal/printable"
)

// A Conn is a connection that knows why it cannot work.
type Conn struct {
	*client.Conn
	creds  string                // the file of credentials, or ""
	failed atomic.Pointer[error] // of the last attempt to connect, or nil
	denied atomic.Pointer[error] // the last violation of permissions, or nil
	tried  chan struct{}         // closed after the first attempt to connect
}

// Connect returns a connection to the servers of an address: URLs with commas between, and after a
// question mark the parameters context, creds, nkey, user, password, token, ca, cert and key, which
// are those of the nats command. Unless options say otherwise it does not wait for a server: the
// client tries for ever, also after a server has refused it, keeps no message for later, and writes
// nothing to standard error. Files of credentials and certificates are read again at each attempt.
// No error has a part of a password, a token or a key.
func Connect(servers, name string, options ...client.Option) (*Conn, error) {
	a, err := parse(servers)
	var login []client.Option
	if err == nil {
		login, err = a.options()
	}
	if err != nil {
		return nil, fmt.Errorf("cannot use the NATS server: %w", err)
	}
	c := &Conn{creds: a.creds, tried: make(chan struct{})}
	all := append([]client.Option{
		client.Name(name), client.RetryOnFailedConnect(true), client.MaxReconnects(-1),
		client.IgnoreAuthErrorAbort(), client.ReconnectBufSize(-1), client.MaxPingsOutstanding(2),
		// or they are printed on standard error
		client.ErrorHandler(func(*client.Conn, *client.Subscription, error) {}),
	}, login...)
	conn, err := client.Connect(a.servers, append(append(all, options...), c.listen)...)
	if _, ok := errors.AsType[*url.Error](err); ok {
		err = errURL
	}
	if err != nil {
		return nil, fmt.Errorf("cannot use the NATS server: %w", c.explain(err))
	}
	c.Conn = conn
	return c, nil
}

// listen adds the callbacks of the connection to those that the options have.
func (c *Conn) listen(o *client.Options) error {
	tried := sync.OnceFunc(func() { close(c.tried) })
	onError, onFailed, onConnected := o.AsyncErrorCB, o.ReconnectErrCB, o.ConnectedCB
	o.AsyncErrorCB = func(conn *client.Conn, s *client.Subscription, err error) {
		if errors.Is(err, client.ErrPermissionViolation) {
			c.denied.Store(&err)
		}
		if onError != nil {
			onError(conn, s, err)
		}
	}
	o.ReconnectErrCB = func(conn *client.Conn, err error) {
		c.failed.Store(&err)
		tried()
		if onFailed != nil {
			onFailed(conn, err)
		}
	}
	o.ConnectedCB = func(conn *client.Conn) {
		c.failed.Store(nil)
		tried()
		if onConnected != nil {
			onConnected(conn)
		}
	}
	return nil
}

// Denied returns why the server has refused to send or to take messages of this connection, or nil.
func (c *Conn) Denied() error {
	if err := c.denied.Load(); err != nil {
		return Explain(*err)
	}
	return nil
}

// Why explains the error of an exchange. A server that denies a message does not answer it, so an
// answer that is late is explained by what the server denied since the last call of Why.
func (c *Conn) Why(err error) error {
	denied := c.denied.Swap(nil)
	if err != nil && denied != nil && isLate(err) {
		return Explain(*denied)
	}
	return Explain(err)
}

// explain explains why there is no connection.
func (c *Conn) explain(err error) error {
	if errors.Is(err, client.ErrAuthorization) && c.creds != "" {
		if at, ok := expired(c.creds); ok {
			return fmt.Errorf("%w: the credentials in %s have expired at %s: put new ones into the file", err,
				printable.Shown(c.creds), at.UTC().Format(time.DateTime+" MST"))
		}
	}
	return Explain(err)
}

// apart returns why there is no connection.
func (c *Conn) apart() error {
	if err := c.LastError(); hint(err) != "" {
		return c.explain(err)
	}
	if err := c.failed.Load(); err != nil && hint(*err) != "" {
		return c.explain(*err)
	}
	return errNoServer
}
