// Package botauth signs the requests of robots and verifies their signatures with Web Bot Auth:
// HTTP message signatures (RFC 9421) as robots use them (draft-ietf-webbotauth-httpsig-protocol,
// formerly draft-meunier-web-bot-auth-architecture).
//
// A robot signs a part of each request with its private key, and publishes the
// public key at an https URL, which the request names:
//
//	Signature-Agent: sig1="https://bot.example.com"
//	Signature-Input: sig1=("@authority" "signature-agent";key="sig1");created=1735689600;expires=1735689900;keyid="poqkLG…";tag="web-bot-auth"
//	Signature: sig1=:jdq0SqOwHdyHr9…==:
//
// A [Verifier] checks that the signature is valid, current, and made for this server. It never
// fetches anything: the caller provides a function that returns the key for a URL. Package
// agent/keydir has one, which fetches and caches a [Directory]. A [Signer] signs requests.
//
// # What a signature proves
//
// A signature proves that the holder of the private key recently agreed to a request with these
// covered components. If the key is the one published at the URL, the holder controls that URL. The
// signature does not prove that the holder is honest, nor that components outside it arrived
// unchanged: a signature that covers only "@authority" is valid for every path of the server. The
// body is not a component. A Content-Digest field can be one, and the caller has to compare it with
// the body.
//
// # What is not checked
//
// Anybody who sees a signature can send it again until it expires. A [Nonces] refuses signatures
// seen before.
//
// Keys are Ed25519, or RSA with PSS and SHA-512 for verification only. Other algorithms are
// unverifiable here, as are trailers, the parameter "sf" of fields of unknown type, and responses
// other than those that serve a directory (see [Directory.Possessed]).
package botauth

const (
	// DirectoryPath is the path below which an origin publishes its keys.
	DirectoryPath = "/.well-known/http-message-signatures-directory"

	// DirectoryType is the media type of a directory of keys.
	DirectoryType = "application/http-message-signatures-directory+json"
)

// The values of the parameter "tag" of signatures.
const (
	requestTag   = "web-bot-auth"
	directoryTag = "http-message-signatures-directory"
)
