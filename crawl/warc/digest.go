package warc

import (
	"crypto/sha1"
	"crypto/sha256"
	"encoding/base32"
	"encoding/hex"
)

// PayloadDigest returns the digest of a payload as it stands in WARC-Payload-Digest
// and in the index: SHA-1 in Base32, such as
// sha1:3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBYJ, which is that of no bytes.
func PayloadDigest(payload []byte) string {
	sum := sha1.Sum(payload)
	return payloadDigest(sum[:])
}

func payloadDigest(sum []byte) string { return "sha1:" + base32.StdEncoding.EncodeToString(sum) }

func blockDigest(sum []byte) string { return "sha256:" + hex.EncodeToString(sum) }

// digestOfBlock is for blocks that are in memory and have no payload.
func digestOfBlock(block []byte) string {
	sum := sha256.Sum256(block)
	return blockDigest(sum[:])
}
