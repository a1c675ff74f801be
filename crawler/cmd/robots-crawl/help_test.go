package main

import (
	"testing"

	"github.com/robotsexclusion/robots/internal/test/scripttest"
)

func TestHelp(t *testing.T)    { scripttest.Help(t, newRoot()) }
func TestManuals(t *testing.T) { scripttest.Manuals(t, "robots", newRoot()) }
