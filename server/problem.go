package server

import (
	"context"
	"errors"
	"net/http"
	"strconv"

	"github.com/robotsexclusion/robots/ask"
	"github.com/robotsexclusion/robots/fetch"
	"github.com/robotsexclusion/robots/internal/printable"
	"github.com/robotsexclusion/robots/internal/url/urlcheck"
	"github.com/robotsexclusion/robots/server/answers"
	"github.com/robotsexclusion/robots/server/api"
)

// A kind is a kind of problem. Its name is a part of the stable type of problem details: never
// change a name.
type kind struct {
	name   string
	status int
	title  string
}

// problemHeaders has the headers that come with problems, by status, with their descriptions. The
// statuses 404 and 405 are not those of a route.
var problemHeaders = map[int]struct{ name, description string }{
	http.StatusUnauthorized:       {"WWW-Authenticate", "the scheme Bearer"},
	http.StatusTooManyRequests:    {"Retry-After", "after how many seconds to repeat the request"},
	http.StatusServiceUnavailable: {"Retry-After", "after how many seconds to repeat the request"},
}

// The kinds of problems, in the order of their statuses.
var (
	badParameter   = &kind{"bad-parameter", http.StatusBadRequest, "a parameter is missing, unknown or invalid"}
	badURL         = &kind{"bad-url", http.StatusBadRequest, "the URL has no robots.txt"}
	badBody        = &kind{"bad-body", http.StatusBadRequest, "the body is not what the route reads"}
	unauthorized   = &kind{"unauthorized", http.StatusUnauthorized, "the request has no valid token"}
	refusedAddress = &kind{"refused-address", http.StatusForbidden, "the address of the host is not public"}
	foreignPage    = &kind{"foreign-page", http.StatusForbidden, "the request is of a page of another site"}
	notFound       = &kind{"not-found", http.StatusNotFound, "there is no such resource"}
	noHistory      = &kind{"no-history", http.StatusNotFound, "the service keeps no history"}
	wrongMethod    = &kind{"wrong-method", http.StatusMethodNotAllowed, "the resource does not know the method"}
	tooLarge       = &kind{"too-large", http.StatusRequestEntityTooLarge, "the request is too large"}
	wrongHost      = &kind{"wrong-host", http.StatusMisdirectedRequest, "the service does not go by this name"}
	noSuchHost     = &kind{"no-such-host", http.StatusUnprocessableEntity, "DNS does not know the host"}
	badClaim       = &kind{"bad-claim", http.StatusUnprocessableEntity,
		"a claim cannot be read, or names an unknown robot"}
	tooMany  = &kind{"too-many-requests", http.StatusTooManyRequests, "the client makes too many requests"}
	internal = &kind{"internal", http.StatusInternalServerError, "the service failed"}
	busy     = &kind{"busy", http.StatusServiceUnavailable, "the service has too much to do"}
	timedOut = &kind{"timeout", http.StatusGatewayTimeout, "the answer took too long"}
)

// kinds is the list of all kinds.
var kinds = []*kind{badParameter, badURL, badBody, unauthorized, refusedAddress, foreignPage, notFound, noHistory,
	wrongMethod, tooLarge, wrongHost, noSuchHost, badClaim, tooMany, internal, busy, timedOut}

// typeURI is the start of the types. The rest is the name of the kind, a heading of that page.
const typeURI = "https://github.com/robotsexclusion/robots/blob/main/doc/serve.md#"

// problem returns a problem of a kind. The detail may have text of strangers.
func (k *kind) problem(detail string) *api.Problem {
	return &api.Problem{Type: typeURI + k.name, Title: k.title, Status: k.status, Detail: printable.Clipped(detail,
		1000)}
}

// retryAfter is the number of seconds after which a client may repeat a request.
const retryAfter = 1

// writeProblem answers with problem details.
func writeProblem(w http.ResponseWriter, p *api.Problem) {
	recordProblem(w, p)
	header := w.Header()
	header.Set("Content-Type", "application/problem+json")
	header.Set("Cache-Control", "no-store")
	if p.Status == http.StatusServiceUnavailable {
		header.Set("Retry-After", strconv.Itoa(retryAfter))
	}
	body := append(withoutTags(printable.JSON(printable.AppendJSON(nil, p))), '\n') // for people with curl
	header.Set("Content-Length", strconv.Itoa(len(body)))
	w.WriteHeader(p.Status)
	w.Write(body)
}

// explain returns the problem that an error is. Only errors about the question are shown: others
// may have names and addresses of the network of the service.
func explain(err error) *api.Problem {
	var (
		own       *api.Problem
		wrongURL  *fetch.URLError
		wrongText *urlcheck.Error
		refused   *fetch.RefusedError
		wrong     *answers.Error
	)
	switch {
	case errors.As(err, &own):
		return own
	case errors.As(err, &wrong):
		if wrong.Status == badClaim.status {
			return badClaim.problem(wrong.Detail)
		}
		return badBody.problem(wrong.Detail)
	case errors.As(err, &wrongURL):
		return badURL.problem(printable.Quoted(wrongURL.URL, 200) + ": " + wrongURL.Reason)
	case errors.As(err, &wrongText):
		return badURL.problem(err.Error())
	case errors.As(err, &refused):
		return refusedAddress.problem("this service asks only hosts with public addresses; " +
			"one with --allow-private asks others too")
	case errors.Is(err, ask.ErrNoHost):
		return noSuchHost.problem(err.Error())
	case errors.Is(err, fetch.ErrPostponed):
		return busy.problem("too many origins are being fetched: repeat the request later")
	case errors.Is(err, context.DeadlineExceeded), errors.Is(err, context.Canceled):
		return timedOut.problem("repeat the request later")
	}
	return internal.problem("")
}
