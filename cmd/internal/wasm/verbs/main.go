//go:build wasip1

// Verbs are the verbs of the npm package, as WebAssembly.
package main

import (
	"github.com/robotsexclusion/robots/cmd/internal/wasm/border"
	"github.com/robotsexclusion/robots/cmd/internal/wasm/command"
	"github.com/robotsexclusion/robots/cmd/internal/wasm/engine"
)

func init() { border.Engine = engine.New(command.Questions()...) }

func main() {}
