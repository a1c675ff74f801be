package guard

import "net/http"

// Handler returns a handler that decides about each request, and passes the request to next or answers it.
func (g *Guard) Handler(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		g.Serve(w, r, g.Decide(r), next)
	})
}

// Serve carries out a decision about a request: it passes the request to next, or answers it.
func (g *Guard) Serve(w http.ResponseWriter, r *http.Request, d Decision, next http.Handler) {
	if d.Action == Pass || g.Observe {
		next.ServeHTTP(w, r)
		return
	}
	g.Answer(w, d)
}
