package index_test

import (
	"context"
	"slices"
	"testing"

	"github.com/robotsexclusion/robots/crawler/internal/index"
	"github.com/robotsexclusion/robots/internal/test/fatal"
)

// sentences are pages in the languages of this project's founding documents: their
// contents in our own words.
var sentences = map[string]string{
	"https://example.com/en": "Crawlers are robots too. A robot's visits should not be rapid, and the server's administrator decides what crawlers may fetch.",
	"https://example.com/es": "Los robots visitan servidores y los rastreadores leen el archivo de la raíz. Un buen robot respeta las políticas; cada rastreador debería hacerlo también.",
	"https://example.com/ru": "Роботы посещают сайты. Для каждого робота в файле есть запись, а у поисковых роботов свои правила. Учёт ведёт сервер.",
	"https://example.com/ko": "로봇이 웹 서버를 방문한다. 관리자는 파일로 로봇을 막을 수 있고, 검색로봇들에게 규칙을 알린다. 웹을 돌아다니는 프로그램은 마을에서 온 손님과 같다.",
	"https://example.com/fr": "Les robots visitent le serveur à l'été.",
}

// TestLanguages searches for words in other forms than the pages have.
func TestLanguages(t *testing.T) {
	x := newIndex(t)
	for url, text := range sentences {
		p := &index.Page{URL: url, Passages: []index.Passage{{Text: text}}}
		if url == "https://example.com/fr" {
			p.Language = "fr"
		}
		put(t, x, p)
	}
	synced(t, x)
	const en, es, ru, ko, fr = "https://example.com/en", "https://example.com/es", "https://example.com/ru",
		"https://example.com/ko", "https://example.com/fr"
	for _, test := range []struct {
		query string
		want  []string
	}{
		{"robots", []string{en, es, fr}},
		{"robot", []string{en, es}}, // the French page is not stemmed
		{"ROBOTS lang:es", []string{es}},
		{"crawler", []string{en}},
		{"visiting", []string{en}},
		{"administrators", []string{en}},
		{"rastreador", []string{es}},
		{"rastreadores", []string{es}},
		{"Rastreadores raiz", []string{es}},
		{"políticas", []string{es}},
		{"politica", []string{es}},
		{"servidor tambien", []string{es}},
		{`"buen robot"`, []string{es}},
		{"робот", []string{ru}},
		{"роботы", []string{ru}},
		{"робота", []string{ru}},
		{"РОБОТОВ", []string{ru}},
		{"роботами поисковый", []string{ru}},
		{"учёт", []string{ru}},
		{"учет ведет", []string{ru}},
		{"ро\u0301бот", []string{ru}},
		{`"поисковых роботов"`, []string{ru}},
		{"로봇", []string{ko}},
		{"로봇이", []string{ko}},
		{"로봇을", []string{ko}},
		{"로봇은", []string{ko}}, // this form is not on the page
		{"로봇들에게서", []string{ko}},
		{"검색", []string{ko}}, // the start of a compound
		{"서버", []string{ko}},
		{"방문", []string{ko}},
		{"방문하는", []string{ko}},
		{"방문합니다", []string{ko}},
		{"로봇이다", []string{ko}},
		{"웹", []string{ko}},
		{"웹에서", []string{ko}},
		{"마을", []string{ko}},
		{"관리자가", []string{ko}},
		{`"웹 서버"`, []string{ko}},
		{`"서버 웹"`, nil},
		{"\u1105\u1169\u1107\u1169\u11BA", []string{ko}}, // as separate letters
		{"été", []string{fr}},
		{"ete", []string{fr}},
		{"l’été", []string{fr}},
		{"robot's", []string{en, es}},
		{"robots -lang:es -lang:fr", []string{en}},
	} {
		if got := urls(search(t, x, test.query)); !slices.Equal(got, slices.Sorted(slices.Values(test.want))) {
			t.Errorf("%s: got %v, want %v", test.query, got, test.want)
		}
	}
}

// TestDetection declares languages correctly, wrongly and not at all.
func TestDetection(t *testing.T) {
	x := newIndex(t)
	for _, test := range []struct{ declared, text, want string }{
		{"", sentences["https://example.com/en"], "en"},
		{"", sentences["https://example.com/es"], "es"},
		{"", sentences["https://example.com/ko"], "ko"},
		{"", sentences["https://example.com/ru"], "ru"},
		{"en", sentences["https://example.com/ko"], "ko"}, // like many sites
		{"en-US", sentences["https://example.com/ru"], "ru"},
		{"uk", sentences["https://example.com/ru"], "uk"}, // other languages have these letters too
		{"es-MX", sentences["https://example.com/en"], "es"},
		{"pt_BR", "um robô", "pt"},
		{"", "User-agent: * Disallow: / 로봇은 모든 페이지를 방문하면 안 된다", "ko"},
		{"", "", "en"},
		{"no such language", "", "en"},
		{"ko", "robots", "ko"}, // too little text for another result
	} {
		put(t, x, &index.Page{URL: "https://example.com/", Language: test.declared, Title: "Unique",
			Passages: []index.Passage{{Text: test.text}}})
		synced(t, x)
		r, err := x.Search(context.Background(), index.Query{Text: "site:example.com"})
		fatal.If(t, err)
		if got := r.Hits[0].Language; got != test.want {
			t.Errorf("%q declared for %.40q: got %s, want %s", test.declared, test.text, got, test.want)
		}
	}
}
