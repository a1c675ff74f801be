// Package reading has the one list of the ways in which web servers read the target of a request,
// that is, find the file that they serve for it. The guard, the expressions of package export and
// its Lua file are made from this list, so that a target that passes none of them passes no other.
//
// In all readings the escapes of a path are decoded once, the query stays as it is, and a target in
// absolute form counts from its path on. Some readings of other servers are not in the list: that
// case does not matter, that a "\" is a "/", and that ";" ends a segment. They are the reading of
// few servers, and a robots.txt may distinguish such paths.
package reading

// A Reading is one way to read the path of a target.
type Reading struct {
	Slashes bool // "%2F" separates segments, as "/" does
	Merged  bool // several slashes are one; otherwise there are empty segments between them
	Late    bool // slashes are merged after segments of dots are removed, as by a file system
	Bare    bool // a last segment of dots, or after "%2F" a last empty one, leaves no slash
	Twice   bool // segments of dots are removed before "%2F" is decoded, and once more after it
}

// All lists the readings. Those with Slashes come last: to a path without "%2F" they are as the
// ones before.
var All = []Reading{
	{},
	{Merged: true},             // nginx, Caddy and most others, where the path has no "%2F"
	{Merged: true, Late: true}, // nginx with merge_slashes off
	{Merged: true, Bare: true}, // file servers of Caddy and Python
	{Slashes: true},
	{Slashes: true, Merged: true}, // the same servers, and Python's
	{Slashes: true, Merged: true, Late: true},
	{Slashes: true, Merged: true, Bare: true},
	{Slashes: true, Twice: true},
	{Slashes: true, Merged: true, Late: true, Twice: true},
	{Slashes: true, Merged: true, Twice: true}, // Apache httpd with AllowEncodedSlashes On
}

// The spellings of parts of a target, as expressions of PCRE and RE2.
const (
	Slash = `(?:/|%2[Ff])`  // a slash in some reading
	Dot   = `(?:\.|%2[Ee])` // a dot

	// Authority is what stands before the path of a target in absolute form, with any scheme. Some
	// servers take "foo:/x" for such a target.
	Authority = `[A-Za-z][A-Za-z0-9+.\x2d]*:(?://[^/?# ]*)?`
)
