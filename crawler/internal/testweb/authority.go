package testweb

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"math/big"
	"sync"
	"time"
)

// An authority makes the certificates of the hosts, when they are first asked for.
type authority struct {
	key  *ecdsa.PrivateKey
	cert *x509.Certificate

	leafKey *ecdsa.PrivateKey // of all hosts
	leaves  sync.Map          // of *tls.Certificate, by name
}

// A certificate says what is wrong with that of a host.
type certificate uint8

const (
	goodCert certificate = iota
	expiredCert
	otherNameCert
	unknownCert
)

var (
	expired       = badlyCertified("expired", expiredCert, "A certificate that has expired: robots.txt is unreachable.")
	otherName     = badlyCertified("other-name", otherNameCert, "A certificate for another name.")
	unknownIssuer = badlyCertified("unknown-issuer", unknownCert, "A certificate that nobody knows vouches for.")
)

func badlyCertified(name string, bad certificate, doc string) Kind {
	return Kind{
		Name: name, Share: 1, Doc: doc, secure: true, closed: true, badCert: bad,
		page: func(*host, *request) answer { return notFound },
	}
}

func newAuthority() (*authority, error) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return nil, err
	}
	leafKey, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return nil, err
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "wild test authority"},
		NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(24 * time.Hour),
		IsCA: true, BasicConstraintsValid: true, KeyUsage: x509.KeyUsageCertSign,
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, &key.PublicKey, key)
	if err != nil {
		return nil, err
	}
	cert, err := x509.ParseCertificate(der)
	if err != nil {
		return nil, err
	}
	return &authority{key: key, cert: cert, leafKey: leafKey}, nil
}

func (a *authority) pem() []byte {
	return pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: a.cert.Raw})
}

// config returns what a connection for any of the hosts needs. It speaks HTTP/1.1.
func (a *authority) config(w *Web) *tls.Config {
	return &tls.Config{
		NextProtos: []string{"http/1.1"},
		GetCertificate: func(hello *tls.ClientHelloInfo) (*tls.Certificate, error) {
			bad := goodCert
			if h := w.find(hello.ServerName); h != nil {
				bad = h.kind.badCert
			}
			return a.leaf(hello.ServerName, bad)
		},
	}
}

// leaf returns the certificate of a name.
func (a *authority) leaf(name string, bad certificate) (*tls.Certificate, error) {
	if c, ok := a.leaves.Load(name); ok {
		return c.(*tls.Certificate), nil
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(int64(hashOf(name) >> 1)), Subject: pkix.Name{CommonName: name},
		DNSNames:  []string{name},
		NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(24 * time.Hour),
		KeyUsage: x509.KeyUsageDigitalSignature, ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth},
	}
	parent, key := a.cert, a.key
	switch bad {
	case expiredCert:
		template.NotAfter = time.Now().Add(-time.Minute)
	case otherNameCert:
		template.DNSNames = []string{"other.test"}
	case unknownCert:
		parent, key = template, a.leafKey
	}
	der, err := x509.CreateCertificate(rand.Reader, template, parent, &a.leafKey.PublicKey, key)
	if err != nil {
		return nil, err
	}
	c := &tls.Certificate{Certificate: [][]byte{der}, PrivateKey: a.leafKey}
	a.leaves.Store(name, c)
	return c, nil
}
