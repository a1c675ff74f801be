//go:build wasip1

// Whole is the engine with all questions, as WebAssembly.
package main

import (
	"github.com/robotsexclusion/robots/cmd/internal/wasm/border"
	"github.com/robotsexclusion/robots/cmd/internal/wasm/engine"
	"github.com/robotsexclusion/robots/cmd/internal/wasm/questions"
)

func init() { border.Engine = engine.New(questions.All()...) }

func main() {}
