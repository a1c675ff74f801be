package survey

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/robotsexclusion/robots/fetch"
	"github.com/robotsexclusion/robots/internal/userfile"
)

// A Folder is a folder in which the texts of robots.txt are saved, a file for each origin, such as
// example.com.robots.txt.
type Folder string

// Make creates the folder.
func (f Folder) Make() error {
	if err := os.MkdirAll(string(f), 0o777); err != nil {
		return fmt.Errorf("cannot save in %s: %w", string(f), userfile.Cause(err))
	}
	return nil
}

// SaveResult saves the text of a result, if the origin has a text.
func (f Folder) SaveResult(r *fetch.Result) error {
	if r.State != fetch.OK {
		return nil
	}
	return f.Save(r.Origin, r.Policy.String())
}

// Save saves the text of an origin.
func (f Folder) Save(origin, text string) error {
	name := strings.TrimPrefix(origin, "https://")
	name = strings.ReplaceAll(name, "://", "_") // http
	// ports and addresses: not all systems accept ":" in names
	name = strings.NewReplacer(":", "_", "[", "", "]", "").Replace(name)
	name = filepath.Join(string(f), name+".robots.txt")
	if err := userfile.Put(name, text, 0o644, false); err != nil {
		return fmt.Errorf("cannot save %s: %w", name, userfile.Cause(err))
	}
	return nil
}
