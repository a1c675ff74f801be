//go:build !unix

package guardserver

import (
	"context"
	"errors"
	"net"
	"os"
)

// Listen listens at a TCP address.
func Listen(address string) (l net.Listener, ready func(), err error) {
	l, err = net.Listen("tcp", address)
	return l, func() {}, err
}

// Successor returns an error: this system has no signal that asks for a restart.
func Successor(net.Listener) (pid int, err error) {
	return 0, errors.New("this system cannot hand a listener on")
}

// Signals returns channels without signals.
func Signals(context.Context) (reload, restart <-chan os.Signal) { return nil, nil }
