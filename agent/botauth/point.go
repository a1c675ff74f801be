package botauth

import (
	"errors"
	"math/big"
	"slices"
	"sync"
)

// A curve is edwards25519 (RFC 8032, section 5.1): -x² + y² = 1 + d·x²·y² over
// the field of the prime p.
type curve struct {
	p, d *big.Int

	// smallOrders has the y of the eight points whose order divides eight. With one of these as
	// public key, anybody can make signatures. crypto/ed25519 accepts them, because RFC 8032 does
	// not forbid them.
	smallOrders []*big.Int
}

// edwards25519 computes the numbers on first use.
var edwards25519 = sync.OnceValue(func() *curve {
	hex := func(digits string) *big.Int {
		n, _ := new(big.Int).SetString(digits, 16)
		return n
	}
	p := hex("7fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffed")
	order8 := hex("7a03ac9277fdc74ec6cc392cfa53202a0f67100d760b3cba4fd84d3d706a17c7")
	minus := func(n *big.Int) *big.Int { return new(big.Int).Sub(p, n) }
	return &curve{
		p:           p,
		d:           hex("52036cee2b6ffe738cc740797779e89800700a4d4141d8ab75eb4dca135978a3"),
		smallOrders: []*big.Int{big.NewInt(0), big.NewInt(1), minus(big.NewInt(1)), order8, minus(order8)},
	}
})

// checkPoint returns an error if the 32 bytes are not a point of the curve in its canonical form,
// or are a point of small order.
func checkPoint(data []byte) error {
	c := edwards25519()
	data = slices.Clone(data)
	slices.Reverse(data) // little endian
	data[0] &= 0x7f      // without the sign of x
	y := new(big.Int).SetBytes(data)
	if y.Cmp(c.p) >= 0 {
		return errors.New("the key is not a point of the curve in canonical form")
	}
	if slices.ContainsFunc(c.smallOrders, func(small *big.Int) bool { return y.Cmp(small) == 0 }) {
		return errors.New("the key is a point of small order, with which anybody can sign")
	}
	// There is an x if (y² - 1) / (d·y² + 1) is a square, which is the case if the product of both
	// is a square.
	square := new(big.Int).Mul(y, y)
	above := new(big.Int).Sub(square, big.NewInt(1))
	under := new(big.Int).Add(new(big.Int).Mul(square, c.d), big.NewInt(1))
	if big.Jacobi(above.Mod(above.Mul(above, under), c.p), c.p) != 1 {
		return errors.New("the key is not a point of the curve")
	}
	return nil
}
