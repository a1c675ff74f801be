package logs

import (
	"bytes"
	"fmt"
	"hash/crc32"
	"io"
	"regexp"
	"testing"

	"github.com/robotsexclusion/robots/internal/test/fatal"
)

// TestNamed checks the logs with a name: their bytes, which must not change, since figures measured
// with them would no longer compare, and what their lines have in common.
func TestNamed(t *testing.T) {
	const lines = 20_000
	line := regexp.MustCompile(`^([0-9.]+) - - \[[^]]+\] "([^"]*)" [0-9]{3} [0-9]+ "[^"]*" "([^"]*)"$`)
	for _, c := range []struct {
		name, sum                       string
		size, agents, addresses, robots int
	}{
		{"few", "1dfdd241", 233, 630, 16896, 4631},
		{"many", "76d58e09", 242, 11849, 19620, 4607},
		{"fresh", "999e9ccd", 242, 20000, 19591, 4553},
		{"wide", "caebfd3b", 233, 630, 19868, 4655},
	} {
		l, err := Named(c.name, lines)
		fatal.If(t, err)
		var b bytes.Buffer
		n, err := l.WriteTo(&b)
		if err != nil || n != int64(b.Len()) {
			t.Fatalf("%s: %d bytes of %d, %v", c.name, n, b.Len(), err)
		}
		size := int(n / lines)
		sum := fmt.Sprintf("%08x", crc32.ChecksumIEEE(b.Bytes()))
		agents, addresses, robots := map[string]bool{}, map[string]bool{}, 0
		for text := range bytes.Lines(b.Bytes()) {
			m := line.FindSubmatch(bytes.TrimSuffix(text, []byte("\n")))
			if m == nil {
				t.Fatalf("%s: %q is not in the combined format", c.name, text)
			}
			addresses[string(m[1])], agents[string(m[3])] = true, true
			if bytes.Contains(m[3], []byte("compatible")) {
				robots++
			}
		}
		if sum != c.sum || size != c.size || len(agents) != c.agents || len(addresses) != c.addresses ||
			robots != c.robots {
			t.Errorf("{%q, %q, %d, %d, %d, %d} is the log, want %+v", c.name, sum, size, len(agents), len(addresses),
				robots, c)
		}
	}
	if _, err := Named("other", 1); err == nil {
		t.Error("a log without a name is described")
	}
}

// TestAgents checks that no two User-Agents of a log are equal.
func TestAgents(t *testing.T) {
	l, err := Named("many", 1)
	fatal.If(t, err)
	seen := map[string]bool{}
	a := l.agents()
	for _, list := range [][][]byte{a.robots, a.browsers} {
		for _, agent := range list {
			seen[string(agent)] = true
		}
	}
	if len(seen) != l.Agents {
		t.Errorf("%d User-Agents are different, want %d", len(seen), l.Agents)
	}
}

// TestAddresses checks that the addresses of a log are as many as it says.
func TestAddresses(t *testing.T) {
	l := Log{Addresses: 1000}
	seen := map[string]bool{}
	for i := range uint64(100_000) {
		seen[string(l.appendAddress(nil, i<<8|1<<40))] = true
	}
	if len(seen) != l.Addresses {
		t.Errorf("%d addresses are different, want %d", len(seen), l.Addresses)
	}
}

func BenchmarkWriteTo(b *testing.B) {
	l, err := Named("few", 100_000)
	fatal.If(b, err)
	for b.Loop() {
		n, err := l.WriteTo(io.Discard)
		fatal.If(b, err)
		b.SetBytes(n)
	}
}
