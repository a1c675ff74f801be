package botauth

import (
	"crypto"
	"crypto/ed25519"
	"crypto/rsa"
	"encoding/json"
	"math/big"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/robotsexclusion/robots/internal/test/fatal"
)

const rfcThumbprint = "poqkLGiymh_W0uP6PZFw-dvez3QJT5SolqXBCW38r0U"

func TestKeyID(t *testing.T) {
	// RFC 8037, appendix A.3.
	key, err := ParseKey([]byte(`{"kty":"OKP","crv":"Ed25519","x":"11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo"}`))
	if err != nil || key.ID() != "kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k" {
		t.Errorf("got %s, %v", key.ID(), err)
	}
	if key, err := NewKey(rfcKey.Public()); err != nil || key.ID() != rfcThumbprint {
		t.Errorf("got %s, %v", key.ID(), err)
	}
	// RFC 7638, section 3.1.
	key, err = ParseKey([]byte(`{"kty":"RSA","n":"0vx7agoebGcQSuuPiLJXZptN9nndrQmbXEps2aiAFbWhM78LhWx4cbbfAAtVT86zwu1RK7aPFFxuhDR1L6tSoc_BJECPebWKRXjBZCiFV4n3oknjhMstn64tZ_2W-5JsGY4Hc5n9yBXArwl93lqt7_RN5w6Cf0h4QyQ5v-65YGjQR0_FDW2QvzqY368QQMicAtaSqzs8KJZgnYb9c7d0zgdAZHzu6qMQvRL5hajrn1n91CbOpbISD08qNLyrdkt-bFTWhAI4vMQFh6WeZu0fM4lFd2NcRwr3XPksINHaQ-G_xBniIqbw0Ls1jF44-csFCur-kEgU8awapJzKnqDKgw","e":"AQAB"}`))
	if err != nil || key.ID() != "NzbLsXh8uDCcd-6MNwXF4W_7noWXFZAfHkxZsRGC9Xs" {
		t.Errorf("got %s, %v", key.ID(), err)
	}
}

func TestParseKeyRefuses(t *testing.T) {
	const x = `"x":"JrQLj5P_89iXES9-vFgrIy29clF9CC_oPPsw3c5D0bs"`
	good := `{"kty":"OKP","crv":"Ed25519",` + x + `}`
	if _, err := ParseKey([]byte(good)); err != nil {
		t.Fatal(err)
	}
	with := func(members string) string { return strings.TrimSuffix(good, "}") + "," + members + "}" }
	for _, jwk := range []string{
		with(`"use":"sig","key_ops":["verify"],"alg":"EdDSA","kid":"anything","x5c":[]`), with(`"alg":"Ed25519"`),
		with(`"alg":"ed25519"`),
	} {
		if _, err := ParseKey([]byte(jwk)); err != nil {
			t.Errorf("%s: %v", jwk, err)
		}
	}
	n := `"n":"` + strings.Repeat("_", 342)[:341] + `w"` // 2048 bits
	for name, jwk := range map[string]string{
		"nothing":              ``,
		"no object":            `[]`,
		"no kind":              `{}`,
		"a private key":        with(`"d":"n4Ni-HpISpVObnQMW0wOhCKROaIKqKtW_2ZYb2p9KcU"`),
		"a secret":             with(`"k":"c2VjcmV0"`),
		"encryption":           with(`"use":"enc"`),
		"to sign":              with(`"key_ops":["sign"]`),
		"no operations":        with(`"key_ops":[]`),
		"another algorithm":    with(`"alg":"ES256"`),
		"a bad time":           with(`"exp":-1`),
		"a time that is huge":  with(`"exp":1e300`),
		"a time that is text":  with(`"nbf":"2026"`),
		"X25519":               strings.Replace(good, "Ed25519", "X25519", 1),
		"a secret kind":        `{"kty":"oct","k":"c2VjcmV0"}`,
		"an elliptic curve":    `{"kty":"EC","crv":"P-256","x":"AA","y":"AA"}`,
		"no x":                 `{"kty":"OKP","crv":"Ed25519"}`,
		"padding":              strings.Replace(good, `bs"`, `bs="`, 1),
		"other base64":         strings.Replace(good, `P_8`, `P/8`, 1),
		"a line break":         strings.Replace(good, `P_8`, `P_\n8`, 1),
		"bits after the last":  strings.Replace(good, `bs"`, `bt"`, 1),
		"short":                `{"kty":"OKP","crv":"Ed25519","x":"JrQL"}`,
		"long":                 `{"kty":"OKP","crv":"Ed25519","x":"JrQLj5P_89iXES9-vFgrIy29clF9CC_oPPsw3c5D0bsA"}`,
		"no point":             `{"kty":"OKP","crv":"Ed25519","x":"AgAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"}`,
		"small order":          `{"kty":"OKP","crv":"Ed25519","x":"AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"}`,
		"RSA without exponent": `{"kty":"RSA",` + n + `}`,
		"RSA with even":        `{"kty":"RSA",` + n + `,"e":"AQAA"}`,
		"RSA with one":         `{"kty":"RSA",` + n + `,"e":"AQ"}`,
		"RSA with zero first":  `{"kty":"RSA",` + n + `,"e":"AAEAAQ"}`,
		"RSA with much":        `{"kty":"RSA",` + n + `,"e":"____-w"}`,
		"RSA of 24 bits":       `{"kty":"RSA","n":"____","e":"AQAB"}`,
		"RSA of 32768 bits":    `{"kty":"RSA","n":"` + strings.Repeat("_", 5461) + `w","e":"AQAB"}`,
		"RSA for another":      `{"kty":"RSA",` + n + `,"e":"AQAB","alg":"RS256"}`,
	} {
		if key, err := ParseKey([]byte(jwk)); err == nil {
			t.Errorf("%s: got %s, want an error", name, key.ID())
		}
	}
	if _, err := ParseKey([]byte(`{"kty":"RSA",` + n + `,"e":"AQAB","alg":"PS512"}`)); err != nil {
		t.Error(err)
	}
	for _, public := range []crypto.PublicKey{nil, "key", ed25519.PublicKey(nil), ed25519.PublicKey(make([]byte, 31)),
		*new(rsa.PublicKey), rfcKey} {
		if key, err := NewKey(public); err == nil {
			t.Errorf("%T: got %s, want an error", public, key.ID())
		}
	}
}

func TestKeyValidity(t *testing.T) {
	key, err := ParseKey([]byte(`{"kty":"OKP","crv":"Ed25519","x":"JrQLj5P_89iXES9-vFgrIy29clF9CC_oPPsw3c5D0bs","nbf":1712793600,"exp":1715385600000}`))
	fatal.If(t, err)
	from, to := key.notBefore, key.notAfter
	if !from.Equal(time.Unix(1712793600, 0)) || !to.Equal(time.Unix(1715385600, 0)) {
		t.Errorf("got %s to %s", from, to)
	}
	data, err := json.Marshal(NewDirectory(key))
	want := `{"keys":[{"crv":"Ed25519","kty":"OKP","x":"JrQLj5P_89iXES9-vFgrIy29clF9CC_oPPsw3c5D0bs","kid":"poqkLGiymh_W0uP6PZFw-dvez3QJT5SolqXBCW38r0U","use":"sig","nbf":1712793600,"exp":1715385600}]}`
	if err != nil || string(data) != want {
		t.Errorf("got %s, %v, want %s", data, err, want)
	}
	d, err := ParseDirectory(data)
	if err != nil || len(d.keys) != 1 {
		t.Fatalf("got %v, %v", d, err)
	}
	if again, ok := d.Key(key.ID()); !ok || again.notBefore != from || again.notAfter != to {
		t.Errorf("got %v", again)
	}
	if _, err := json.Marshal(Key{}); err == nil {
		t.Error("the zero key has JSON")
	}
}

func TestKeyRSA(t *testing.T) {
	key, err := ParseKey([]byte(rsaKey))
	if err != nil || key.ID() != rsaKeyID {
		t.Fatalf("got %s, %v, want %s", key.ID(), err, rsaKeyID)
	}
	data, err := json.Marshal(key)
	fatal.If(t, err)
	again, err := ParseKey(data)
	if err != nil || again.ID() != rsaKeyID {
		t.Errorf("got %s, %v, want %s", again.ID(), err, rsaKeyID)
	}
}

func TestParseDirectory(t *testing.T) {
	const good = `{"kty":"OKP","crv":"Ed25519","x":"JrQLj5P_89iXES9-vFgrIy29clF9CC_oPPsw3c5D0bs"}`
	d, err := ParseDirectory([]byte(`{"keys": [ {"kty":"EC","crv":"P-256"}, ` + good +
		`, 7, null, {"kty":"OKP","crv":"Ed25519","x":"AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"} ], "purpose": "search"}`))
	fatal.If(t, err)
	if len(d.keys) != 1 || len(d.Rejected()) != 4 {
		t.Errorf("got %d keys, and rejected %q", len(d.keys), d.Rejected())
	}
	if got, want := d.Rejected()[3].Error(),
		"entry 5 of the key directory: the key is a point of small order, with which anybody can sign"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if _, ok := d.Key(rfcThumbprint); !ok {
		t.Error("the good key is not in it")
	}
	if _, ok := d.Key(""); ok {
		t.Error("there is a key without a name")
	}
	// A key that stands twice in a directory counts once, with the dates of the first entry.
	d, err = ParseDirectory([]byte(`{"keys":[` + good + `,` + strings.Replace(good, "}", `,"exp":1}`, 1) + `]}`))
	if err != nil || len(d.keys) != 1 || len(d.Rejected()) != 1 || !d.keys[0].notAfter.IsZero() {
		t.Errorf("a key twice: got %v, %v", d, err)
	}
	if d, err := ParseDirectory([]byte(`{"keys":[]}`)); err != nil || len(d.keys) != 0 {
		t.Errorf("an empty one: got %v, %v", d, err)
	}
	for name, text := range map[string]string{
		"nothing":    "",
		"a page":     "<html>",
		"no keys":    "{}",
		"null":       `{"keys":null}`,
		"no list":    `{"keys":{}}`,
		"a list":     "[" + good + "]",
		"too many":   `{"keys":[` + strings.Repeat(good+",", 100) + good + `]}`,
		"too large":  `{"keys":[` + strings.Repeat(" ", maxDirectory) + `]}`,
		"cut":        `{"keys":[` + good,
		"very deep":  `{"keys":` + strings.Repeat("[", 100_000),
		"more after": `{"keys":[]}{}`,
	} {
		if d, err := ParseDirectory([]byte(text)); err == nil {
			t.Errorf("%s: got %v, want an error", name, d)
		}
	}
	if data, err := json.Marshal(new(Directory)); err != nil || string(data) != `{"keys":[]}` {
		t.Errorf("got %s, %v", data, err)
	}
}

// A slowPoint is a point of edwards25519, by its two coordinates.
type slowPoint struct{ x, y *big.Int }

// slowPointOf returns the point that 32 bytes stand for, by the square root of
// x² (RFC 8032, section 5.1.3).
func slowPointOf(data []byte) (p slowPoint, ok bool) {
	c := edwards25519()
	data = slices.Clone(data)
	slices.Reverse(data)
	sign := uint(data[0] >> 7)
	data[0] &= 0x7f
	y := new(big.Int).SetBytes(data)
	one := big.NewInt(1)
	square := new(big.Int).Mul(y, y)
	under := new(big.Int).Mul(c.d, square)
	under.ModInverse(under.Add(under, one), c.p)
	square.Sub(square, one).Mul(square, under).Mod(square, c.p)
	x := new(big.Int).ModSqrt(square, c.p)
	if x == nil || y.Cmp(c.p) >= 0 || x.Sign() == 0 && sign == 1 {
		return p, false
	}
	if x.Bit(0) != sign {
		x.Sub(c.p, x)
	}
	return slowPoint{x, y}, true
}

// add returns the sum of two points (RFC 8032, section 5.1.4).
func (p slowPoint) add(q slowPoint) slowPoint {
	c := edwards25519()
	mul := func(factors ...*big.Int) *big.Int {
		product := big.NewInt(1)
		for _, f := range factors {
			product.Mod(product.Mul(product, f), c.p)
		}
		return product
	}
	over := func(a, b *big.Int) *big.Int { return mul(a, new(big.Int).ModInverse(new(big.Int).Mod(b, c.p), c.p)) }
	t := mul(c.d, p.x, q.x, p.y, q.y)
	one := big.NewInt(1)
	return slowPoint{
		over(new(big.Int).Add(mul(p.x, q.y), mul(p.y, q.x)), new(big.Int).Add(one, t)),
		over(new(big.Int).Add(mul(p.y, q.y), mul(p.x, q.x)), new(big.Int).Sub(one, t)),
	}
}

// small reports whether eight times the point is the neutral one.
func (p slowPoint) small() bool {
	for range 3 {
		p = p.add(p)
	}
	return p.x.Sign() == 0 && p.y.Cmp(big.NewInt(1)) == 0
}

// encoded returns the bytes of the y of a key, with the sign of its x.
func encoded(y *big.Int, sign byte) []byte {
	data := y.FillBytes(make([]byte, 32))
	data[0] |= sign << 7
	slices.Reverse(data)
	return data
}

// The points of small order are those whose order divides eight, all of them,
// and with them anybody can sign.
func TestSmallOrders(t *testing.T) {
	c := edwards25519()
	if !c.p.ProbablyPrime(20) || new(big.Int).Mod(new(big.Int).Add(new(big.Int).Mul(c.d, big.NewInt(121666)),
		big.NewInt(121665)), c.p).Sign() != 0 {
		t.Fatal("not the curve of RFC 8032")
	}
	found := 0
	for _, y := range c.smallOrders {
		for sign := range byte(2) {
			data := encoded(y, sign)
			if checkPoint(data) == nil {
				t.Errorf("%x is taken as a key", data)
			}
			if p, ok := slowPointOf(data); ok {
				found++
				if !p.small() {
					t.Errorf("%x is not of small order", data)
				}
			}
		}
	}
	if found != 8 {
		t.Errorf("got %d points of small order, want 8", found)
	}

	// With the neutral point as key, the neutral point and zero are a
	// signature of every message.
	neutral := encoded(big.NewInt(1), 0)
	signature := append(slices.Clone(neutral), make([]byte, 32)...)
	if !ed25519.Verify(neutral, []byte("anything"), signature) {
		t.Error("crypto/ed25519 has become stricter")
	}
}

// FuzzPoint holds checkPoint to its slow twin.
func FuzzPoint(f *testing.F) {
	f.Add([]byte(rfcKey.Public().(ed25519.PublicKey)))
	f.Add(encoded(edwards25519().p, 0))
	f.Add(encoded(new(big.Int).Add(edwards25519().p, big.NewInt(1)), 1))
	for _, y := range edwards25519().smallOrders {
		f.Add(encoded(y, 0))
		f.Add(encoded(y, 1))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		if len(data) != 32 {
			return
		}
		p, ok := slowPointOf(data)
		want := ok && !p.small()
		if err := checkPoint(data); (err == nil) != want {
			t.Fatalf("%x: got %v, and the slow twin says %t", data, err, want)
		}
	})
}
