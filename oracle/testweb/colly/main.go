// Colly is a crawler on Colly that follows every link from the URL in the environment
// variable START. Without an argument it sets nothing; with "polite" it sets what Colly
// documents for politeness.
package main

import (
	"fmt"
	"os"
	"time"

	"github.com/gocolly/colly/v2"
)

func main() {
	c := colly.NewCollector()
	if len(os.Args) > 1 && os.Args[1] == "polite" {
		if err := bePolite(c); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
	}
	c.OnHTML("a[href]", func(e *colly.HTMLElement) {
		_ = e.Request.Visit(e.Attr("href")) // what Colly refuses it has refused
	})
	if err := c.Visit(os.Getenv("START")); err != nil {
		fmt.Fprintln(os.Stderr, err)
	}
}

func bePolite(c *colly.Collector) error {
	c.IgnoreRobotsTxt = false
	c.MaxDepth = 5
	c.UserAgent = "TrialBot/1.0 (+https://example.org/robot)"
	return c.Limit(&colly.LimitRule{DomainGlob: "*", Parallelism: 1, Delay: 2 * time.Second})
}
