package userfile

import (
	"bytes"
	"crypto/ed25519"
	"crypto/x509"
	"encoding/base64"
	"encoding/json"
	"encoding/pem"
	"errors"
	"fmt"
	"io"
	"os"
)

// maxKey is the maximum size of the file of a key, in bytes.
const maxKey = 64 << 10

// PrivateKey reads an Ed25519 key from a file: PKCS #8 in PEM (RFC 7468, section 10; RFC 8410), or
// a JSON Web Key (RFC 8037). Like ssh, it refuses a file of the user that others may read.
func PrivateKey(name string) (ed25519.PrivateKey, error) {
	in, err := Open(name, nil)
	if err != nil {
		return nil, err
	}
	defer in.Close()
	f, ok := in.(*os.File)
	if !ok {
		return nil, errors.New("a key is not read from standard input: name its file")
	}
	info, err := f.Stat()
	if err != nil {
		return nil, fmt.Errorf("cannot read %s: %w", name, Cause(err))
	}
	if isOpenToOthers(info) {
		return nil,
			fmt.Errorf("others may read the private key in %s (its mode is %04o): say chmod 600 %[1]s, and make a new key if others did", name, info.Mode().Perm())
	}
	data, err := io.ReadAll(io.LimitReader(f, maxKey+1))
	if err != nil {
		return nil, fmt.Errorf("cannot read %s: %w", name, Cause(err))
	}
	key, err := parsePrivateKey(data)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return key, nil
}

// parsePrivateKey parses the content of the file of a key. Its errors have nothing of the content.
func parsePrivateKey(data []byte) (ed25519.PrivateKey, error) {
	if len(data) > maxKey {
		return nil, errors.New("it is too large for a private key")
	}
	data = bytes.TrimSpace(data)
	if bytes.HasPrefix(data, []byte("{")) {
		return parseJWK(data)
	}
	block, _ := pem.Decode(data)
	if block == nil {
		return nil,
			errors.New("it is not a private key: a key is PKCS #8 in PEM, or a JSON Web Key; robots agents key --new makes one")
	}
	switch block.Type {
	case "PRIVATE KEY":
	case "ENCRYPTED PRIVATE KEY":
		return nil, errors.New("the private key is encrypted: name a file with the key itself")
	case "OPENSSH PRIVATE KEY":
		return nil, errors.New("it is a key of ssh: robots agents key --new makes one for signatures")
	default:
		return nil, fmt.Errorf("it has a %.60q, and not a private key in PKCS #8", block.Type)
	}
	parsed, err := x509.ParsePKCS8PrivateKey(block.Bytes)
	if err != nil {
		return nil, errors.New("the private key is broken")
	}
	key, ok := parsed.(ed25519.PrivateKey)
	if !ok {
		return nil, errors.New("the private key is not of Ed25519: robots agents key --new makes one")
	}
	return key, nil
}

func parseJWK(data []byte) (ed25519.PrivateKey, error) {
	var jwk struct{ Kty, Crv, D, X string }
	if json.Unmarshal(data, &jwk) != nil {
		return nil, errors.New("it is not a JSON Web Key")
	}
	if jwk.Kty != "OKP" || jwk.Crv != "Ed25519" {
		return nil, errors.New("the JSON Web Key is not of Ed25519: robots agents key --new makes one")
	}
	if jwk.D == "" {
		return nil, errors.New("the JSON Web Key has no private part: name the file with the private key")
	}
	seed, err := base64.RawURLEncoding.DecodeString(jwk.D)
	if err != nil || len(seed) != ed25519.SeedSize {
		return nil, errors.New("the private part of the JSON Web Key is broken")
	}
	key := ed25519.NewKeyFromSeed(seed)
	if x, err := base64.RawURLEncoding.DecodeString(jwk.X); err != nil ||
		!bytes.Equal(x, key.Public().(ed25519.PublicKey)) {
		return nil, errors.New("the public part of the JSON Web Key is not that of its private part")
	}
	return key, nil
}

// NewPrivateKey makes an Ed25519 key and writes it to a new file, which only the user may read:
// PKCS #8 in PEM. An existing file stays.
func NewPrivateKey(name string) (ed25519.PrivateKey, error) {
	_, key, err := ed25519.GenerateKey(nil)
	if err != nil {
		return nil, err
	}
	der, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		return nil, err
	}
	f, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if errors.Is(err, os.ErrExist) {
		return nil, fmt.Errorf("%s exists already: name a new file for the key, or leave --new out", name)
	}
	if err != nil {
		return nil, fmt.Errorf("cannot make %s: %w", name, Cause(err))
	}
	err = pem.Encode(f, &pem.Block{Type: "PRIVATE KEY", Bytes: der})
	if err == nil {
		err = f.Sync()
	}
	if e := f.Close(); err == nil {
		err = e
	}
	if err != nil {
		os.Remove(name)
		return nil, fmt.Errorf("cannot write %s: %w", name, Cause(err))
	}
	return key, nil
}
