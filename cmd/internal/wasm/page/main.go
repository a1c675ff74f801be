//go:build wasip1

// Page is the engine of the web page, as WebAssembly.
package main

import (
	"slices"

	"github.com/robotsexclusion/robots/cmd/internal/wasm/border"
	"github.com/robotsexclusion/robots/cmd/internal/wasm/engine"
	"github.com/robotsexclusion/robots/cmd/internal/wasm/pageask"
	"github.com/robotsexclusion/robots/cmd/internal/wasm/questions"
)

func init() { border.Engine = engine.New(slices.Concat(questions.All(), pageask.Questions())...) }

func main() {}
