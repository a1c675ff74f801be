package lint

import (
	"testing"

	"github.com/robotsexclusion/robots"
	"github.com/robotsexclusion/robots/internal/language"
)

// TestLanguage checks that messages have the language of the options, also in the form of an
// environment variable.
func TestLanguage(t *testing.T) {
	for _, tt := range []struct {
		locale string
		want   language.Language
	}{
		{"", language.English}, {"C", language.English}, {"POSIX", language.English}, {"en_US.UTF-8", language.English},
		{"es", language.Spanish}, {"es_MX.UTF-8", language.Spanish}, {"ko-KR", language.Korean},
		{"ru_RU@euro", language.Russian}, {"RU", language.Russian}, {"de:ko:en", language.Korean},
		{"de_DE.UTF-8", language.English}, {"est", language.English},
	} {
		r := Run(robots.Parse([]byte("Disallow: /\n")), Options{Language: tt.locale})
		if got, want := r.Diagnostics[0].Message, textIn(tt.want, textStrayRule); got != want {
			t.Errorf("%q: %q, want %q", tt.locale, got, want)
		}
	}
}
