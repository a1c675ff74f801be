package natstest

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"math/big"
	"net"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/nats-io/jwt/v2"
	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nkeys"

	"github.com/robotsexclusion/robots/internal/test/fatal"
)

// An Operator has the keys of servers whose users log in with credentials.
type Operator struct {
	dir      string
	key      nkeys.KeyPair
	claims   *jwt.OperatorClaims
	accounts map[string]nkeys.KeyPair
	resolver *server.MemAccResolver
	system   string
}

// NewOperator returns an operator with a system account.
func NewOperator(t testing.TB) *Operator {
	t.Helper()
	key, err := nkeys.CreateOperator()
	fatal.If(t, err)
	id, err := key.PublicKey()
	fatal.If(t, err)
	o := &Operator{
		dir: t.TempDir(), key: key, accounts: make(map[string]nkeys.KeyPair), resolver: new(server.MemAccResolver),
	}
	o.claims = jwt.NewOperatorClaims(id)
	_, err = o.claims.Encode(key)
	fatal.If(t, err)
	o.system = o.Account(t, "system", jwt.JetStreamLimits{})
	return o
}

// Account makes an account, or changes the limits of one, and returns its key. Without limits it
// has no JetStream.
func (o *Operator) Account(t testing.TB, name string, limits jwt.JetStreamLimits) (id string) {
	t.Helper()
	key, err := o.accounts[name], error(nil)
	if key == nil {
		key, err = nkeys.CreateAccount()
		fatal.If(t, err)
		o.accounts[name] = key
	}
	id, err = key.PublicKey()
	fatal.If(t, err)
	claims := jwt.NewAccountClaims(id)
	claims.Name = name
	claims.Limits.JetStreamLimits = limits
	text, err := claims.Encode(o.key)
	fatal.If(t, err)
	fatal.If(t, o.resolver.Store(id, text))
	return id
}

// Unlimited are limits of JetStream that an account does not reach.
var Unlimited = jwt.JetStreamLimits{DiskStorage: -1, MemoryStorage: -1, Streams: -1, Consumer: -1}

// Credentials writes a file of credentials of a new user of an account, and returns its name. The
// user may publish and subscribe to the subjects; nil means all. Expires is the time at which the
// credentials end, or zero.
func (o *Operator) Credentials(
	t testing.TB, account, name string, publish, subscribe []string, expires time.Time,
) (file string) {
	t.Helper()
	key, err := nkeys.CreateUser()
	fatal.If(t, err)
	id, err := key.PublicKey()
	fatal.If(t, err)
	claims := jwt.NewUserClaims(id)
	claims.Name = name
	claims.Pub.Allow.Add(publish...)
	claims.Sub.Allow.Add(subscribe...)
	if !expires.IsZero() {
		claims.Expires = expires.Unix()
	}
	text, err := claims.Encode(o.accounts[account])
	fatal.If(t, err)
	seed, err := key.Seed()
	fatal.If(t, err)
	creds, err := jwt.FormatUserConfig(text, seed)
	fatal.If(t, err)
	file = filepath.Join(o.dir, name+".creds")
	fatal.If(t, os.WriteFile(file, creds, 0o600))
	return file
}

// Limited runs a server until the test ends, and returns its address with the credentials of a user
// who may publish to the subjects, and get answers.
func Limited(t testing.TB, publish ...string) (address string) {
	t.Helper()
	o := NewOperator(t)
	o.Account(t, "robots", Unlimited)
	return Start(t, o.Configure) + "?creds=" + o.Credentials(t, "robots", "limited", publish, []string{"_INBOX.>"},
		time.Time{})
}

// Configure makes a server ask for credentials of the operator.
func (o *Operator) Configure(options *server.Options) {
	options.TrustedOperators = []*jwt.OperatorClaims{o.claims}
	options.AccountResolver = o.resolver
	options.SystemAccount = o.system
}

// Certificates has files in PEM: a CA, and the certificate of a client with its key.
type Certificates struct {
	CA, Cert, Key string
	root          *x509.Certificate
	rootKey       *ecdsa.PrivateKey
	until         time.Time
}

// NewCertificates makes a CA whose certificates are valid until a time.
func NewCertificates(t testing.TB, until time.Time) *Certificates {
	t.Helper()
	dir := t.TempDir()
	c := &Certificates{CA: filepath.Join(dir, "ca.pem"), Cert: filepath.Join(dir, "client.pem"),
		Key: filepath.Join(dir, "client.key"), until: until}
	put := func(file, kind string, der []byte) {
		fatal.If(t, os.WriteFile(file, pem.EncodeToMemory(&pem.Block{Type: kind, Bytes: der}), 0o600))
	}
	var err error
	c.rootKey, err = ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	fatal.If(t, err)
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "robots test"}, IsCA: true,
		BasicConstraintsValid: true, KeyUsage: x509.KeyUsageCertSign,
		NotBefore: time.Now().Add(-48 * time.Hour), NotAfter: time.Now().Add(time.Hour),
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, &c.rootKey.PublicKey, c.rootKey)
	fatal.If(t, err)
	c.root, err = x509.ParseCertificate(der)
	fatal.If(t, err)
	put(c.CA, "CERTIFICATE", der)
	leaf, err := c.issue("")
	fatal.If(t, err)
	key, err := x509.MarshalPKCS8PrivateKey(leaf.PrivateKey)
	fatal.If(t, err)
	put(c.Cert, "CERTIFICATE", leaf.Certificate[0])
	put(c.Key, "PRIVATE KEY", key)
	return c
}

// Configure returns what gives a server a certificate. A server that verifies asks clients for
// theirs.
func (c *Certificates) Configure(verify bool) func(*server.Options) {
	return func(options *server.Options) {
		leaf, err := c.issue(options.Host)
		if err != nil {
			panic(err) // of the generator of random numbers
		}
		options.TLS, options.TLSVerify, options.TLSTimeout = true, verify, 60
		options.TLSConfig = &tls.Config{MinVersion: tls.VersionTLS12, Certificates: []tls.Certificate{leaf}}
		if verify {
			options.TLSConfig.ClientCAs = x509.NewCertPool()
			options.TLSConfig.ClientCAs.AddCert(c.root)
			options.TLSConfig.ClientAuth = tls.RequireAndVerifyClientCert
		}
	}
}

// issue makes a certificate for an address of this machine.
func (c *Certificates) issue(host string) (leaf tls.Certificate, err error) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return leaf, err
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(2), Subject: pkix.Name{CommonName: "robots test"},
		NotBefore: time.Now().Add(-48 * time.Hour), NotAfter: c.until, KeyUsage: x509.KeyUsageDigitalSignature,
		IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1), net.ParseIP(host)},
		ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth, x509.ExtKeyUsageClientAuth},
	}
	if host == "" {
		template.IPAddresses = nil
	}
	der, err := x509.CreateCertificate(rand.Reader, template, c.root, &key.PublicKey, c.rootKey)
	return tls.Certificate{Certificate: [][]byte{der}, PrivateKey: key}, err
}
