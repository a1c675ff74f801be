package oracle_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/compose-spec/compose-go/v2/cli"

	"github.com/robotsexclusion/robots/internal/test/fatal"
)

// TestCompose reads examples/docker/compose.yaml with the parser of Docker Compose, and checks that
// the parts of the example fit together.
func TestCompose(t *testing.T) {
	root, err := filepath.Abs("..")
	fatal.If(t, err)
	options, err := cli.NewProjectOptions([]string{filepath.Join(root, "examples", "docker", "compose.yaml")},
		cli.WithName("example"))
	fatal.If(t, err)
	project, err := options.LoadProject(t.Context())
	fatal.If(t, err)
	guard, err := project.GetService("guard")
	fatal.If(t, err)
	if guard.Build == nil || guard.Build.Context != root {
		t.Fatalf("the guard is built in %+v, want %s", guard.Build, root)
	}
	dockerfile, err := os.ReadFile(filepath.Join(root, guard.Build.Dockerfile))
	fatal.If(t, err)
	if len(guard.Ports) != 1 || guard.Ports[0].Target != 8080 || !slices.Contains(guard.Command, ":8080") ||
		!strings.Contains(string(dockerfile), "\nEXPOSE 8080\n") {
		t.Errorf("the guard listens with %q, and has ports %+v", guard.Command, guard.Ports)
	}
	site, err := project.GetService("site")
	fatal.If(t, err)
	if _, depends := guard.DependsOn["site"]; !depends || !slices.Contains(guard.Command, "http://site:80") {
		t.Errorf("the guard depends on %v and asks with %q, want site", guard.DependsOn, guard.Command)
	}
	if len(site.Volumes) != 1 || !site.Volumes[0].ReadOnly {
		t.Fatalf("the site has the volumes %+v", site.Volumes)
	}
	if _, err := os.Stat(filepath.Join(site.Volumes[0].Source, "robots.txt")); err != nil {
		t.Error(err)
	}
}
