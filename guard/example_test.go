package guard_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"

	"github.com/robotsexclusion/robots"
	"github.com/robotsexclusion/robots/guard"
)

// A site refuses robots what its robots.txt disallows, and no person anything.
func Example() {
	policy := robots.ParseString("User-agent: GPTBot\nDisallow: /private/\n")
	protect := &guard.Guard{Policy: guard.Fixed(policy)}
	site := protect.Handler(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		fmt.Fprint(w, "a page")
	}))
	for _, userAgent := range []string{"Mozilla/5.0 (compatible; GPTBot/1.2; +https://openai.com/gptbot)",
		"Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0"} {
		r := httptest.NewRequest("GET", "https://example.com/private/x", nil)
		r.Header.Set("User-Agent", userAgent)
		w := httptest.NewRecorder()
		site.ServeHTTP(w, r)
		fmt.Println(w.Code)
	}
	// Output:
	// 403
	// 200
}
