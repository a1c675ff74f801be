// Package api has the questions, answers and problems of the decision service, as package server
// reads and writes them. The tag doc of a field is its description in the OpenAPI document of the
// service.
package api

// Health is the answer to GET /healthz.
type Health struct {
	Status string `json:"status" doc:"the service answers" enum:"ok"`
}
