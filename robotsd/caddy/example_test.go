package robotsguard_test

import (
	"fmt"
	"io"
	"net"
	"net/http"
	"os"

	"github.com/caddyserver/caddy/v2"
	"github.com/caddyserver/caddy/v2/caddyconfig"
	_ "github.com/caddyserver/caddy/v2/caddyconfig/httpcaddyfile"

	_ "github.com/robotsexclusion/robots/robotsd/caddy"
)

// A Caddyfile with the directive robots_guard makes the site enforce its own robots.txt.
func Example() {
	file, err := os.CreateTemp("", "robots.txt")
	if err != nil {
		panic(err)
	}
	defer os.Remove(file.Name())
	fmt.Fprint(file, "User-agent: GPTBot\nDisallow: /\n")
	file.Close()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		panic(err)
	}
	site := "http://" + l.Addr().String()
	l.Close()

	caddyfile := fmt.Sprintf("{\n\tadmin off\n\tpersist_config off\n\tlog {\n\t\tlevel ERROR\n\t}\n}\n"+
		"%s {\n\troute {\n\t\trobots_guard {\n\t\t\trobots %s\n\t\t}\n\t\trespond \"welcome\"\n\t}\n}\n", site,
		file.Name())
	config, _, err := caddyconfig.GetAdapter("caddyfile").Adapt([]byte(caddyfile),
		map[string]any{"filename": "Caddyfile"})
	if err != nil {
		panic(err)
	}
	if err := caddy.Load(config, true); err != nil {
		panic(err)
	}
	defer caddy.Stop()
	for _, userAgent := range []string{"GPTBot/1.2",
		"Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0"} {
		r, _ := http.NewRequest("GET", site, nil)
		r.Header.Set("User-Agent", userAgent)
		answer, err := http.DefaultClient.Do(r)
		if err != nil {
			panic(err)
		}
		body, _ := io.ReadAll(answer.Body)
		answer.Body.Close()
		fmt.Printf("%d %.9s\n", answer.StatusCode, body)
	}
	// Output:
	// 403 403 Forbi
	// 200 welcome
}
