package main

import (
	"github.com/robotsexclusion/robots/internal/command"
	"github.com/spf13/cobra"
)

// crawler is the program that has the verbs crawl and search.
var crawler = command.Program{Name: "robots-crawl", Package: "github.com/robotsexclusion/robots/cmd/robots-crawl"}

func newCrawl() *cobra.Command {
	return crawler.Verb("crawl", "visit pages and what they link to, politely")
}

func newSearch() *cobra.Command {
	return crawler.Verb("search", "search the pages that were indexed, or index files")
}
