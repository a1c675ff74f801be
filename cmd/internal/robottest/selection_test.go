package robottest

import (
	"slices"
	"testing"
)

// TestSelection has the model robot visit webs with the exercises of some duties only: it keeps
// them as on the whole web.
func TestSelection(t *testing.T) {
	tests := []struct {
		names []string
		hosts []string
	}{
		{[]string{"redirect-elsewhere"}, []string{"start", "aside", "elsewhere"}},
		{[]string{"closed-host"}, []string{"start", "closed", "sitemap"}},
		{[]string{"*-nofollow", "name"}, []string{"start", "link-nofollow", "page-nofollow", "header-nofollow"}},
		{[]string{"robots-*", "once", "safe-methods"}, []string{"start", "disallow", "empty", "pause", "side-effects"}},
	}
	for _, test := range tests {
		report, web := testSelection(t, "", false, test.names...)
		var hosts []string
		for _, s := range web.sites {
			hosts = append(hosts, s.exercise.name)
		}
		if !slices.Equal(hosts, test.hosts) {
			t.Errorf("%q: the hosts are %q, want %q", test.names, hosts, test.hosts)
		}
		if !report.Selected || report.Level != None || report.Clean != None {
			t.Errorf("%q: the report claims the levels %s and %s", test.names, report.Level, report.Clean)
		}
		checkFault(t, report, "", "", "", false)
	}
}

// TestExercisesSuffice tests each duty alone: its exercises show it to the model robot.
func TestExercisesSuffice(t *testing.T) {
	for i := range duties {
		d := &duties[i]
		t.Run(d.ID, func(t *testing.T) {
			t.Parallel()
			report, _ := testSelection(t, "", false, d.ID)
			if len(report.Duties) != 1 {
				t.Fatalf("%d duties were tested", len(report.Duties))
			}
			checkFault(t, report, "", "", "", false)
		})
	}
}
