package main

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/robotsexclusion/robots/internal/test/scripttest"
)

func TestHelp(t *testing.T) { scripttest.Help(t, newRoot()) }

func TestManuals(t *testing.T) {
	dir := scripttest.Manuals(t, "robots", newRoot())
	text, err := os.ReadFile(filepath.Join(dir, "robots-match.1"))
	if err != nil || !bytes.Contains(text, []byte("\n.SH SYNOPSIS\n.nf\n.B robots match [flags]")) {
		t.Errorf("the page of match has no synopsis, %v", err)
	}
}
