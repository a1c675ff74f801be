//go:build wasip1

// Core is the engine that parses, matches and explains, as WebAssembly.
package main

import (
	"github.com/robotsexclusion/robots/cmd/internal/wasm/border"
	"github.com/robotsexclusion/robots/cmd/internal/wasm/engine"
)

func init() { border.Engine = engine.New() }

func main() {}
