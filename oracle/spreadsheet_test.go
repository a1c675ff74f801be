package oracle_test

import (
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/robotsexclusion/robots/internal/test/fatal"
)

// hostileHeaders are headers of robots that a spreadsheet would run as formulas or divide into
// cells. \x and \" are as nginx writes them.
var hostileHeaders = []string{
	`=cmd|' /C calc'!A0 Bot/1.0`, `=1+1;Bot/1.0`, `+1+1 ExampleBot/1.0`, `-2+3 ExampleBot/1.0`,
	`@SUM(1,2) ExampleBot/1.0`,
	"\t=1+1 ExampleBot/1.0", `\x09=1+1 ExampleBot/1.0`, `\x0D=1+1 ExampleBot/1.0`, `\x0A=1+1 ExampleBot/1.0`,
	"\r=1+1 ExampleBot",
	`ExampleBot/1.0 \"quoted\", with a comma`, `ExampleBot\x0A=HYPERLINK(\"http://192.0.2.1\")`, "Exampl\xffBot/1.0",
	"\xef\xbc\x9d1+1 ExampleBot/1.0",
	`a;=1+1;ExampleBot/1.0`, "\xc2\xa0=1+1 ExampleBot", `'=1+1 ExampleBot`, `1e5Bot`, `2026-03-01Bot`,
	`<b>ExampleBot</b>`,
}

// hostileLog is a log in which robots with hostile headers ask for hostile targets.
func hostileLog() []byte {
	var b bytes.Buffer
	for i, header := range hostileHeaders {
		fmt.Fprintf(&b,
			"192.0.2.%d - - [05/Mar/2026:12:00:00 +0000] \"GET /private/=1+1;=2+2;%d HTTP/1.1\" 200 5 \"-\" \"%s\"\n",
			i+1, i, header)
	}
	return b.Bytes()
}

// LibreOffice opens the CSV of a hostile log: no cell is a formula, and all cells have the texts
// that robots audit wrote, but that LibreOffice writes truth values as TRUE and FALSE.
func TestSpreadsheet(t *testing.T) {
	soffice, err := exec.LookPath("soffice")
	if err != nil {
		t.Skip("LibreOffice is not installed: apt-get install libreoffice-calc-nogui")
	}
	dir := t.TempDir()
	for name, text := range map[string][]byte{"=1+1.log": hostileLog(),
		"robots.txt": []byte("User-agent: *\nDisallow: /private/=1+1;=\nDisallow: /private\n")} {
		fatal.If(t, os.WriteFile(filepath.Join(dir, name), text, 0o666))
	}
	program := filepath.Join(dir, "robots.exe")
	build := exec.Command("go", "build", "-o", program, "./cmd/robots")
	build.Dir = ".."
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("go build: %v\n%s", err, out)
	}
	audit := exec.Command(program, "audit", "--csv", "--robots", "robots.txt", "=1+1.log")
	audit.Dir = dir
	written, err := audit.Output()
	if exit := (*exec.ExitError)(nil); !errors.As(err, &exit) || exit.ExitCode() != 1 {
		t.Fatalf("robots audit: %v, want status 1", err)
	}
	fatal.If(t, os.WriteFile(filepath.Join(dir, "report.csv"), written, 0o666))
	// 44 is the comma, 59 the semicolon, 34 the quote, and 76 UTF-8. A flat OpenDocument file shows
	// formulas.
	for _, filter := range []string{"CSV:44,34,76,1", "CSV:44/59,34,76,1"} {
		for _, form := range []string{"fods", `csv:Text - txt - csv (StarCalc):44,34,76,1,,0,false,true,false`} {
			cmd := exec.Command(soffice, "-env:UserInstallation=file://"+
				filepath.ToSlash(filepath.Join(dir, "profile")), "--headless",
				"--infilter="+filter, "--convert-to", form, "--outdir", filepath.Join(dir, "out"), filepath.Join(dir,
					"report.csv"))
			if out, err := cmd.CombinedOutput(); err != nil {
				t.Fatalf("soffice: %v\n%s", err, out)
			}
		}
		sheet, err := os.ReadFile(filepath.Join(dir, "out", "report.fods"))
		fatal.If(t, err)
		if !bytes.Contains(sheet, []byte("Disallow: /private")) {
			t.Errorf("%s: the sheet has not the report", filter)
		}
		if bytes.Contains(sheet, []byte("table:formula")) {
			t.Errorf("%s: the sheet has a formula", filter)
		}
		if filter == "CSV:44,34,76,1" {
			sameCells(t, written, filepath.Join(dir, "out", "report.csv"))
		}
	}
}

// sameCells compares the cells of a report with those that LibreOffice read and wrote.
func sameCells(t *testing.T, want []byte, name string) {
	t.Helper()
	out, err := os.ReadFile(name)
	fatal.If(t, err)
	read := func(b []byte) [][]string {
		r := csv.NewReader(bytes.NewReader(b))
		r.FieldsPerRecord = -1
		records, err := r.ReadAll()
		fatal.If(t, err)
		return records
	}
	a, b := read(want), read(out)
	if len(a) != len(b) || len(a) < 5 {
		t.Fatalf("%d rows, LibreOffice has %d", len(a), len(b))
	}
	for i := range a {
		for j, cell := range a[i] {
			got := ""
			if j < len(b[i]) {
				got = b[i][j]
			}
			truth := cell == "true" || cell == "false"
			if got != cell && !(truth && strings.EqualFold(got, cell)) {
				t.Errorf("row %d, %s: LibreOffice has %q, want %q", i, a[0][j], got, cell)
			}
		}
	}
}
