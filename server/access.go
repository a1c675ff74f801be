package server

import (
	"crypto/sha256"
	"crypto/subtle"
	"net/http"
	"slices"
	"strings"
)

// authorized reports whether a request has one of the tokens, or needs none (RFC 6750, section
// 2.1). It takes the same time for every wrong token: it compares hashes of one size, and all of
// them.
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

// foreign reports whether a browser sent a request for a page that may not ask.
func (s *Server) foreign(r *http.Request) bool {
	named := slices.Contains(s.config.Origins, "*") || slices.Contains(s.config.Origins, r.Header.Get("Origin"))
	return !named && s.hosts.Foreign(r)
}

// share lets pages of the permitted origins read the answer (CORS), and answers their question
// whether they may ask. It reports whether the request was such a question.
func (s *Server) share(w http.ResponseWriter, r *http.Request) (answered bool) {
	if len(s.config.Origins) == 0 {
		return false
	}
	header := w.Header()
	header.Add("Vary", "Origin")
	origin := r.Header.Get("Origin")
	switch {
	case origin == "":
		return false
	case slices.Contains(s.config.Origins, "*"):
		header.Set("Access-Control-Allow-Origin", "*")
	case slices.Contains(s.config.Origins, origin):
		header.Set("Access-Control-Allow-Origin", origin)
	default:
		return false
	}
	header.Set("Access-Control-Expose-Headers", "ETag, Retry-After")
	if r.Method != http.MethodOptions || r.Header.Get("Access-Control-Request-Method") == "" {
		return false
	}
	header.Set("Access-Control-Allow-Methods", "GET, POST")
	header.Set("Access-Control-Allow-Headers", "Authorization, Content-Type, If-None-Match, Traceparent, Tracestate")
	header.Set("Access-Control-Max-Age", "86400")
	w.WriteHeader(http.StatusNoContent)
	return true
}
