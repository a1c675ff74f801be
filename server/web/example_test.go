package web_test

import (
	"fmt"
	"log"
	"net/http"
	"net/http/httptest"

	"github.com/robotsexclusion/robots/server/web"
)

func ExampleHandler() {
	s := httptest.NewServer(web.Handler(web.Services{}))
	defer s.Close()
	resp, err := http.Get(s.URL)
	if err != nil {
		log.Fatal(err)
	}
	resp.Body.Close()
	fmt.Println(resp.StatusCode, resp.Header.Get("Content-Type"))
	// Output: 200 text/html; charset=utf-8
}
