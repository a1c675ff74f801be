// Package gitfile reads the versions of one file from the history of a git repository, with the
// git program.
//
// The repository may be hostile: its configuration, hooks and objects make no other program run,
// nothing is fetched, and no file is written. Git itself refuses a repository of another user,
// unless the user's own configuration names it in safe.directory.
package gitfile

// A Kind says what a commit has at the path of the file.
type Kind uint8

// The kinds.
const (
	Absent Kind = iota // nothing
	File               // a file
	Other              // a symbolic link, a folder, or a submodule
)
