package accesslog_test

import (
	"errors"
	"fmt"
	"strings"

	"github.com/robotsexclusion/robots/audit/accesslog"
)

func ExampleReader() {
	log := strings.NewReader(`192.0.2.7 - - [10/Oct/2000:13:55:36 -0700] "GET /a HTTP/1.1" 200 2326 "-" "ExampleBot/1.0"
192.0.2.8 - - [10/Oct/2000:13:55:37 -0700] "GET /b?c HTTP/1.1" 404 17 "-" "Mozilla/5.0"
a line that is none
`)
	var reader accesslog.Reader
	scan := reader.From("access.log", log)
	for request, err := range scan.Requests() {
		var unreadable *accesslog.SyntaxError
		switch {
		case errors.As(err, &unreadable):
			fmt.Println(err)
		case err != nil:
			fmt.Println("the log ends early:", err)
		default:
			fmt.Printf("%s %s %d %s\n", request.Client, request.Path, request.Status, request.UserAgent)
		}
	}
	fmt.Println(scan.Logs()[0].Format)
	// Output:
	// 192.0.2.7 /a 200 ExampleBot/1.0
	// 192.0.2.8 /b?c 404 Mozilla/5.0
	// access.log:3: combined: no address of the client is where $remote_addr should be
	// combined
}

func ExampleParseFormat() {
	format, err := accesslog.ParseFormat(`$host $remote_addr [$time_local] "$request" $status "$http_user_agent" $request_time`)
	if err != nil {
		fmt.Println(err)
		return
	}
	reader := accesslog.Reader{Formats: []*accesslog.Format{format}}
	log := strings.NewReader(`example.com 192.0.2.7 [10/Oct/2000:13:55:36 +0000] "GET / HTTP/2.0" 200 "ExampleBot" 0.500`)
	for request := range reader.From("access.log", log).Requests() {
		fmt.Printf("%s%s %s\n", request.Host, request.Path, request.Time.Format("15:04:05.000"))
	}
	// Output:
	// example.com/ 13:55:35.500
}
