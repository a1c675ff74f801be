//go:build wasip1

// Whole is the engine with all questions, as WebAssembly.
package main

import (
	"github.com/robotsexclusion/robots/internal/engine"
	"github.com/robotsexclusion/robots/internal/engine/border"
	"github.com/robotsexclusion/robots/internal/engine/questions"
)

func init() { border.Engine = engine.New(questions.All()...) }

func main() {}
