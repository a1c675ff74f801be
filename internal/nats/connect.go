package nats

import (
	"errors"
	"fmt"
	"net/url"
	"strings"

	client "github.com/nats-io/nats.go"
)

// Connect returns a connection to servers, whose URLs have commas between them. Unless options say
// otherwise it does not wait for a server: the client tries for ever, keeps no message for later,
// and writes nothing to standard error. No error has a part of a password.
func Connect(servers, name string, options ...client.Option) (*client.Conn, error) {
	err := check(servers)
	if err != nil {
		return nil, fmt.Errorf("cannot use the NATS server: %w", err)
	}
	conn, err := client.Connect(servers, append([]client.Option{
		client.Name(name), client.RetryOnFailedConnect(true), client.MaxReconnects(-1),
		client.ReconnectBufSize(-1), client.MaxPingsOutstanding(2),
		// or they are printed on standard error
		client.ErrorHandler(func(*client.Conn, *client.Subscription, error) {}),
	}, options...)...)
	if _, ok := errors.AsType[*url.Error](err); ok {
		err = errURL
	}
	if err != nil {
		return nil, fmt.Errorf("cannot use the NATS server: %w", err)
	}
	return conn, nil
}

var errURL = errors.New("a URL is not that of a server, such as nats://HOST:4222; " +
	"in a password, write %40 for @, %3A for :, %2F for /, %3F for ?, %23 for #, %25 for % and %2C for a comma")

// check reads the URLs before the client does: the errors of the client and of url.Parse show the
// part that is wrong, such as the start of a password with a slash, which is a port to them.
func check(servers string) error {
	for server := range strings.SplitSeq(servers, ",") {
		server = strings.TrimSpace(server)
		if server != "" && !strings.Contains(server, "://") {
			server = "nats://" + server
		}
		u, err := url.Parse(server)
		if err != nil || strings.Contains(u.Path+u.RawQuery+u.Fragment, "@") {
			return errURL
		}
	}
	return nil
}
