package seeds_test

import (
	"fmt"
	"strings"

	"github.com/robotsexclusion/robots/crawler/internal/seeds"
)

func ExampleRead() {
	archive := strings.NewReader(`From m.koster@example.com Mon May  5 12:00:00 1996
From: Martijn
Message-ID: <199605051200@example.com>

There is a Web robots home page on: http://info.example.com/robots.html.
> Submit-it <URL: http://www.example.com/submit/
> form.html> will do it for you.
`)
	for url, err := range seeds.Read("robots-1996.mbox", archive) {
		if err != nil {
			fmt.Println(err)
			continue
		}
		fmt.Println(url)
	}
	// Output:
	// http://info.example.com/robots.html
	// http://www.example.com/submit/form.html
}

func ExampleAddress() {
	for _, arg := range []string{"example.com/docs", "<URL:http://example.com/>", "mailto:webmaster@example.com"} {
		url, err := seeds.Address(arg)
		if err != nil {
			fmt.Println(err)
			continue
		}
		fmt.Println(url)
	}
	// Output:
	// https://example.com/docs
	// http://example.com/
	// "mailto:webmaster@example.com" is not a URL: its scheme is not http or https: name a host and perhaps a path, such as example.com/docs
}
