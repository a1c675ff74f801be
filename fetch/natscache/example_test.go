package natscache_test

import (
	"context"
	"fmt"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"os"
	"time"

	"github.com/nats-io/nats-server/v2/server"

	"github.com/robotsexclusion/robots/fetch"
	"github.com/robotsexclusion/robots/fetch/natscache"
)

// Two clients, which could be in two processes, fetch a robots.txt once.
func Example() {
	dir, err := os.MkdirTemp("", "natscache")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	nats, err := server.NewServer(&server.Options{Host: "127.0.0.1", Port: -1, NoLog: true, NoSigs: true,
		JetStream: true, StoreDir: dir})
	if err != nil {
		log.Fatal(err)
	}
	nats.Start()
	defer nats.WaitForShutdown()
	defer nats.Shutdown()
	nats.ReadyForConnections(time.Minute)
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		io.WriteString(w, "User-agent: *\nDisallow: /private/\n")
	}))
	defer site.Close()

	for range 2 {
		shared, err := natscache.Open(natscache.Config{URL: nats.ClientURL(), Bound: time.Minute})
		if err != nil {
			log.Fatal(err)
		}
		defer shared.Close()
		for !shared.Stats().Together { // only an example needs to wait
			time.Sleep(time.Millisecond)
		}
		client := &fetch.Client{Cache: shared, DialFilter: fetch.DialFilter{AllowPrivate: true}}
		r, err := client.Policy(context.Background(), site.URL)
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(r.Source, r.Policy.For("ExampleBot").Allowed("/private/x"))
	}
	// Output:
	// fetched false
	// cached false
}
