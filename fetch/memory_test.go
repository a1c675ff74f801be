package fetch_test

import (
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/robotsexclusion/robots/fetch"
	"github.com/robotsexclusion/robots/internal/test/corpus"
	"github.com/robotsexclusion/robots/internal/test/fatal"
)

// slowMemory is the twin of Memory: a list in the order of use.
type slowMemory struct {
	max     int64
	entries []*fetch.Entry
}

func (m *slowMemory) get(origin string) *fetch.Entry {
	for i, e := range m.entries {
		if e.Origin == origin {
			m.entries = append(slices.Delete(m.entries, i, i+1), e)
			return e
		}
	}
	return nil
}

func (m *slowMemory) put(e *fetch.Entry) {
	m.entries = slices.DeleteFunc(m.entries, func(old *fetch.Entry) bool { return old.Origin == e.Origin })
	if e.Cost() > m.max {
		return
	}
	m.entries = append(m.entries, e)
	for m.cost() > m.max {
		m.entries = m.entries[1:]
	}
}

func (m *slowMemory) cost() (sum int64) {
	for _, e := range m.entries {
		sum += e.Cost()
	}
	return sum
}

func TestMemory(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for _, limit := range []int64{1, 2 << 10, 30 << 10, 100 << 10} {
		memory, twin := fetch.Memory{MaxCost: limit}, slowMemory{max: limit}
		for range 5000 {
			origin := fmt.Sprintf("https://%d.example", random.IntN(40))
			if random.IntN(2) == 0 {
				e := entry(origin, strings.Repeat("#\n", random.IntN(4000)), time.Now())
				twin.put(e)
				fatal.If(t, memory.Put(t.Context(), e))
				continue
			}
			got, err := memory.Get(t.Context(), origin)
			if want := twin.get(origin); got != want {
				t.Fatalf("limit %d, %s: got %v, %v, want %v", limit, origin, got, err, want)
			}
			if got == nil && !errors.Is(err, fs.ErrNotExist) {
				t.Fatalf("got %v, want one that wraps fs.ErrNotExist", err)
			}
		}
	}
}

// TestMemoryCost compares the stated cost with the real memory of entries, with all indexes of
// their policies: for usual texts, and for a text with as many agents and rules as possible.
func TestMemoryCost(t *testing.T) {
	corpus.Unraced(t)
	const limit = 4 << 20
	for _, test := range []struct {
		line  string
		size  int
		taken int64 // maximum
	}{
		{"Disallow: /private/x/y/\n", 100, limit},
		{"Disallow: /private/x/y/\n", 2000, limit},
		{"Disallow: /private/x/y/\n", 100_000, limit},
		{"User-agent:a\nAllow:/\n", 100_000, 3 * limit},
	} {
		memory := fetch.Memory{MaxCost: limit}
		var before, after runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&before)
		for i := 0; i*test.size < 2*limit; i++ {
			text := fmt.Sprintf("User-agent: *\nDisallow: /%d/\n", i) + strings.Repeat(test.line,
				test.size/len(test.line))
			e := entry(fmt.Sprintf("https://%d.example", i), text, time.Now())
			for range 20 {
				e.File.Policy.For("a")
				e.File.Policy.For("b")
			}
			fatal.If(t, memory.Put(t.Context(), e))
		}
		runtime.GC()
		runtime.ReadMemStats(&after)
		taken := int64(after.HeapAlloc) - int64(before.HeapAlloc)
		if t.Logf("texts of %d octets: %d octets taken", test.size, taken); taken > test.taken {
			t.Errorf("texts of %d octets, lines %q: %d octets taken, want %d at most", test.size, test.line, taken,
				test.taken)
		}
		runtime.KeepAlive(&memory)
	}
}

// The cache behind is asked for missing entries, and for entries that may be newer there.
func TestMemoryBehind(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		behind := new(fetch.Memory)
		memory := &fetch.Memory{Behind: behind}
		if _, err := memory.Get(t.Context(), site); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("got %v, want one that wraps fs.ErrNotExist", err)
		}
		first := entry(site, "# 1\n", time.Now())
		behind.Put(t.Context(), first)
		got, err := memory.Get(t.Context(), site)
		if got != first || err != nil {
			t.Errorf("got %v, %v, want what is behind", got, err)
		}
		step(time.Minute)
		second := entry(site, "# 2\n", time.Now())
		behind.Put(t.Context(), second)
		if got, _ := memory.Get(t.Context(), site); got != first {
			t.Error("what is fresh was looked for behind")
		}
		step(time.Hour - time.Minute)
		if got, _ := memory.Get(t.Context(), site); got != second {
			t.Error("what is not fresh was not looked for behind")
		}
		third := entry(site, "# 3\n", time.Now())
		memory.Put(t.Context(), third)
		if got, _ := behind.Get(t.Context(), site); got != third {
			t.Error("what was put is not behind")
		}
		// The cache behind may fail.
		memory = &fetch.Memory{Behind: fetch.Dir("")}
		if err := memory.Put(t.Context(), third); err == nil {
			t.Error("no error from behind")
		}
		step(2 * time.Hour)
		if got, err := memory.Get(t.Context(), site); got != third || err != nil {
			t.Errorf("got %v, %v, want what is here", got, err)
		}
	})
}
