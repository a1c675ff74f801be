package cli

import (
	"strings"
	"testing"
)

// TestManPage checks that text has no meaning to roff.
func TestManPage(t *testing.T) {
	page := manPage(newTool().Commands()[1], "tool 1.0", "2026-11-24")
	for _, want := range []string{
		".TH \"TOOL\\-VERB\" 1 \"2026-11-24\" \"tool 1.0\" \"User Commands\"\n",
		".SH DESCRIPTION\nVerb does one thing. It \\e takes a file, as in\n.PP\n.RS 2\n.nf\ntool verb \\(aqx\\(aq \\(ti/.y\\(ha\n.fi\n.RE\n",
		".TP\n.B \\-w, \\-\\-wait time\nwait for time (default 1m)\n",
		".SH SEE ALSO\n.BR tool (1)\n",
	} {
		if !strings.Contains(page, want) {
			t.Errorf("%q is not in:\n%s", want, page)
		}
	}
}
