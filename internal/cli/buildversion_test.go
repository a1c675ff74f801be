package cli

import (
	"runtime/debug"
	"testing"
)

func TestVersion(t *testing.T) {
	info := &debug.BuildInfo{GoVersion: "go1.26.8"}
	if got, want := versionOf(info).String(), "robots (devel), built with go1.26.8"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	info.Main.Version = "v1.2.3"
	info.Settings = []debug.BuildSetting{{Key: "vcs.revision", Value: "abc"}, {Key: "vcs.modified", Value: "true"},
		{Key: "vcs.time", Value: "2026-03-02T23:59:59Z"}}
	if got, want := versionOf(info).String(),
		"robots v1.2.3, revision abc with changes, 2026-03-02, built with go1.26.8"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}
