package keydir_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"

	"github.com/robotsexclusion/robots/agent/botauth"
	"github.com/robotsexclusion/robots/agent/keydir"
)

// A Verifier of signed requests gets its keys from a Client. Keys that cannot be fetched are an
// error of their own: nothing is known about the request then.
func ExampleClient() {
	keys := &keydir.Client{
		UserAgent: "ExampleServer/1.0 (+https://example.org)",
		Transport: http.NewFileTransport(http.Dir("testdata/nothing")), // in place of the network
	}
	verifier := &botauth.Verifier{Keys: keys.Key}
	_, err := verifier.Keys(context.Background(), botauth.Agent{URL: "https://bot.example.com", Type: "directory"},
		"key")
	fmt.Println(errors.Is(err, keydir.ErrUnavailable))
	// Output:
	// true
}
