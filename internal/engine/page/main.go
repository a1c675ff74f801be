//go:build wasip1

// Page is the engine of the web page, as WebAssembly.
package main

import (
	"slices"

	"github.com/robotsexclusion/robots/internal/engine"
	"github.com/robotsexclusion/robots/internal/engine/border"
	"github.com/robotsexclusion/robots/internal/engine/questions"
	"github.com/robotsexclusion/robots/internal/pageask"
)

func init() { border.Engine = engine.New(slices.Concat(questions.All(), pageask.Questions())...) }

func main() {}
