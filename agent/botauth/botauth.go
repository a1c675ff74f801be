// Package botauth signs requests of robots, and verifies who signed one: Web Bot
// Auth, which is HTTP message signatures (RFC 9421) as robots use them
// (draft-ietf-webbotauth-httpsig-protocol, formerly
// draft-meunier-web-bot-auth-architecture).
//
// A robot signs a part of each request with its private key, and publishes the
// public key at an https URL, which the request names:
//
//	Signature-Agent: sig1="https://bot.example.com"
//	Signature-Input: sig1=("@authority" "signature-agent";key="sig1");created=1735689600;expires=1735689900;keyid="poqkLG…";tag="web-bot-auth"
//	Signature: sig1=:jdq0SqOwHdyHr9…==:
//
// A [Verifier] checks the signature, and that it is in time and made for this
// server. It never fetches anything: the caller says which key belongs to which
// URL, by a function that most often has a [Directory] in a cache. A [Signer]
// signs requests.
//
// # What a signature proves
//
// That the holder of the private key agreed to a request with these covered
// components, not long ago. If the key is the one that the URL publishes, the
// holder is whoever publishes there. It does not prove that they are honest, nor
// that what is not covered is as it was sent: a signature that covers only
// "@authority" is good for every path of the server. No component is the body.
// One may be a Content-Digest field, which the caller has to compare with the
// body.
//
// # What is not checked
//
// Signatures can be sent again by whoever saw them, until they expire. A
// [Nonces] refuses those that were seen before.
//
// Keys are of Ed25519, or of RSA with PSS and SHA-512 for verification only.
// Other algorithms are unverifiable here, as are responses, trailers, and the
// parameter "sf" of fields of unknown type.
package botauth

const (
	// DirectoryPath is the path below which an origin publishes its keys.
	DirectoryPath = "/.well-known/http-message-signatures-directory"

	// DirectoryType is the media type of what is there.
	DirectoryType = "application/http-message-signatures-directory+json"

	// Tag is the parameter of signatures that are Web Bot Auth.
	Tag = "web-bot-auth"
)
