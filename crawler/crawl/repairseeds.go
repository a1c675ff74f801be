package crawl

import (
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"strings"

	"github.com/robotsexclusion/robots/crawler/internal/store"
	"github.com/robotsexclusion/robots/crawler/result"
)

// A seedsRepair repairs the file of seeds from the results and the store: a URL there that no page
// led to is a seed. It runs after the repair of the results. The lines of the damaged file that
// neither of them confirms are reported as lost.
type seedsRepair struct {
	c *run
	*repairReport
	archive *archiveReader

	unbegun bool // the crawl has no seed, and nothing was visited
}

// check compares the file of seeds with its mark.
func (r *seedsRepair) check() error {
	m, ok := r.c.marker.marks.files[markSeeds]
	if !ok {
		if _, err := os.Stat(r.c.seedsName()); !errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		name, _ := r.c.resultsName()
		info, err := os.Stat(name)
		empty := err != nil || info.Size() == 0
		if r.unbegun = empty && len(r.archive.places) == 0 &&
			(r.c.shard.store == nil || r.c.shard.store.Counts().Seen == 0); !r.unbegun {
			r.found("seeds.txt", "was removed", nil)
		}
		return nil
	}
	what, err := m.compareAll(r.c.seedsName())
	if err != nil {
		what = errText(err)
	}
	if what != "" {
		r.found("seeds.txt", what, err)
	}
	return nil
}

// mend rewrites a damaged file. It drops the lines that neither the results nor the store confirm,
// because these lines may have been altered.
func (r *seedsRepair) mend() error {
	if !r.isDamaged("seeds.txt") {
		return nil
	}
	urls, err := r.confirmed()
	if err != nil {
		return err
	}
	if len(urls) == 0 {
		return errors.New("seeds.txt cannot be made again, as nothing else in the folder names a URL that the crawl started from: write it, a URL a line")
	}
	dropped := 0
	if text, err := os.ReadFile(r.c.seedsName()); err == nil {
		confirmed := make(map[string]bool)
		for _, url := range urls {
			confirmed[url] = true
		}
		for line := range strings.Lines(string(text)) {
			if !confirmed[strings.TrimSpace(line)] {
				dropped++
			}
		}
	}
	if err := r.aside("seeds.txt"); err != nil {
		return err
	}
	if err := os.WriteFile(r.c.seedsName(), []byte(strings.Join(urls, "\n")+"\n"), 0o666); err != nil {
		return err
	}
	r.restored("seeds.txt: made again, with %s", plural(len(urls), "URL", "URLs"))
	if dropped > 0 {
		r.lost("seeds.txt: %s that nothing else in the folder confirms", plural(dropped, "line", "lines"))
	}
	return r.c.shard.store.SetMarks(map[string][]byte{markSeeds: nil})
}

// confirmed returns the seeds that the results and the store have.
func (r *seedsRepair) confirmed() (urls []string, err error) {
	seen := make(map[string]bool)
	add := func(url string, depth uint32, via string) {
		if depth == 0 && via == "" && !seen[url] {
			seen[url] = true
			urls = append(urls, url)
		}
	}
	name, _ := r.c.resultsName()
	err = readLines(name, 0, func(_ int64, line []byte) error {
		var one result.Line
		if json.Unmarshal(line, &one) == nil {
			add(one.URL, one.Depth, one.Via)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	err = r.c.shard.store.Records(func(k store.Entry) error {
		add(k.Item.URL, k.Item.Depth, k.Item.Via)
		return nil
	})
	return urls, err
}
