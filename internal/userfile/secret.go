package userfile

import (
	"fmt"
	"os"
	"runtime"
)

// Exposed returns what to say if everybody on this machine can read or change a file with secrets,
// such as "tokens", or an empty text. The file of a service often belongs to another user, and its
// group may read it, so it is reported only, and not refused as a private key of the user is.
func Exposed(name, secrets string) string {
	info, err := os.Stat(name)
	if err != nil || !info.Mode().IsRegular() || info.Mode().Perm()&0o007 == 0 || runtime.GOOS == "windows" {
		return ""
	}
	return fmt.Sprintf("everybody on this machine may read or change the %s in %s (its mode is %04o): "+
		"say chmod 640 %[2]s, and make new ones if others did", secrets, name, info.Mode().Perm())
}
