package server

import (
	"crypto/sha256"
	"crypto/subtle"
	"net/http"
	"strings"
)

// authorized reports whether a request has one of the tokens, or needs none (RFC 6750, section 2.1).
// It takes the same time for every wrong token: it compares hashes of one size, and all of them.
func (s *Server) authorized(r *http.Request) bool {
	if len(s.tokens) == 0 {
		return true
	}
	scheme, token, _ := strings.Cut(r.Header.Get("Authorization"), " ")
	if !strings.EqualFold(scheme, "Bearer") {
		return false
	}
	sum := sha256.Sum256([]byte(strings.TrimSpace(token)))
	found := 0
	for i := range s.tokens {
		found |= subtle.ConstantTimeCompare(sum[:], s.tokens[i][:])
	}
	return found == 1
}

// hashes returns the hashes of tokens.
func hashes(tokens []string) (sums [][sha256.Size]byte) {
	for _, token := range tokens {
		sums = append(sums, sha256.Sum256([]byte(token)))
	}
	return sums
}
