package scripttest

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/robotsexclusion/robots/internal/test/nameserver"
	"github.com/rogpeppe/go-internal/testscript"
)

// StartZone starts a name server if a script has a file "zone", and sets DNS to the server's
// address.
func StartZone(env *testscript.Env) error {
	zone, err := os.ReadFile(filepath.Join(env.WorkDir, "zone"))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	server, err := nameserver.New(string(zone))
	if err != nil {
		return err
	}
	env.Defer(server.Close)
	env.Setenv("DNS", server.Address())
	return nil
}
