package cli

import (
	"runtime/debug"
	"strings"
)

// ReadVersion returns the version of this program. It reports false for a program that was not
// built as a module.
func ReadVersion() (Version, bool) {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return Version{}, false
	}
	return versionOf(info), true
}

// A Version has the build information of a program.
type Version struct {
	Version  string `json:"version"`            // of the module, or "(devel)"
	Revision string `json:"revision,omitempty"` // in the repository
	Time     string `json:"time,omitempty"`     // of the revision, RFC 3339
	Modified bool   `json:"modified,omitempty"` // since the revision
	Go       string `json:"go"`
}

// UserAgent returns the User-Agent header of requests that this program makes for its user, with
// the version if it is known.
func UserAgent() string {
	name := "robots"
	if v, ok := ReadVersion(); ok && strings.HasPrefix(v.Version, "v") {
		name += "/" + v.Version[1:]
	}
	return name + " (+https://github.com/robotsexclusion/robots)"
}

// versionOf returns the version in a build information.
func versionOf(info *debug.BuildInfo) Version {
	v := Version{Version: info.Main.Version, Go: info.GoVersion}
	if v.Version == "" {
		v.Version = "(devel)"
	}
	for _, s := range info.Settings {
		switch s.Key {
		case "vcs.revision":
			v.Revision = s.Value
		case "vcs.time":
			v.Time = s.Value
		case "vcs.modified":
			v.Modified = s.Value == "true"
		}
	}
	return v
}

// String returns the version, the revision and its date (UTC) on one line.
func (v Version) String() string {
	text := "robots " + v.Version
	if v.Revision != "" {
		text += ", revision " + v.Revision
		if v.Modified {
			text += " with changes"
		}
		if date, _, ok := strings.Cut(v.Time, "T"); ok {
			text += ", " + date
		}
	}
	return text + ", built with " + v.Go
}
