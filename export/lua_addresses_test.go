package export

import (
	"math/rand/v2"
	"net/netip"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/robotsexclusion/robots"
	"github.com/robotsexclusion/robots/internal/test/fatal"
)

// TestLuaAddresses holds the ranges of the Lua file against netip, with addresses near their ends.
func TestLuaAddresses(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	var ranges []netip.Prefix
	var texts []string
	for range 60 {
		first := make([]byte, []int{4, 16}[random.IntN(2)])
		for i := range first {
			if first[i] = byte(random.IntN(256)); random.IntN(3) == 0 {
				first[i] = 0
			}
		}
		a, _ := netip.AddrFromSlice(first)
		p, err := a.Prefix(1 + random.IntN(a.BitLen()))
		fatal.If(t, err)
		ranges = append(ranges, p)
		for range 8 {
			changed := slices.Clone(first)
			bit := random.IntN(len(changed) * 8)
			changed[bit/8] ^= 1 << (7 - bit%8)
			a, _ := netip.AddrFromSlice(changed)
			texts = append(texts, a.String(), strings.ToUpper(a.StringExpanded()))
		}
	}
	texts = append(texts, "", "unix:", "@", "x", "1.2.3", "1:2:3", "1::2::3", "::", "::1")
	ranges = slices.DeleteFunc(ranges, func(p netip.Prefix) bool { return p.Bits() < 6 })
	plan, err := newPlan("lua", robots.Parse([]byte("User-agent: *\nDisallow: /\n")), Options{PassAddresses: ranges})
	fatal.If(t, err)
	f, err := writeLuaFile(plan)
	fatal.If(t, err)
	dir := t.TempDir()
	file, driver := filepath.Join(dir, f.Name), filepath.Join(dir, "driver.lua")
	fatal.If(t, os.WriteFile(file, f.Data, 0o644))
	fatal.If(t, os.WriteFile(driver, []byte(`local robots = dofile(arg[1])
for address in io.lines() do
  print(robots.refuse("GPTBot/1.0", "/x", "GET", address) and "refused" or "passes")
end`), 0o644))
	eachLua(t, func(t *testing.T, program string) {
		cmd := exec.Command(program, driver, file)
		cmd.Stdin = strings.NewReader(strings.Join(texts, "\n") + "\n")
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("%v: %s", err, out)
		}
		answers, passed := strings.Fields(string(out)), 0
		for i, text := range texts {
			a, err := netip.ParseAddr(text)
			want := err == nil && slices.ContainsFunc(ranges, func(p netip.Prefix) bool { return p.Contains(a) })
			if (answers[i] == "passes") != want {
				t.Errorf("%q %s, want %v", text, answers[i], want)
			}
			if want {
				passed++
			}
		}
		if passed < 100 || passed > len(texts)-100 {
			t.Errorf("%d of %d addresses pass: the test says little", passed, len(texts))
		}
	})
}
