package house

import (
	"go/ast"
	"go/token"
	"maps"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

// A line of a comment has at most maxComment columns, and a line of code at most maxCode. A tab has
// four.
const (
	maxComment = 100
	maxCode    = 120
)

// maxWide is the maximum number of lines that are wider. It falls: a commit that wraps lines lowers
// it.
const maxWide = 661

// TestWidth counts the lines of Go that are too wide, and reports them by folder with -v. Generated
// files do not count, nor do lines that nothing could make shorter: those of one string literal,
// and those that a URL makes too wide.
func TestWidth(t *testing.T) {
	r := house(t)
	wide := make(map[string][]string) // places, by folder
	lines, sum := 0, 0
	for _, s := range r.goFiles() {
		lines += strings.Count(string(s.text), "\n")
		if ast.IsGenerated(s.tree) {
			continue
		}
		for _, number := range r.wideLines(s) {
			at := token.Position{Filename: s.path, Line: number}
			wide[s.folder()] = append(wide[s.folder()], at.String())
			sum++
		}
	}
	for _, folder := range slices.Sorted(maps.Keys(wide)) {
		t.Logf("%4d in %s, such as %s", len(wide[folder]), folder, wide[folder][0])
	}
	t.Logf("%d of %d lines are too wide, which is %.2f %%", sum, lines, 100*float64(sum)/float64(lines))
	if sum > maxWide {
		t.Errorf("%d lines are too wide, and maxWide is %d: a comment has at most %d columns, code %d; -v names places",
			sum, maxWide, maxComment, maxCode)
	}
}

// wideLines returns the numbers of the lines of a file that are too wide.
func (r *repository) wideLines(s *source) (numbers []int) {
	number := 0
	for line := range strings.Lines(string(s.text)) {
		number++
		if tooWide(line) && tooWide(withoutURL(line)) && !strings.HasPrefix(line, "//go:") {
			numbers = append(numbers, number)
		}
	}
	if len(numbers) == 0 {
		return nil
	}
	literal := r.literalLines(s)
	return slices.DeleteFunc(numbers, func(n int) bool { return literal[n] })
}

// tooWide reports whether a line is too wide.
func tooWide(line string) bool {
	if len(line)+3*strings.Count(line, "\t") <= maxComment {
		return false // as nearly all lines
	}
	line = strings.TrimRight(line, "\n")
	most := maxCode
	if strings.HasPrefix(strings.TrimSpace(line), "//") {
		most = maxComment
	}
	return utf8.RuneCountInString(line)+3*strings.Count(line, "\t") > most
}

// withoutURL returns a line without its last URL.
func withoutURL(line string) string {
	i := strings.LastIndex(line, "://")
	if i < 0 {
		return line
	}
	from := strings.LastIndexAny(line[:i], " \t(\"`<") + 1
	to := i + strings.IndexAny(line[i:]+"\n", " \t)\"`>\n")
	return line[:from] + line[to:]
}

// literalLines returns the numbers of the lines of a file that are a part of a string literal, or
// one whole literal with nothing but punctuation beside it.
func (r *repository) literalLines(s *source) map[int]bool {
	lines := make(map[int]bool)
	ast.Inspect(s.tree, func(n ast.Node) bool {
		lit, ok := n.(*ast.BasicLit)
		if !ok || lit.Kind != token.STRING {
			return true
		}
		file := r.fset.File(lit.Pos())
		from, to := file.Line(lit.Pos()), file.Line(lit.End())
		for number := from + 1; number < to; number++ {
			lines[number] = true
		}
		if from == to {
			start := file.Offset(file.LineStart(from))
			before := string(s.text[start:file.Offset(lit.Pos())])
			after, _, _ := strings.Cut(string(s.text[file.Offset(lit.End()):]), "\n")
			lines[from] = lines[from] || strings.Trim(before+after, " \t+,(){}") == ""
		}
		return true
	})
	return lines
}
