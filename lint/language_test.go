package lint

import (
	"testing"
)

func TestParseLanguage(t *testing.T) {
	for _, tt := range []struct {
		locale string
		want   Language
	}{
		{"", English}, {"C", English}, {"POSIX", English}, {"en_US.UTF-8", English}, {"es", Spanish},
		{"es_MX.UTF-8", Spanish}, {"ko-KR", Korean}, {"ru_RU@euro", Russian}, {"RU", Russian},
		{"de:ko:en", Korean}, {"de_DE.UTF-8", English}, {"est", English},
	} {
		if got := ParseLanguage(tt.locale); got != tt.want {
			t.Errorf("ParseLanguage(%q) = %v, want %v", tt.locale, got, tt.want)
		}
	}
}
