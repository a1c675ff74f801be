package columns

import (
	"strings"
	"testing"
)

// Colours and wide cells do not shift the columns of other rows.
func TestTable(t *testing.T) {
	for _, color := range []bool{false, true} {
		var b strings.Builder
		table := &Table{W: &b, Color: color}
		table.Add([]Cell{Green("allowed"), Text("/é"), Text("x")})
		table.Add([]Cell{Red("disallowed"), Text("/abc"), Text("y")}, "  beneath")
		table.Add([]Cell{Text("allowed"), Text(strings.Repeat("w", widest+1)), Text("z")})
		table.Flush()
		want := "allowed     /é    x\n" +
			"disallowed  /abc  y\n" +
			"  beneath\n" +
			"allowed     " + strings.Repeat("w", widest+1) + "  z\n"
		if color {
			want = strings.Replace(want, "allowed", "\x1b[32mallowed\x1b[0m", 1)
			want = strings.Replace(want, "disallowed", "\x1b[31mdisallowed\x1b[0m", 1)
		}
		if got := b.String(); got != want {
			t.Errorf("color=%v\ngot\n%swant\n%s", color, got, want)
		}
	}
}
