//go:build linux

// Trial points robots at the web of robots testweb, each with its defaults and with its
// polite settings, and writes what they did as a table.
//
//	go run ./testweb/trial list
//	go run ./testweb/trial run -results FOLDER
//	go run ./testweb/trial table -results FOLDER,FOLDER >../doc/testweb-results.md
//
// The robots of robots.go have to be installed; run leaves out those that are not. Each run has
// a network of its own, which consists of loopback only, so the robots reach nothing else.
// This needs Linux, and root or the right to make user namespaces.
package main

import (
	"flag"
	"fmt"
	"os"
	"time"
)

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "trial:", err)
		os.Exit(1)
	}
}

func run(args []string) error {
	if len(args) == 0 {
		return fmt.Errorf("say what to do: list, run or table")
	}
	var t trial
	flags := flag.NewFlagSet("trial", flag.ExitOnError)
	flags.StringVar(&t.results, "results", "results",
		"keep what each run did in `folder`; table reads several, separated by commas")
	flags.StringVar(&t.robots, "robots", "", "run the program `file` as robots; by default it is built")
	flags.StringVar(&t.modules, "modules", "", "npm's packages are in `folder`, a node_modules")
	flags.StringVar(&t.only, "only", "", "run the robots with these `names`, separated by commas")
	flags.StringVar(&t.settings, "settings", "", "run with `defaults` or polite settings only")
	flags.DurationVar(&t.limit, "limit", 10*time.Minute, "end a robot after `time`")
	flags.DurationVar(&t.brief, "brief", time.Minute, "end a robot that does not pause by default after `time`")
	flags.IntVar(&t.parallel, "parallel", 1,
		"run `number` robots at a time: more than one is for robots that mostly wait")
	if err := flags.Parse(args[1:]); err != nil {
		return err
	}
	switch args[0] {
	case "list":
		return t.list(os.Stdout)
	case "run":
		return t.run()
	case "inside":
		return t.inside(flags.Args())
	case "table":
		return t.table(os.Stdout)
	}
	return fmt.Errorf("%q is none of list, run and table", args[0])
}
