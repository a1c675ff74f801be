package botauth

import (
	"crypto"
	"crypto/ed25519"
	"crypto/rsa"
	"crypto/sha256"
	"crypto/sha512"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"math/big"
	"slices"
	"time"
)

// The algorithms, by their names in Signature-Input.
const (
	algEd25519 = "ed25519"
	algRSAPSS  = "rsa-pss-sha512"
)

// Sizes of RSA keys, in bits. The time to verify a signature grows with the square of the size.
const (
	minRSA = 2048
	maxRSA = 4096
)

// A Key is a public key. It is immutable and safe for concurrent use. The zero
// Key verifies nothing.
type Key struct {
	public              crypto.PublicKey // an ed25519.PublicKey or a *rsa.PublicKey
	id                  string
	notBefore, notAfter time.Time
}

// NewKey returns a key from an [ed25519.PublicKey] or a [*rsa.PublicKey] of 2048 to 4096 bits. It
// refuses an Ed25519 key with which anybody could sign (a point of small order).
func NewKey(public crypto.PublicKey) (Key, error) {
	switch p := public.(type) {
	case ed25519.PublicKey:
		if len(p) != ed25519.PublicKeySize {
			return Key{}, fmt.Errorf("the key has %d bytes, not %d", len(p), ed25519.PublicKeySize)
		}
		if err := checkPoint(p); err != nil {
			return Key{}, err
		}
		public = slices.Clone(p)
	case *rsa.PublicKey:
		if n := p.N.BitLen(); n < minRSA || n > maxRSA {
			return Key{}, fmt.Errorf("the RSA key has %d bits, not %d to %d", n, minRSA, maxRSA)
		}
		if p.E < 3 || p.E&1 == 0 || p.N.Bit(0) == 0 {
			return Key{}, errors.New("the RSA key has an even modulus or a bad exponent")
		}
		public = &rsa.PublicKey{N: new(big.Int).Set(p.N), E: p.E}
	default:
		return Key{}, fmt.Errorf("a key of type %T cannot be used: only Ed25519 and RSA", public)
	}
	k := Key{public: public}
	members, _ := json.Marshal(k.jwk()) // these strings cannot fail
	digest := sha256.Sum256(members)
	k.id = base64.RawURLEncoding.EncodeToString(digest[:])
	return k, nil
}

// ParseKey parses a JSON Web Key (RFC 7517) of kind OKP with the curve Ed25519 (RFC 8037), or RSA.
// It refuses a key that includes its private part, is not for signatures, or is for another
// algorithm than the one used here. "nbf" and "exp" limit the time in which the key is valid: they
// are seconds, or, as some signers write them, milliseconds if the number is so large that the year
// would have five digits.
func ParseKey(data []byte) (Key, error) {
	var jwk struct {
		Kty, Crv, X, N, E, Use, Alg string
		KeyOps                      []string `json:"key_ops"`
		Nbf, Exp                    *float64
		D, P, Q, K                  json.RawMessage
	}
	if err := json.Unmarshal(data, &jwk); err != nil {
		return Key{}, fmt.Errorf("not a JSON Web Key: %w", err)
	}
	if jwk.D != nil || jwk.P != nil || jwk.Q != nil || jwk.K != nil {
		return Key{}, errors.New("the key has its private part, so that everyone can sign with it")
	}
	if jwk.Use != "" && jwk.Use != "sig" || jwk.KeyOps != nil && !slices.Contains(jwk.KeyOps, "verify") {
		return Key{}, errors.New("the key is not for signatures")
	}
	var algorithms []string
	var public crypto.PublicKey
	var err error
	switch {
	case jwk.Kty == "OKP" && jwk.Crv == "Ed25519":
		algorithms = []string{"", "EdDSA", "Ed25519", algEd25519}
		var x []byte
		x, err = decode("x", jwk.X)
		public = ed25519.PublicKey(x)
	case jwk.Kty == "RSA":
		algorithms = []string{"", "PS512", algRSAPSS}
		public, err = parseRSA(jwk.N, jwk.E)
	default:
		err = fmt.Errorf("a key of kind %q %q cannot be used: only OKP with Ed25519, and RSA", jwk.Kty, jwk.Crv)
	}
	if err != nil {
		return Key{}, err
	}
	if !slices.Contains(algorithms, jwk.Alg) {
		return Key{}, fmt.Errorf("the key is for the algorithm %q, which cannot be used", jwk.Alg)
	}
	k, err := NewKey(public)
	if err != nil {
		return Key{}, err
	}
	if k.notBefore, err = numericDate("nbf", jwk.Nbf); err != nil {
		return Key{}, err
	}
	if k.notAfter, err = numericDate("exp", jwk.Exp); err != nil {
		return Key{}, err
	}
	return k, nil
}

// decode decodes base64url and accepts only its canonical form.
func decode(name, text string) ([]byte, error) {
	data, err := base64.RawURLEncoding.DecodeString(text)
	if err != nil || text == "" || base64.RawURLEncoding.EncodeToString(data) != text {
		return nil, fmt.Errorf("%s of the key is not base64url without padding", name)
	}
	return data, nil
}

func parseRSA(modulus, exponent string) (*rsa.PublicKey, error) {
	n, err := decode("n", modulus)
	if err != nil {
		return nil, err
	}
	e, err := decode("e", exponent)
	if err != nil {
		return nil, err
	}
	if len(n) > maxRSA/8 || len(e) > 4 || n[0] == 0 || e[0] == 0 {
		return nil, errors.New("the RSA key is too large, or has leading zeros")
	}
	exp := new(big.Int).SetBytes(e).Int64()
	if exp >= 1<<31 {
		return nil, errors.New("the exponent of the RSA key is too large")
	}
	return &rsa.PublicKey{N: new(big.Int).SetBytes(n), E: int(exp)}, nil
}

// lastSecond is the last second of the year 9999.
const lastSecond = 253402300799

// numericDate returns the time of a NumericDate (RFC 7519, section 2).
func numericDate(name string, seconds *float64) (time.Time, error) {
	if seconds == nil {
		return time.Time{}, nil
	}
	s := *seconds
	if s > lastSecond {
		s /= 1000
	}
	if !(0 <= s && s <= lastSecond) {
		return time.Time{}, fmt.Errorf("%s of the key is not a time", name)
	}
	return time.Unix(int64(s), 0).UTC(), nil
}

// jwk returns the members of the key that its thumbprint hashes, in their order (RFC 7638, section
// 3.2; RFC 8037, appendix A.3).
func (k Key) jwk() any {
	switch p := k.public.(type) {
	case ed25519.PublicKey:
		return struct {
			Crv string `json:"crv"`
			Kty string `json:"kty"`
			X   string `json:"x"`
		}{"Ed25519", "OKP", base64.RawURLEncoding.EncodeToString(p)}
	case *rsa.PublicKey:
		return struct {
			E   string `json:"e"`
			Kty string `json:"kty"`
			N   string `json:"n"`
		}{base64.RawURLEncoding.EncodeToString(big.NewInt(int64(p.E)).Bytes()), "RSA",
			base64.RawURLEncoding.EncodeToString(p.N.Bytes())}
	}
	return nil
}

// ID returns the identifier of the key: its JWK SHA-256 thumbprint in base64url.
func (k Key) ID() string { return k.id }

// MarshalJSON returns the key as a JSON Web Key, with its identifier as "kid".
func (k Key) MarshalJSON() ([]byte, error) {
	if k.public == nil {
		return nil, errors.New("botauth: the zero Key has no JSON")
	}
	members, err := json.Marshal(k.jwk())
	if err != nil {
		return nil, err
	}
	b := append(members[:len(members)-1], `,"kid":"`+k.id+`","use":"sig"`...)
	if !k.notBefore.IsZero() {
		b = fmt.Appendf(b, `,"nbf":%d`, k.notBefore.Unix())
	}
	if !k.notAfter.IsZero() {
		b = fmt.Appendf(b, `,"exp":%d`, k.notAfter.Unix())
	}
	return append(b, '}'), nil
}

// algorithm returns the name of the algorithm of signatures with this key.
func (k Key) algorithm() string {
	switch k.public.(type) {
	case ed25519.PublicKey:
		return algEd25519
	case *rsa.PublicKey:
		return algRSAPSS
	}
	return "none"
}

// verifies reports whether signature is a signature of message by this key.
func (k Key) verifies(message string, signature []byte) bool {
	switch p := k.public.(type) {
	case ed25519.PublicKey:
		return ed25519.Verify(p, []byte(message), signature)
	case *rsa.PublicKey:
		digest := sha512.Sum512([]byte(message))
		return rsa.VerifyPSS(p, crypto.SHA512, digest[:], signature,
			&rsa.PSSOptions{SaltLength: rsa.PSSSaltLengthEqualsHash}) == nil
	}
	return false
}

// testKeys are the thumbprints of the Ed25519 and RSA-PSS keys that RFC 9421
// prints in appendix B.1, with their private parts.
var testKeys = map[string]bool{
	"poqkLGiymh_W0uP6PZFw-dvez3QJT5SolqXBCW38r0U": true,
	"oD0HwocPBSfpNy5W3bpJeyFGY_IQ_YpqxSjQ3Yd-CLA": true,
}
