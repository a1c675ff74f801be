package audit

import (
	"fmt"
	"strconv"
	"testing"
	"unsafe"

	"github.com/robotsexclusion/robots/internal/test/corpus"
)

// A cache never gives the facts of another header, and remembers most of the last headers.
func TestHeaderCache(t *testing.T) {
	corpus.Unraced(t)
	var c headerCache
	const most = maxGroups * groupSize
	const headers = most + most/4
	header := func(i int) string { return "header " + strconv.Itoa(i) }
	factsOf := func(i int) headerFacts { return headerFacts{uint64(i), int32(i % 1000)} }
	for i := range headers {
		look(&c, header(i), factsOf(i))
		look(&c, header(i), factsOf(i))
	}
	if len(c.groups) != maxGroups {
		t.Errorf("%d groups", len(c.groups))
	}
	found := 0
	for i := range headers {
		if got, ok := c.find(secretHash([]byte(header(i)))); ok {
			found++
			if got != factsOf(i) {
				t.Fatalf("%s: the facts of another header", header(i))
			}
		}
	}
	if found < most*8/10 {
		t.Errorf("%d headers found", found)
	}
	if _, ok := c.find(secretHash([]byte("another"))); ok {
		t.Error("a header that was never put is found")
	}
}

// look finds the facts of a header, or puts them.
func look(c *headerCache, header string, facts headerFacts) {
	secret := secretHash([]byte(header))
	if _, ok := c.find(secret); !ok {
		c.put(secret, facts)
	}
}

// A cache of headers that never come again stays small, and grows when they do.
func TestNewHeaders(t *testing.T) {
	var c headerCache
	for i := range 20 * minGroups {
		look(&c, fmt.Sprint("new ", i), headerFacts{})
	}
	if len(c.groups) != minGroups {
		t.Errorf("%d groups for headers that never come again", len(c.groups))
	}
	for range 5 {
		for i := range 5 * minGroups {
			look(&c, fmt.Sprint("again ", i), headerFacts{})
		}
	}
	if len(c.groups) == minGroups {
		t.Error("the table did not grow for headers that come again")
	}
}

// A cache keeps nearly all headers of a log with few, and a group is a line of the processor's
// cache.
func TestFewHeaders(t *testing.T) {
	var c headerCache
	for i := range 1000 {
		c.put(secretHash(fmt.Append(nil, i)), headerFacts{robot: int32(i)})
	}
	found := 0
	for i := range 1000 {
		if facts, ok := c.find(secretHash(fmt.Append(nil, i))); ok && facts.robot == int32(i) {
			found++
		}
	}
	if found < 980 {
		t.Errorf("%d headers found", found)
	}
	if size := unsafe.Sizeof(headerGroup{}); size != 64 {
		t.Errorf("a group has %d bytes", size)
	}
}
