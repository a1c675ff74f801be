package main

import (
	"fmt"

	"github.com/robotsexclusion/robots/agent"
	"github.com/spf13/cobra"
)

// A tableFlag is the value of --robots-table: a file of robots that extend or replace the
// table of this program.
type tableFlag struct{ file string }

func (f *tableFlag) add(cmd *cobra.Command) {
	cmd.Flags().StringVar(&f.file, "robots-table", "",
		"know the robots of the JSON `file` too, or instead of those of this program; "+
			"'robots help agents' shows such a file")
}

// read returns the table, or nil for the table of this program.
func (f *tableFlag) read(cmd *cobra.Command) (*agent.Table, error) {
	if f.file == "" {
		return nil, nil
	}
	data, err := readAtMost(cmd, f.file, agent.MaxTable, "that is not a table of robots")
	if err != nil {
		return nil, err
	}
	table, err := agent.ParseTable(data)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", called(f.file), err)
	}
	return table, nil
}
