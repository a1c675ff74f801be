package oracle_test

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/robotsexclusion/robots"
	"github.com/robotsexclusion/robots/internal/test/corpus"
	"github.com/robotsexclusion/robots/internal/test/fatal"
	"github.com/robotsexclusion/robots/lint"
)

// validSARIF holds files to the schema of SARIF, and returns what is wrong with
// them. The test is skipped where something is not installed.
func validSARIF(t *testing.T, files ...string) string {
	t.Helper()
	node, err := exec.LookPath("node")
	if err != nil {
		t.Skip("node is not installed")
	}
	if _, err := os.Stat(filepath.Join("npm", "node_modules", "@microsoft", "jest-sarif")); errors.Is(err,
		fs.ErrNotExist) {
		t.Skip(`the schema of SARIF is not installed: run "npm ci" in oracle/npm`)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Minute)
	defer cancel()
	out, err := exec.CommandContext(ctx, node, append([]string{filepath.Join("npm", "sarif.mjs")},
		files...)...).CombinedOutput()
	if exit := (*exec.ExitError)(nil); err != nil && !(errors.As(err, &exit) && exit.ExitCode() == 1 && len(out) > 0) {
		t.Fatalf("node: %v\n%s", err, out)
	}
	return string(out)
}

// writeSARIF writes reports of all checks about texts, and returns the file.
func writeSARIF(t *testing.T, files []corpus.File, language string) string {
	t.Helper()
	o := lint.Options{Profile: lint.Strict, Language: language}
	for _, c := range lint.Checks() {
		o.Enable = append(o.Enable, c.Name)
	}
	var reports []lint.File
	for _, f := range files {
		reports = append(reports, lint.File{Name: f.Name, Report: lint.Run(robots.Parse(f.Data), o)})
	}
	var b bytes.Buffer
	fatal.If(t, (lint.Writer{Format: "sarif"}).Write(&b, reports...))
	name := filepath.Join(t.TempDir(), "robots.sarif")
	fatal.If(t, os.WriteFile(name, b.Bytes(), 0o666))
	return name
}

// TestSARIF holds what lint writes about texts with something for each part of the
// format to the schema of SARIF 2.1.0, in all languages.
func TestSARIF(t *testing.T) {
	texts := []corpus.File{
		{Name: "empty.txt"},
		{Name: "a b/ü%.txt",
			Data: []byte("Disallow: /x\nUser-agent: *\nDissallow: /é\x1b[2J\nDisallow: /\xff\x00\nSitemap: /s\nSitemap: /s\n")},
		{Name: "/absolute/robots.txt", Data: []byte(strings.Repeat("Disallow: x\n", 200))},
		{Name: `c:\windows\robots.txt`, Data: []byte("\xff\xfeU\x00s\x00")},
		{Name: "https://example.com/robots.txt", Data: []byte("<!doctype html>")},
	}
	var files []string
	for _, language := range []string{"en", "es", "ko", "ru"} {
		files = append(files, writeSARIF(t, texts, language))
	}
	if wrong := validSARIF(t, files...); wrong != "" {
		t.Error(wrong)
	}
}

// TestSARIFWrong holds the schema to finding what is wrong.
func TestSARIFWrong(t *testing.T) {
	data, err := os.ReadFile(writeSARIF(t, []corpus.File{{Name: "robots.txt", Data: []byte("Disallow: /x\n")}}, ""))
	fatal.If(t, err)
	for _, change := range []struct{ old, new string }{
		{`"level": "error"`, `"level": "grave"`},
		{`"startLine": 1`, `"startLine": 0`},
		{`"ruleId"`, `"rule"`},
	} {
		if !bytes.Contains(data, []byte(change.old)) {
			t.Errorf("%s is not in the document", change.old)
		}
		name := filepath.Join(t.TempDir(), "wrong.sarif")
		fatal.If(t, os.WriteFile(name, bytes.ReplaceAll(data, []byte(change.old), []byte(change.new)),
			0o666))
		if wrong := validSARIF(t, name); wrong == "" {
			t.Errorf("%s is not found to be wrong", change.new)
		}
	}
}

// TestSARIFCorpus holds what lint writes about real files to the schema: one of a
// hundred, or all with ROBOTS_CORPUS_ALL=1.
func TestSARIFCorpus(t *testing.T) {
	all := corpus.Files(t, "*")
	var some []corpus.File
	for i, f := range all {
		if i%100 == 0 || corpus.All() {
			some = append(some, f)
		}
	}
	const together = 500
	var files []string
	for i := 0; i < len(some); i += together {
		files = append(files, writeSARIF(t, some[i:min(i+together, len(some))], ""))
	}
	if wrong := validSARIF(t, files...); wrong != "" {
		t.Error(wrong)
	}
	t.Logf("%d files", len(some))
}
