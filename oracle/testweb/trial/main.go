//go:build linux

// Trial lists robots that can be tried on the web of robots testweb.
//
//	go run ./testweb/trial list
package main

import (
	"flag"
	"fmt"
	"os"
)

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "trial:", err)
		os.Exit(1)
	}
}

func run(args []string) error {
	if len(args) == 0 {
		return fmt.Errorf("say what to do: list")
	}
	var t trial
	flags := flag.NewFlagSet("trial", flag.ExitOnError)
	flags.StringVar(&t.robots, "robots", "", "run the program `file` as robots; by default it is built")
	flags.StringVar(&t.modules, "modules", "", "npm's packages are in `folder`, a node_modules")
	if err := flags.Parse(args[1:]); err != nil {
		return err
	}
	switch args[0] {
	case "list":
		return t.list(os.Stdout)
	}
	return fmt.Errorf("%q is not list", args[0])
}
