package guard

import (
	"bufio"
	"io"
	"net"
	"net/http"
)

// Handler returns a handler that decides about each request, and passes the request to next or
// answers it.
func (g *Guard) Handler(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		g.Serve(w, r, g.Decide(r), next)
	})
}

// Serve carries out a decision about a request: it passes the request to next, and adds Preferences
// to the answer, or it answers the request.
func (g *Guard) Serve(w http.ResponseWriter, r *http.Request, d Decision, next http.Handler) {
	switch {
	case d.Action != Pass && !g.Observe:
		g.Answer(w, d)
	case !g.Preferences:
		next.ServeHTTP(w, r)
	default:
		p := &preferenceWriter{ResponseWriter: w, fields: g.safeHeader(r)}
		next.ServeHTTP(p, r)
		p.add() // next may have written nothing
	}
}

// safeHeader is header, without fields after a panic: a fault of the guard must not fail the
// request.
func (g *Guard) safeHeader(r *http.Request) (h http.Header) {
	defer func() {
		if recover() != nil {
			h = nil
		}
	}()
	return g.header(r)
}

// A preferenceWriter adds fields to the header of an answer just before the header is written, when
// all other fields are known. It has the methods that handlers look for in a writer.
type preferenceWriter struct {
	http.ResponseWriter
	fields http.Header // nil once they are added
}

func (w *preferenceWriter) add() {
	addPreferences(w.Header(), w.fields)
	w.fields = nil
}

// WriteHeader writes the header. Informational answers, after which another one follows, have no
// preferences.
func (w *preferenceWriter) WriteHeader(status int) {
	if status >= 200 {
		w.add()
	}
	w.ResponseWriter.WriteHeader(status)
}

func (w *preferenceWriter) Write(b []byte) (int, error) {
	w.add()
	return w.ResponseWriter.Write(b)
}

// ReadFrom lets the system copy a file to a connection.
func (w *preferenceWriter) ReadFrom(from io.Reader) (int64, error) {
	w.add()
	return io.Copy(w.ResponseWriter, from)
}

func (w *preferenceWriter) Flush() { w.FlushError() }

// FlushError is Flush for [http.ResponseController].
func (w *preferenceWriter) FlushError() error {
	w.add()
	return http.NewResponseController(w.ResponseWriter).Flush()
}

// Hijack lets the handler take the connection over.
func (w *preferenceWriter) Hijack() (net.Conn, *bufio.ReadWriter, error) {
	w.fields = nil
	return http.NewResponseController(w.ResponseWriter).Hijack()
}

// Unwrap is for [http.ResponseController].
func (w *preferenceWriter) Unwrap() http.ResponseWriter { return w.ResponseWriter }
