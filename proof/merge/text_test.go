package merge

import (
	"strings"
	"testing"

	"github.com/robotsexclusion/robots"
	"github.com/robotsexclusion/robots/internal/language"
	"github.com/robotsexclusion/robots/internal/test/fatal"
	"github.com/robotsexclusion/robots/proof"
)

// TestBreach has the rare cases in which no file can be built although each fragment and each
// wish is right by itself.
func TestBreach(t *testing.T) {
	closed := robots.Match{Reason: robots.DecidingRule, Rule: robots.Rule{Pattern: "/a\x1b", Line: 2}}
	opened := robots.Match{Reason: robots.DecidingRule, Allowed: true, Rule: robots.Rule{Allow: true, Pattern: "/*b",
		Line: 2}}
	six := []string{"a", "b\x1b", "c", "d", "e", "f"}
	for _, test := range []struct {
		dialect robots.Dialect
		breach  proof.Breach
		noPlace bool
		want    string // in all languages
	}{
		{robots.RFC9309, proof.Breach{Agents: six, Witness: "/ab", Match: opened, Part: 1}, false, `site.txt:7: Allow: /*b opens /ab to a, b\x1b, c, d and 2 more, which a wish is to close: close it there, or make the rule say less
site.txt:7: Allow: /*b abre /ab a a, b\x1b, c, d y 2 más, y una opción pide cerrarlo: hay que cerrarlo en el fragmento o restringir la regla
site.txt:7: Allow: /*b가 a, b\x1b, c, d 외 2개에게 /ab을 허용하지만 옵션에 따라 차단해야 함: 그 조각 파일에서 차단하거나 규칙의 범위를 줄일 것
site.txt:7: Allow: /*b открывает /ab для a, b\x1b, c, d и ещё 2, а одна из опций требует закрыть: закройте этот путь в самом фрагменте или сузьте правило`},
		{robots.Google, proof.Breach{Agents: []string{"GPTBot"}, Witness: "/ab", Match: opened, Part: 0, InPart: closed}, false, `site.txt:7: the file would open /ab to GPTBot, which site.txt:2 closes: Disallow: /a\x1b, as Google's parser reads it: 'robots lint' shows the lines that it reads otherwise
site.txt:7: el archivo abriría /ab a GPTBot, y site.txt:2 lo cierra: Disallow: /a\x1b, según lo lee el analizador de Google: 'robots lint' dice qué líneas lee de otro modo
site.txt:7: 파일이 GPTBot에게 /ab을 허용하게 되지만 site.txt:2에서 차단함: Disallow: /a\x1b (Google 파서 기준): 이 파서가 다르게 읽는 줄은 'robots lint'가 알려 줌
site.txt:7: файл открыл бы /ab для GPTBot, а site.txt:2 закрывает: Disallow: /a\x1b, как это читает парсер Google: 'robots lint' покажет строки, которые он читает иначе`},
		{robots.RFC9309, proof.Breach{Agents: []string{"CCBot"}, Witness: "/ab", Match: robots.Match{Allowed: true, Reason: robots.NoRule}, Part: 1}, true, `the file would open /ab to CCBot, which --block CCBot=/a is to close
el archivo abriría /ab a CCBot, y --block CCBot=/a pide cerrarlo
파일이 CCBot에게 /ab을 허용하게 되지만 --block CCBot=/a에 따라 차단해야 함
файл открыл бы /ab для CCBot, а --block CCBot=/a требует закрыть`},
		{robots.RFC9309, proof.Breach{Agents: []string{"*"}, Witness: "/ab", Match: closed, Part: -1}, false, `site.txt:7: the file would close /ab to *, which none of its parts closes: Disallow: /a\x1b
site.txt:7: el archivo cerraría /ab a *, y ninguna de sus partes lo cierra: Disallow: /a\x1b
site.txt:7: 파일이 *에게 /ab을 차단하게 되지만 이를 차단하는 조각 파일이 없음: Disallow: /a\x1b
site.txt:7: файл закрыл бы /ab для *, хотя ни одна его часть не закрывает: Disallow: /a\x1b`},
	} {
		got := inAll(func(locale string) string {
			j := &joiner{language: language.Parse(locale)}
			j.read(Fragment{Name: "site.txt", Text: []byte("User-agent: *\nDisallow: /a\n")})
			if !test.noPlace {
				j.sources = map[int]place{2: {j.fragments[0], 7}}
			}
			j.breach(test.dialect, test.breach,
				&wishes{blocks: map[string][]Wish{"ccbot": {{Robots: "CCBot", Path: "/a"}}}})
			err := j.failed().(*Error)
			if !strings.HasSuffix(err.Error(), err.Problems[0].Message) {
				t.Errorf("%q does not end with the message %q", err.Error(), err.Problems[0].Message)
			}
			return err.Error()
		})
		if got != test.want {
			t.Errorf("got\n%s\nwant\n%s", got, test.want)
		}
	}
}

func inAll(say func(locale string) string) string {
	var all []string
	for _, locale := range language.Codes() {
		all = append(all, say(locale))
	}
	return strings.Join(all, "\n")
}

// TestMany checks the message for more problems than are listed, and for a large file.
func TestMany(t *testing.T) {
	for locale, want := range map[string]string{"en": "and 2 more", "es_MX.UTF-8": "y 2 más", "ko": "그 밖에 2개",
		"ru": "и ещё 2", "de": "and 2 more"} {
		_, err := Join([]Fragment{{Name: "a", Text: []byte(strings.Repeat("wrong\n", 102))}}, Options{Language: locale})
		lines := strings.Split(err.Error(), "\n")
		if got := lines[len(lines)-1]; got != want {
			t.Errorf("%s: got %q, want %q", locale, got, want)
		}
	}
	notes := func(locale string) string {
		file, err := Join([]Fragment{{Name: "a", Text: []byte("User-agent: *\nDisallow: /" +
			strings.Repeat("x", maxRead))}}, Options{Language: locale})
		fatal.If(t, err)
		return strings.Join(file.Notes, "\n")
	}
	want := `the file has 512102 bytes: robots need not read more than 512000 (RFC 9309, section 2.5)
el archivo tiene 512102 bytes: los robots no están obligados a leer más de 512000 (RFC 9309, sección 2.5)
파일 크기가 512102바이트임: 로봇은 512000바이트까지만 읽어도 됨(RFC 9309, 2.5절)
в файле 512102 байта: роботы не обязаны читать больше 512000 (RFC 9309, раздел 2.5)`
	if got := inAll(notes); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	for _, locale := range []string{"C", ""} {
		if got := notes(locale); got != notes("en") {
			t.Errorf("%q: got %q, want the notes in English", locale, got)
		}
	}
}

// A problem that a caller made keeps its message.
func TestProblemOfOthers(t *testing.T) {
	err := &Error{Problems: []Problem{{Fragment: "a", Line: 1, Message: "own"}}}
	if got := err.Error(); got != "a:1: own" {
		t.Errorf("got %q", got)
	}
}
