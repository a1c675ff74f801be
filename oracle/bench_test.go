// Package oracle_test puts this library and others side by side.
package oracle_test

import (
	"testing"

	"github.com/jimsmart/grobotstxt"
	"github.com/temoto/robotstxt"

	"github.com/robotsexclusion/robots"
	"github.com/robotsexclusion/robots/internal/test/corpus"
)

// BenchmarkCorpus reads each file of the corpus and asks about one URL, with
// each library. What it reports beside the costs are, of one pass over the
// corpus, the files, those for which the library gave an error, and those that
// disallow the URL.
func BenchmarkCorpus(b *testing.B) {
	const agent, url = "FooBot", "/some/path/page.html?x=1"
	files := corpus.Files(b, "protego-sites")
	size := 0
	for _, f := range files {
		size += len(f.Data)
	}
	run := func(name string, allowed func(file []byte) (bool, error)) {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(size))
			b.ReportAllocs()
			refused, disallowed := 0, 0
			for b.Loop() {
				refused, disallowed = 0, 0
				for _, f := range files {
					if ok, err := allowed(f.Data); err != nil {
						refused++
					} else if !ok {
						disallowed++
					}
				}
			}
			b.ReportMetric(float64(len(files)), "files")
			b.ReportMetric(float64(refused), "refused")
			b.ReportMetric(float64(disallowed), "disallowed")
		})
	}
	run("robots", func(file []byte) (bool, error) {
		return robots.Parse(file).For(agent).Match(url).Allowed, nil
	})
	run("temoto", func(file []byte) (bool, error) {
		data, err := robotstxt.FromBytes(file)
		if err != nil {
			return false, err
		}
		return data.FindGroup(agent).Test(url), nil
	})
	// A robot has the file as bytes, which grobotstxt wants as a string; the
	// copy is a part of its cost, though a small one.
	run("grobotstxt", func(file []byte) (bool, error) {
		return grobotstxt.AgentAllowed(string(file), agent, url), nil
	})
}
