package testweb

import (
	"net/http"
	"time"
)

var busy = Kind{
	Name: "busy", Share: 3, tree: true,
	Doc: "A tree where every fifth request is answered 503 or 429, with Retry-After in seconds, as a date, or without.",
	page: func(h *host, r *request) answer {
		if r.settled || r.turn%5 != 3 {
			return h.treeAnswer(r.path)
		}
		return h.comeAgain([]int{503, 429}[r.turn/5%2], r.turn/5%3)
	},
}

var overloaded = Kind{
	Name: "overloaded", Share: 1, tree: true,
	Doc: "A tree whose first three answers are 503 without Retry-After.",
	page: func(h *host, r *request) answer {
		if r.settled || r.turn >= 3 {
			return h.treeAnswer(r.path)
		}
		return h.comeAgain(503, 2)
	},
}

// comeAgain returns an answer that asks for a retry, in one of three forms.
func (h *host) comeAgain(status, form int) answer {
	a := answer{status: status, title: http.StatusText(status), later: true}
	if form < 2 {
		line, at := h.web.retryAfter(3, form == 1)
		a.header, a.retry = append(a.header, line, "Date: "+time.Now().UTC().Format(http.TimeFormat)), at
	}
	return a
}
