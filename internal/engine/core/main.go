//go:build wasip1

// Core is the engine that parses, matches and explains, as WebAssembly.
package main

import (
	"github.com/robotsexclusion/robots/internal/engine"
	"github.com/robotsexclusion/robots/internal/engine/border"
)

func init() { border.Engine = engine.New() }

func main() {}
