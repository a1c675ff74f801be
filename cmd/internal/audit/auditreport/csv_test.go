package auditreport_test

import (
	"bytes"
	"encoding/csv"
	"strings"
	"testing"

	"github.com/robotsexclusion/robots/cmd/internal/audit/auditreport"
	"github.com/robotsexclusion/robots/internal/printable"
	"github.com/robotsexclusion/robots/internal/test/fatal"
)

// readCSV returns the rows of a report as CSV, without the head, by the names of the columns.
func readCSV(t *testing.T, text string) (rows []map[string]string) {
	t.Helper()
	var b bytes.Buffer
	fatal.If(t, auditreport.WriteCSV(&b, report(text)))
	if n := strings.Count(b.String(), "\r\n"); n != 3 || n != strings.Count(b.String(), "\n") {
		t.Errorf("got %d lines that end with CRLF of %d, want 3: %q", n, strings.Count(b.String(), "\n"), b.String())
	}
	records, err := csv.NewReader(&b).ReadAll()
	fatal.If(t, err)
	for _, record := range records[1:] {
		row := make(map[string]string)
		for i, name := range records[0] {
			row[name] = record[i]
		}
		rows = append(rows, row)
	}
	return rows
}

func TestCSV(t *testing.T) {
	rows := readCSV(t, "ExampleBot")
	for name, want := range map[string]string{
		"robot": "ExampleBot", "requests": "1234567", "first": "2026-03-01T00:00:00Z", "verified": "2",
		"forged": "3", "device": "0",
		"asked_seconds": "10", "median_seconds": "2.5", "addresses": "5678", "addresses_estimated": "true",
		"unread_before": "21", "unread_never": "22", "unread_late": "23", "everyone_certain": "2",
		"rule_everyone": "true",
		"line":          "3", "rule": "Disallow: /ExampleBot", "certain": "2", "informed": "1", "grace": "1",
		"log_line": "17",
		"text":     "192.0.2.1 ExampleBot",
	} {
		if got := rows[0][name]; got != want {
			t.Errorf("%s: got %q, want %q", name, got, want)
		}
	}
	if rows[1]["robot"] != "curl" || rows[1]["rule"] != "" || rows[1]["median_seconds"] != "" ||
		rows[1]["addresses_estimated"] != "false" || rows[1]["unread_never"] != "" {
		t.Errorf("got %v, want curl without a rule", rows[1])
	}
}

// TestCSVFormulas checks that no cell runs as a formula, and that none has control characters.
func TestCSVFormulas(t *testing.T) {
	for _, text := range []string{"=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1", "\n=1", " =1", "＝1", "a;=1",
		"\u00a0=1", hostile} {
		for _, row := range readCSV(t, text) {
			for name, cell := range row {
				if !printable.IsText(cell) {
					t.Errorf("%q: %s is not printable: %q", text, name, cell)
				}
				for part := range strings.SplitSeq(cell, ";") {
					if part = strings.TrimLeft(part, " \u00a0"); part != "" && strings.ContainsAny(part[:1], "=+-@") ||
						strings.HasPrefix(part, "＝") {
						t.Errorf("%q: %s is a formula: %q", text, name, cell)
					}
				}
			}
		}
	}
}
