package crawl_test

import (
	"strings"
	"testing"
	"time"

	"github.com/robotsexclusion/robots/crawler/internal/testweb"
)

// TestPages crawls a web of many pages to its end, with and without an archive: a million pages
// if the whole test is wanted. Memory must not grow after the first part of the crawl.
func TestPages(t *testing.T) {
	if !isWhole() {
		t.Parallel()
	}
	for _, name := range []string{"without", "with"} {
		t.Run(name+" archive", func(t *testing.T) {
			if !isWhole() && name == "without" {
				t.Skip("a small crawl is no smaller")
			}
			few := 3000
			if testing.Short() {
				few = 1000
			}
			pages := ofWhole(t, 1_000_000, few)
			o := testweb.Options{
				Hosts: max(pages/500, 20), Pages: pages, Size: 512, Token: "TestBot",
				Kinds: []string{"ordinary"}, Texts: []string{"none", "empty"},
			}
			web := startWild(t, o)
			ch := newTask(web, t.TempDir())
			ch.Workers, ch.Delay, ch.NoArchive = 64, time.Millisecond, name == "without"
			began := time.Now()
			p := ch.start(t)
			curve := p.watch(t, web, ch.Dir)
			err := p.Wait()
			elapsed := time.Since(began)
			curve.end(t)
			if err != nil || !strings.Contains(p.out.String(), "finished") {
				t.Errorf("%v: %s", err, &p.out)
			}
			t.Logf("%s%d pages in %.1f s, and %.1f s of processors: %.0f pages a second of them",
				&p.out, web.Served(), elapsed.Seconds(), p.cpu().Seconds(), float64(web.Served())/p.cpu().Seconds())
			check := wildCheck
			check.MinDelay = time.Millisecond
			wantPolite(t, web, check)
			if pages < 100_000 {
				return // too few to measure the growth of memory
			}
			const slack = 16 << 20
			early, late := curve.most(0.25, 0.5), curve.most(0.5, 1)
			if t.Logf("at most %d MB in the second quarter, and %d MB in the second half", early>>20,
				late>>20); late > early*115/100+slack {
				t.Error("memory grows")
			}
		})
	}
}
