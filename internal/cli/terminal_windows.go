package cli

import (
	"os"

	"golang.org/x/sys/windows"
)

// obeysEscapes makes a console obey escape sequences, and reports whether it does. Before Windows
// 10 no console does.
func obeysEscapes(f *os.File) bool {
	console := windows.Handle(f.Fd())
	var mode uint32
	if windows.GetConsoleMode(console, &mode) != nil {
		return false
	}
	const obeys = windows.ENABLE_PROCESSED_OUTPUT | windows.ENABLE_VIRTUAL_TERMINAL_PROCESSING
	return mode&obeys == obeys || windows.SetConsoleMode(console, mode|obeys) == nil
}
