package server

import (
	"net/http"

	"github.com/robotsexclusion/robots/server/api"
)

// A route is a method and a path, with all that the OpenAPI document says about it.
type route struct {
	method, path string
	summary      string
	answer       any // the zero value of the answer
	problems     []*kind
	serve        func(s *Server, w http.ResponseWriter, r *http.Request) error
}

// routes is the list of all routes. Each route may also answer the problems that all have.
var routes = []route{
	{
		method: http.MethodGet, path: "/healthz",
		summary: "whether the service answers",
		answer:  api.Health{},
		serve:   (*Server).health,
	},
}
