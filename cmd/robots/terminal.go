package main

import (
	"github.com/robotsexclusion/robots/internal/language"
	"github.com/robotsexclusion/robots/internal/printable"
)

// shown returns s in a form safe for a terminal. An empty string becomes two quotes, to be
// visible.
func shown(s string) string { return printable.Shown(s) }

// count returns a number with the name of the things counted.
func count(n int, thing string) string { return language.Count(n, thing) }
