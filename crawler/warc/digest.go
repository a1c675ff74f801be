package warc

import (
	"crypto/sha1"
	"crypto/sha256"
	"encoding/base32"
	"encoding/hex"
)

// PayloadDigest returns the digest of a payload in the form of WARC-Payload-Digest and of
// the index: SHA-1 in Base32, such as sha1:3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBYJ, which is the
// digest of an empty payload.
func PayloadDigest(payload []byte) string {
	sum := sha1.Sum(payload)
	return payloadDigest(sum[:])
}

func payloadDigest(sum []byte) string { return "sha1:" + base32.StdEncoding.EncodeToString(sum) }

func blockDigest(sum []byte) string { return "sha256:" + hex.EncodeToString(sum) }

// digestOfBlock returns the digest of a block in memory that has no payload.
func digestOfBlock(block []byte) string {
	sum := sha256.Sum256(block)
	return blockDigest(sum[:])
}
