package nats

import (
	"context"
	"crypto/x509"
	"errors"
	"fmt"
	"os"
	"strings"

	client "github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

// Explain adds to an error of the client what to do about it, if it is one that the operator can
// mend.
func Explain(err error) error {
	if text := hint(err); text != "" {
		return fmt.Errorf("%w: %s", err, text)
	}
	return err
}

// isLate reports whether an error is that of an answer that did not come.
func isLate(err error) bool {
	return errors.Is(err, context.DeadlineExceeded) || errors.Is(err, context.Canceled) ||
		errors.Is(err, os.ErrDeadlineExceeded) || errors.Is(err, client.ErrTimeout) || errors.Is(err, errLate)
}

const (
	hintCertificate = "name a client certificate that the server accepts with --nats-cert and --nats-key, " +
		"or NATS_CERT and NATS_KEY"
	hintRenew  = "put new ones into the file of --nats-creds or NATS_CREDS"
	hintEnable = "enable JetStream in the configuration of the server, and for the account of this user"
)

// hints are what to do about errors that the client knows by their texts.
var hints = []struct{ text, hint string }{
	{"authorization violation", "the server does not know this user, or the password, token or key is wrong: " +
		"see the user in the URL of --nats, --nats-creds or --nats-context, or NATS_USER, NATS_CREDS or NATS_NKEY"},
	{"authentication expired", "the credentials have expired: " + hintRenew},
	{"authentication revoked", "the credentials were revoked: " + hintRenew},
	{"nkeys not supported", "the server knows no users with keys: give a user and a password, " +
		"or change the server's configuration"},
	{"permissions violation", "change the permissions of this user on the server, as doc/nats.md lists them"},
	{"secure connection not available", "the server has no TLS: write nats:// for tls://, and leave the CA and the " +
		"client certificate out (--nats-ca, --nats-cert, NATS_CA, NATS_CERT, or in the context), " +
		"or give the server a certificate"},
	{"first record does not look like a tls handshake", "the server has no TLS, or does not begin with it: " +
		"leave tls_first out of the NATS context"},
	{"expected protocol info", "this is not a NATS server, or one that begins with TLS: " +
		"use a NATS context with tls_first"},
	{"tls: certificate required", hintCertificate},
	{"tls: bad certificate", hintCertificate},
	{"tls: unknown certificate authority", hintCertificate},
	{"tls: expired certificate", "the client certificate has expired: " +
		"put a new one into the file of --nats-cert or NATS_CERT"},
	{"connection closed by remote after tls handshake", hintCertificate},
	{"maximum connections exceeded", "raise max_connections of the server or of the account"},
	{"jetstream not enabled", hintEnable},
}

// hint returns what to do about an error, or "".
func hint(err error) string {
	if err == nil {
		return ""
	}
	unknown := new(x509.UnknownAuthorityError)
	invalid := new(x509.CertificateInvalidError)
	name := new(x509.HostnameError)
	switch {
	case errors.As(err, invalid) && invalid.Reason == x509.Expired:
		return "the certificate of the server has expired, or is not valid yet: renew it, " +
			"or set the clock of this machine"
	case errors.As(err, unknown):
		return "name the file with the certificate of the server's CA with --nats-ca or NATS_CA"
	case errors.As(err, name):
		return "use a name of the server that its certificate has, or give the server another certificate"
	case errors.Is(err, client.ErrNoResponders), errors.Is(err, jetstream.ErrNoStreamResponse):
		return "JetStream does not answer: " + hintEnable + ", or wait until the cluster has a leader"
	}
	text := strings.ToLower(err.Error())
	for _, h := range hints {
		if strings.Contains(text, h.text) && !strings.Contains(text, strings.ToLower(h.hint)) {
			return h.hint
		}
	}
	return ""
}
