package main

import (
	"encoding/xml"
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/robotsexclusion/robots/internal/test/fatal"
)

// editedText is the file in the picture of an editor. A reader of the picture finds its mistakes at
// once, and its first line has characters that SVG would read as markup.
const editedText = `# Shop & Café <https://shop.example.com/>
User-agent: *
Disalow: /search
Disallow: /cart/
Allow: /cart/help
Disallow: /cart/old/
Disallow: /*?sort=
Crawl-delay: ten

User-agent: GPTBot
User-agent: ClaudeBot
Disallow: account/
Sitemap: /sitemap.xml
`

// An edited is a file with the answers of the language server that an editor shows.
type edited struct {
	lines    []string
	legend   []string        // the types of tokens
	tokens   []uint32        // as the protocol has them
	lenses   map[int]string  // titles, by line
	findings []editorFinding // diagnostics
	under    int             // the line under the pointer
	hover    string          // Markdown
	fix      string          // the title of the preferred fix
}

// An editorFinding is a diagnostic.
type editorFinding struct {
	Range struct {
		Start, End struct{ Line, Character int }
	}
	Severity      int
	Code, Message string
}

// TestLSPPicture compares doc/editor.svg with what "robots lsp" answers to an editor. With -update
// it draws the picture anew.
func TestLSPPicture(t *testing.T) {
	got := drawEditor(askForPicture(t, editedText, 2))
	const name = "../../doc/editor.svg"
	want, err := os.ReadFile(name)
	if err == nil && string(want) == got {
		return
	}
	if !*update {
		t.Fatalf("%s is not what the server answers now: run the test with -update, and look at the picture (%v)", name,
			err)
	}
	fatal.If(t, os.WriteFile(name, []byte(got), 0o644))
}

// askForPicture opens a text in the language server, and asks what an editor asks. Columns count
// characters.
func askForPicture(t *testing.T, text string, under int) *edited {
	t.Helper()
	e := &edited{lines: strings.Split(strings.TrimSuffix(text, "\n"), "\n"), lenses: map[int]string{}, under: under}
	c := startLSP(t)
	var started struct {
		Capabilities struct {
			PositionEncoding       string
			SemanticTokensProvider struct{ Legend struct{ TokenTypes []string } }
		}
	}
	c.call("initialize", map[string]any{"processId": nil, "rootUri": nil, "capabilities": map[string]any{
		"general": map[string]any{"positionEncodings": []string{"utf-32"}},
		"textDocument": map[string]any{
			"codeAction": map[string]any{"codeActionLiteralSupport": map[string]any{"codeActionKind": map[string]any{"valueSet": []string{"quickfix"}}}},
			"hover":      map[string]any{"contentFormat": []string{"markdown"}},
			"semanticTokens": map[string]any{"requests": map[string]any{"full": true}, "formats": []string{"relative"},
				"tokenTypes": []string{}, "tokenModifiers": []string{}}}}}, &started)
	if started.Capabilities.PositionEncoding != "utf-32" {
		t.Fatalf("the server counts in %q", started.Capabilities.PositionEncoding)
	}
	c.notify("initialized", struct{}{})
	c.openFile(lspFile, 1, text)
	var published struct{ Diagnostics []editorFinding }
	c.notified("textDocument/publishDiagnostics", &published)
	e.findings, e.legend = published.Diagnostics, started.Capabilities.SemanticTokensProvider.Legend.TokenTypes

	document := map[string]any{"uri": lspFile}
	at := map[string]any{"line": under, "character": 0}
	var tokens struct{ Data []uint32 }
	c.call("textDocument/semanticTokens/full", map[string]any{"textDocument": document}, &tokens)
	e.tokens = tokens.Data
	var lenses []map[string]any
	c.call("textDocument/codeLens", map[string]any{"textDocument": document}, &lenses)
	for _, lens := range lenses {
		var resolved struct {
			Range   struct{ Start struct{ Line int } }
			Command struct{ Title string }
		}
		c.call("codeLens/resolve", lens, &resolved)
		e.lenses[resolved.Range.Start.Line] = resolved.Command.Title
	}
	var hover struct{ Contents struct{ Value string } }
	c.call("textDocument/hover", map[string]any{"textDocument": document, "position": at}, &hover)
	e.hover = hover.Contents.Value
	var actions []struct {
		Title       string
		IsPreferred bool
	}
	c.call("textDocument/codeAction", map[string]any{"textDocument": document, "range": map[string]any{"start": at,
		"end": at},
		"context": map[string]any{"diagnostics": []any{}}}, &actions)
	for _, a := range actions {
		if a.IsPreferred {
			e.fix = a.Title
		}
	}
	return e
}

// The picture has columns of the code from codeLeft on, a box for the pointer, and below a list of
// findings. Each text says how long it is, so that a browser with another font keeps the columns.
// Lengths are in pixels.
const (
	editorWidth  = 900
	codeLeft     = 66.0
	codeColumn   = 8.4 // of a character of 14 pixels
	codeRow      = 21
	smallColumn  = 7.5 // of a character of 12.5 pixels
	smallRow     = 18
	hoverLeft    = 440
	hoverColumns = 56
	listColumns  = 108
)

// editorStyle has a light and a dark theme. The browser takes the one that its user prefers.
const editorStyle = `<style>
svg { --back: #ffffff; --frame: #d0d7de; --text: #24292f; --quiet: #59636e; --box: #f6f8fa; --red: #cf222e; --amber: #9a6700; --blue: #0969da;
--keyword: #0550ae; --type: #953800; --everyone: #8250df; --string: #0a3069; --number: #116329; --operator: #cf222e }
@media (prefers-color-scheme: dark) { svg { --back: #16202e; --frame: #33435a; --text: #d6deeb; --quiet: #93a1b5; --box: #1e2b3d; --red: #ff7b72; --amber: #f2b134; --blue: #79c0ff;
--keyword: #79c0ff; --type: #ffa657; --everyone: #d2a8ff; --string: #a5d6ff; --number: #7ee787; --operator: #ff7b72 } }
text { fill: var(--text); white-space: pre } .small { font-size: 12.5px } .quiet, .comment { fill: var(--quiet) } .b { font-weight: bold }
.keyword { fill: var(--keyword) } .type { fill: var(--type) } .enumMember { fill: var(--everyone) } .string { fill: var(--string) } .number { fill: var(--number) } .operator { fill: var(--operator) }
.s1 { fill: var(--red) } .s2 { fill: var(--amber) } .s3, .s4 { fill: var(--blue) } path { fill: none; stroke-width: 1.4 } .w1 { stroke: var(--red) } .w2 { stroke: var(--amber) } .w3, .w4 { stroke: var(--blue) }
</style>
`

// drawEditor draws an editor as SVG.
func drawEditor(e *edited) string {
	var rows strings.Builder
	place := make([]int, len(e.lines)) // the base line of each line of code
	y := 44
	for i, line := range e.lines {
		if lens := e.lenses[i]; lens != "" {
			y += smallRow
			writeText(&rows, codeLeft, y, smallColumn, []span{{lens, "small quiet"}})
		}
		y += codeRow
		place[i] = y
		number := fmt.Sprintf("%2d", i+1)
		writeText(&rows, 32, y, codeColumn, []span{{number, "quiet"}})
		writeText(&rows, codeLeft, y, codeColumn, e.spans(i, line))
	}
	for _, f := range e.findings {
		start, end := f.Range.Start, f.Range.End
		if start.Line >= len(e.lines) {
			continue
		}
		to := end.Character
		if end.Line > start.Line {
			to = utf8.RuneCountInString(e.lines[start.Line])
		}
		base := place[start.Line]
		fmt.Fprintf(&rows, "<circle cx=\"20\" cy=\"%d\" r=\"4\" class=\"s%d\"/>\n", base-5, f.Severity)
		fmt.Fprintf(&rows, "<path class=\"w%d\" d=\"M%.1f %d%s\"/>\n", f.Severity, codeLeft+
			codeColumn*float64(start.Character), base+5,
			strings.Repeat("q2.1 -4 4.2 0t4.2 0", max(1, to-start.Character)))
	}

	// The list of findings.
	y += codeRow
	fmt.Fprintf(&rows, "<path d=\"M0.5 %d.5H%d.5\" stroke=\"var(--frame)\"/>\n", y-4, editorWidth-1)
	y += smallRow
	writeText(&rows, 20, y, smallColumn, []span{{fmt.Sprintf("Problems  %d", len(e.findings)), "small b"}})
	for _, f := range e.findings {
		lead := fmt.Sprintf("line %d  ", f.Range.Start.Line+1)
		for i, part := range folded(plain(lead+f.Message+" ["+f.Code+"]"), listColumns) {
			y += smallRow
			spans := []span{{part, "small"}}
			if i == 0 {
				fmt.Fprintf(&rows, "<circle cx=\"26\" cy=\"%d\" r=\"4\" class=\"s%d\"/>\n", y-4, f.Severity)
				spans = []span{{lead, "small quiet"}, {strings.TrimPrefix(part, lead), "small"}}
			}
			writeText(&rows, 40, y, smallColumn, spans)
		}
	}
	bottom := y + 22

	// The box of the pointer: the findings at its line, the hover, and the fix.
	var box strings.Builder
	y = place[e.under] + 2
	top := y - codeRow + 4
	write := func(text, class string) {
		for _, part := range folded(text, hoverColumns) {
			y += smallRow
			writeText(&box, hoverLeft+14, y, smallColumn, styled(part, class))
		}
	}
	y -= smallRow
	for _, f := range e.findings {
		if f.Range.Start.Line == e.under {
			write(plain(f.Message), fmt.Sprintf("small s%d", f.Severity))
			y += 8
		}
	}
	for paragraph := range strings.SplitSeq(e.hover, "\n") {
		if paragraph == "" {
			y += 6
			continue
		}
		write(plain(paragraph), "small")
	}
	if e.fix != "" {
		y += 8
		write("Quick fix: "+plain(e.fix), "small s3")
	}
	fmt.Fprintf(&rows,
		"<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" rx=\"6\" fill=\"var(--box)\" stroke=\"var(--frame)\"/>\n%s",
		hoverLeft, top, editorWidth-hoverLeft-16, y+12-top, box.String())

	return fmt.Sprintf(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %[1]d %[2]d" font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', monospace" font-size="14">
%[3]s<rect x="0.5" y="0.5" width="%[4]d" height="%[5]d" rx="10" fill="var(--back)" stroke="var(--frame)"/>
<text class="b" x="20" y="27">robots.txt</text><path d="M0.5 40.5H%[4]d.5" stroke="var(--frame)"/>
%[6]s</svg>
`, editorWidth, bottom, editorStyle, editorWidth-1, bottom-1, rows.String())
}

// A span is a text with the classes of its style.
type span struct{ text, class string }

// spans returns the parts of a line in the colours of their tokens.
func (e *edited) spans(number int, line string) []span {
	runes := []rune(line)
	var spans []span
	add := func(from, to int, class string) {
		from, to = min(from, len(runes)), min(to, len(runes))
		if from < to {
			spans = append(spans, span{plain(string(runes[from:to])), class})
		}
	}
	row, column, done := 0, 0, 0
	for i := 0; i+4 < len(e.tokens); i += 5 {
		down, right, length, kind := int(e.tokens[i]), int(e.tokens[i+1]), int(e.tokens[i+2]), int(e.tokens[i+3])
		if down > 0 {
			row, column = row+down, 0
		}
		column += right
		if row == number {
			add(done, column, "")
			add(column, column+length, e.legend[kind])
			done = column + length
		}
	}
	add(done, len(runes), "")
	return spans
}

// writeText writes spans one after the other, each at its column.
func writeText(b *strings.Builder, x float64, y int, column float64, spans []span) {
	for _, s := range spans {
		n := utf8.RuneCountInString(s.text)
		if strings.TrimSpace(s.text) != "" {
			fmt.Fprintf(b, "<text x=\"%.1f\" y=\"%d\" textLength=\"%.1f\"", x, y, column*float64(n))
			if s.class != "" {
				fmt.Fprintf(b, " class=\"%s\"", s.class)
			}
			fmt.Fprintf(b, ">%s</text>\n", svgText.Replace(s.text))
		}
		x += column * float64(n)
	}
}

// svgText escapes text for SVG, which joins spaces that are not protected.
var svgText = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", " ", "\u00a0")

// plain replaces the characters that XML has not, and those that are not shown as one character: a
// picture has no place for them.
func plain(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsGraphic(r) && !unicode.Is(unicode.Mn, r) || r == ' ' {
			return r
		}
		return '\uFFFD'
	}, s)
}

// folded cuts a text at spaces into parts of at most so many characters; a longer word is cut.
func folded(s string, columns int) []string {
	var parts []string
	for {
		runes := []rune(s)
		if len(runes) <= columns {
			return append(parts, s)
		}
		cut := columns
		for cut > 0 && runes[cut] != ' ' {
			cut--
		}
		if cut == 0 {
			cut = columns
		}
		parts = append(parts, string(runes[:cut]))
		s = strings.TrimPrefix(string(runes[cut:]), " ")
	}
}

var emphasis = regexp.MustCompile("\\*\\*([^*]+)\\*\\*|`([^`]+)`")

// styled returns the parts of a line of Markdown, with bold type and code.
func styled(line, class string) []span {
	var spans []span
	from := 0
	for _, m := range emphasis.FindAllStringSubmatchIndex(line, -1) {
		spans = append(spans, span{line[from:m[0]], class})
		if m[2] >= 0 {
			spans = append(spans, span{line[m[2]:m[3]], class + " b"})
		} else {
			spans = append(spans, span{line[m[4]:m[5]], class + " string"})
		}
		from = m[1]
	}
	return append(spans, span{line[from:], class})
}

// TestLSPPictureHostile draws texts that try to leave the text of the picture, and reads the picture as XML.
func TestLSPPictureHostile(t *testing.T) {
	for _, text := range []string{
		"</text><script>alert(1)</script>: &bogus; ]]> <!--\n",
		"Disallow: /\x00\x1b[31m\x07\ufffe\ufeff\u202e\u0301\n\xff\xfe\"'\n",
		"Disalow" + strings.Repeat("<", 300) + ": /\n",
		"Disalow: /**</text>**`<g>`\n\n\n",
	} {
		picture := drawEditor(askForPicture(t, text, 0))
		d := xml.NewDecoder(strings.NewReader(picture))
		shown := 0
		for {
			token, err := d.Token()
			if token == nil {
				if err.Error() != "EOF" {
					t.Errorf("the picture of %q is not XML: %v", text, err)
				}
				break
			}
			start, ok := token.(xml.StartElement)
			if !ok {
				continue
			}
			switch start.Name.Local {
			case "svg", "style", "rect", "path", "circle":
			case "text":
				shown++
			default:
				t.Errorf("the picture of %q has an element %s", text, start.Name.Local)
			}
		}
		if strings.ContainsAny(picture, "\x00\x07\x1b\u202e\ufffe") || shown < 3 {
			t.Errorf("the picture of %q has characters that are not shown, or %d texts", text, shown)
		}
	}
}
