package trap_test

import (
	"fmt"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/robotsexclusion/robots/crawler/internal/trap"
	"github.com/robotsexclusion/robots/crawler/internal/weburl"
	"github.com/robotsexclusion/robots/internal/test/fatal"
)

// then is the time of all tests.
var then = time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)

// check checks a URL at the time of the tests.
func check(u weburl.URL) trap.Finding { return trap.CheckAt(u, then) }

func parse(tb testing.TB, path string) weburl.URL {
	tb.Helper()
	u, err := weburl.Exact.Parse("https://example.com" + path)
	fatal.If(tb, err)
	return u
}

// TestCheck checks URLs by their path and query. A comment gives the reason of a case if
// it is not plain.
func TestCheck(t *testing.T) {
	for _, c := range []struct {
		path, want string // the finding
	}{
		{"/", "none"},
		{"/a/b/c.html?d=e&f", "none"},
		{"//", "none"},
		{"/?", "none"},

		{"/1/2/3/4/5/6/7/8/9/10/11/12/13/14/15/16/17/18/19/20/", "none"},
		{"/1/2/3/4/5/6/7/8/9/10/11/12/13/14/15/16/17/18/19/20/21", "depth: 21"},

		{"/a/a/b", "none"},
		{"/a/a/a", "repetition: a"},
		{"/x/a/a/a/", "repetition: a"},
		{"/a/b/a/b", "none"},
		{"/a/b/a/b/a/b", "repetition: b"},
		{"/a/b/c/a/b/c/a/b/c", "repetition: c"},
		{"/a////b", "repetition: /"},
		{"/2011/11/11/eleven", "none"},

		{"/a/x/a/y/a", "none"},
		{"/a/x/a/y/a/z/a", "frequency: a"},
		{"/a/b/1/a/b/2/a/b/3", "none"},
		{"/a/b/1/a/b/2/a/b/3/4", "frequency: a"}, // ten segments
		{"/?f=a&f=a&f=a", "none"},
		{"/?f=a&f=b&f=c&f=d", "none"},
		{"/?f=a&g&f=a&f=a&f=a", "frequency: f=a"},
		{"/?&&&&", "none"},

		{"/?1&2&3&4&5&6&7&8&9&10&11&12&13&14&15&16&17&18&19&20", "none"},
		{"/?1&2&3&4&5&6&7&8&9&10&11&12&13&14&15&16&17&18&19&20&21",
			"parameters: 1&2&3&4&5&6&7&8&9&10&11&12&13&14&15&16&17&18&19&20&21"},

		{"/(S(lit3py55t21z5v55vlm25s55))/default.aspx", "session: (S(lit3py55t21z5v55vlm25s55))"},
		{"/(A(abc)S(lit3py55t21z5v55vlm25s55)F(x))/", "session: (A(abc)S(lit3py55t21z5v55vlm25s55)F(x))"},
		{"/(S(short))/", "none"},
		{"/Set_(S(x))", "none"},
		{"/(", "none"},
		{"/()/(()/(S()/(S(x)", "none"},

		{"/events/2026/11", "none"},
		{"/events/2029/12/", "none"},
		{"/events/2030/01/", "calendar: 2030"},
		{"/events/2030/1/31", "calendar: 2030"},
		{"/events/2030/1/32", "none"},
		{"/events/2030/13", "none"},
		{"/events/1969/12/31/", "calendar: 1969"},
		{"/events/1970/01/01/", "none"},
		{"/1945/05/08/peace", "none"}, // an article
		{"/1969", "none"},             // a year alone may be any number
		{"/calendar/2030-01", "calendar: 2030-01"},
		{"/calendar/2030-01-31", "calendar: 2030-01-31"},
		{"/calendar/2030-01-31-party", "none"},
		{"/calendar/0001-01-01", "calendar: 0001-01-01"},
		{"/calendar/9999-12", "calendar: 9999-12"},
		{"/parts/0412-11", "none"},
		{"/parts/4711-12", "none"},
		{"/?date=2030-01-31T10:00", "calendar: date=2030-01-31T10:00"},
		{"/?from=2026-01-31&to=2031-01-31", "calendar: to=2031-01-31"},
		{"/?date=2030-01-31-4711", "none"},
		{"/?year=2030&month=1", "calendar: year=2030"},
		{"/?m=01&y=2030", "calendar: y=2030"},
		{"/?tx_cal%5Byear%5D=1950&tx_cal%5Bmonth%5D=12", "calendar: tx_cal%5Byear%5D=1950"},
		{"/?year=1950", "none"}, // a list of films
		{"/?year=20300&month=1", "none"},
		{"/?month=1", "none"},

		{"/logout", "effect: logout"},
		{"/user/LogOut.php?next=/", "effect: LogOut.php"},
		{"/sign_out/", "effect: sign_out"},
		{"/blog/how-to-logout", "none"},
		{"/wiki/Logout", "none"},
		{"/w/index.php?title=Special:UserLogout", "effect: title=Special:UserLogout"},
		{"/?logout", "effect: logout"},
		{"/?page=logout", "effect: page=logout"},
		{"/?q=logout", "none"}, // a search for the word
		{"/?q=user/logout", "effect: q=user/logout"},
		{"/index.php?option=com_users&task=user.logout", "effect: task=user.logout"},
		{"/shop/?add-to-cart=12", "effect: add-to-cart=12"},
		{"/cart/?remove_item=abc", "effect: remove_item=abc"},
		{"/post/?replytocom=7", "effect: replytocom=7"},
		{"/api/delete", "none"}, // its documentation
		{"/posts/12/delete", "effect: delete"},
		{"/posts/delete/12", "effect: delete"},
		{"/delete.php?post_id=12", "effect: delete.php"},
		{"/delete.php?lang=en", "none"},
		{"/2024/vote", "none"}, // of that year
		{"/comments/0f8fad5b-d9cb-469f-a165-70867728950e/vote", "effect: vote"},
		{"/index.php?title=X&action=edit", "effect: action=edit"},
		{"/index.php?title=X&action=history", "none"},
		{"/wp-login.php?action=lostpassword", "effect: action=lostpassword"},
		{"/forum/newreply.php?do=newreply", "effect: do=newreply"},
		{"/?_method=DELETE", "effect: _method=DELETE"},
		{"/?move=1", "none"},
		{"/cerrar-sesi%C3%B3n", "effect: cerrar-sesi%C3%B3n"},
		{"/cerrar_sesion.php", "effect: cerrar_sesion.php"},
		{"/noticias/12/borrar", "effect: borrar"},
		{"/salir", "none"}, // or a page about going out
		{"/?accion=salir", "none"},
		{"/로그아웃", "effect: %EB%A1%9C%EA%B7%B8%EC%95%84%EC%9B%83"},
		{"/글/12/삭제", "effect: %EC%82%AD%EC%A0%9C"},
		{"/Выйти", "effect: %D0%92%D1%8B%D0%B9%D1%82%D0%B8"},
		{"/товар/добавить_в_корзину",
			"effect: %D0%B4%D0%BE%D0%B1%D0%B0%D0%B2%D0%B8%D1%82%D1%8C_%D0%B2_%D0%BA%D0%BE%D1%80%D0%B7%D0%B8%D0%BD%D1%83"},
		{"/?do=удалить", "effect: do=%D1%83%D0%B4%D0%B0%D0%BB%D0%B8%D1%82%D1%8C"},
		{"/%FF%FE/%E3%81/%E3/%zz", "none"}, // not UTF-8
	} {
		u := parse(t, c.path)
		if got := check(u).String(); got != clipped(c.want) {
			t.Errorf("%s: got %s, want %s", c.path, got, clipped(c.want))
		}
	}
}

// clipped truncates a finding like its String method.
func clipped(s string) string {
	name, part, _ := strings.Cut(s, ": ")
	if len(part) > 100 {
		return name + ": " + part[:100] + "…"
	}
	return s
}

// TestWords checks every word at the places where it counts.
func TestWords(t *testing.T) {
	test := func(want bool, path string) {
		t.Helper()
		if got := check(parse(t, path)).Rule == trap.Effect; got != want {
			t.Errorf("%s is an effect: %v, want %v", path, got, want)
		}
	}
	for _, words := range trap.Doing {
		for _, word := range words {
			escaped := url.PathEscape(word)
			test(true, "/a/"+escaped)
			test(true, "/a/"+strings.ReplaceAll(escaped, "-", "_")+"/b")
			test(true, "/?a="+escaped)
			test(true, "/?"+escaped)
			test(true, "/?action="+escaped)
			test(false, "/a/x"+escaped)
			test(false, "/wiki/"+escaped)
			test(false, "/?s="+escaped)
		}
	}
	for _, words := range trap.Done {
		for _, word := range words {
			escaped := url.PathEscape(word)
			test(false, "/a/"+escaped)
			test(true, "/7/"+escaped)
			test(true, "/"+escaped+"/7")
			test(true, "/"+escaped+"?id=7")
			test(true, "/?action="+escaped)
			test(false, "/?a="+escaped)
		}
	}
	for _, words := range trap.Mild {
		for _, word := range words {
			escaped := url.PathEscape(word)
			test(false, "/a/"+escaped)
			test(true, "/7/"+escaped)
			test(true, "/"+escaped+"/7")
			test(true, "/"+escaped+"?id=7")
			test(true, "/"+escaped+"?post=7")
			test(true, "/?action="+escaped)
			test(false, "/"+escaped+"?x=7")
			test(false, "/?a="+escaped)
		}
	}
	for _, word := range trap.Acts {
		test(true, "/?action="+word)
		test(false, "/7/"+word)
		test(false, "/?a="+word)
	}
	for _, word := range trap.Names {
		test(true, "/?"+word+"=1")
		test(false, "/7/"+word)
	}
}

// TestVotes checks links that vote, like, rate, subscribe, buy and delete, in four
// languages, and pages about these subjects.
func TestVotes(t *testing.T) {
	for path, want := range map[string]bool{
		"/vote?up=1": true, "/vote?item=1": true, "/cgi-bin/vote.pl?candidate=1": true, "/poll/vote?choice=2": true,
		"/votar?x=1": true, "/투표?번호=1": true, "/голосовать?за=1": true, "/vote?lang=en&up=1": true,
		"/poll/7/vote": true,
		"/poll?vote=2": true, "/item/7?vote=up": true, "/story?upvote=1": true, "/story?vote=-1": true, "/글?투표=1": true,
		"/encuesta/votar?opcion=3": true, "/golosovat.php?var=2": true, "/опрос/проголосовать?вариант=1": true,
		"/투표하기?항목=3":     true,
		"/posts/12/like": true, "/like?post=12": true, "/rate?item=1&stars=5": true, "/rate/12": true,
		"/subscribe?list=3":      true,
		"/me-gusta?comentario=4": true, "/추천?글번호=4": true, "/좋아요/12": true, "/подписаться?user=3": true,
		"/нравится?запись=9": true, "/follow?user_id=8": true,
		"/cart?add=12": true, "/carrito?add=12": true, "/cart/add?id=5": true, "/장바구니?add=1": true,
		"/delete?file=a.txt": true, "/remove?x=1": true,
		"/borrar?archivo=1": true, "/삭제하기?번호=1": true, "/удалить?файл=1": true, "/?delete=12": true,

		"/vote": false, "/vote-results": false, "/vote-results?id=7": false, "/voting/how-to": false,
		"/votes?page=2": false, "/vote?lang=en": false, "/vote?page=2&sort=date": false,
		"/vote?utm_source=x": false, "/vote?year=2024": false, "/vote?q=mayor": false, "/2024/11/05/vote": false,
		"/2024/11/vote": false, "/news/the-vote-of-2024": false,
		"/wiki/Vote?oldid=123": false, "/votaciones?id=1": false, "/투표결과?번호=1": false, "/투표": false,
		"/голосование?id=1": false, "/результаты-голосования?id=2": false,
		"/rate?from=usd&to=eur": false, "/exchange/rate?currency=usd": false, "/like?q=music": false,
		"/subscribe": false, "/subscribe?lang=ko": false, "/추천?page=2": false,
		"/follow": false, "/rating/12": false, "/likes/12": false, "/cart": false, "/cart?page=2": false,
		"/how-to-delete?id=1": false, "/?vote=2024": false, "/?vote=results": false,
	} {
		if got := check(parse(t, path)).Rule == trap.Effect; got != want {
			t.Errorf("%s is an effect: %v, want %v", path, got, want)
		}
	}
}

// TestLimits checks URLs at the limits, and the rule for the present time.
func TestLimits(t *testing.T) {
	for path, want := range map[string]trap.Rule{
		"/" + strings.Repeat("x", 255):                    trap.None,
		"/" + strings.Repeat("x", 252) + "%E4%BA%BA":      trap.None,
		"/" + strings.Repeat("x", 256):                    trap.Length,
		"/?" + strings.Repeat("&", 20):                    trap.Parameters,
		"/2029-12":                                        trap.None,
		"/2030-01":                                        trap.Calendar,
		"/" + strings.Repeat("a/b/", 8) + "a?action=edit": trap.Repetition,
	} {
		if got := check(parse(t, path)); got.Rule != want {
			t.Errorf("%s: got %v, want %v", path, got, want)
		}
	}
	if got := trap.Check(parse(t, "/9999-12")); got.Rule != trap.Calendar {
		t.Errorf("at present: got %v", got)
	}
	if got := trap.Check(weburl.URL{}); got.Rule != trap.None {
		t.Errorf("the zero URL: got %v", got)
	}
	if got := trap.Rule(200).String(); got != "unknown" {
		t.Errorf("rule 200 is %s", got)
	}
}

// TestHostile tries each rule on the longest URLs.
func TestHostile(t *testing.T) {
	for _, piece := range []string{"/", "/a", "/a/b", "/(S(", "/2026/11", "/%E3%81", "/%", "?", "?&", "?a=1&",
		"?year=1&month=1&", "?action=", "/1/delete", "?id=&", "/((", "/.a"} {
		path := "/" + strings.Repeat(piece, 2000/len(piece))
		if u, err := weburl.Exact.Parse("https://example.com" + path); err == nil {
			trap.CheckAll(u)
		}
	}
}

// TestAllocations checks that usual URLs cause no allocations.
func TestAllocations(t *testing.T) {
	for _, path := range usual {
		u := parse(t, path)
		if n := testing.AllocsPerRun(10, func() { check(u) }); n != 0 {
			t.Errorf("%s: %v allocations", path, n)
		}
	}
}

// usual are URLs that no rule refuses.
var usual = []string{
	"/", "/products/shoes/red-sneakers-42.html", "/search?q=shoes&page=2&sort=price",
	"/news/2026/11/20/the-title-of-an-article",
	"/wiki/%D0%A0%D0%BE%D0%B1%D0%BE%D1%82", "/a/b/c/d/e/f/g/h/i/j/k/l?a&b&c&d&e&f",
}

// BenchmarkCheck checks usual URLs.
func BenchmarkCheck(b *testing.B) {
	for _, path := range usual {
		b.Run(path[:min(len(path), 12)], func(b *testing.B) {
			u := parse(b, path)
			b.ReportAllocs()
			for b.Loop() {
				check(u)
			}
		})
	}
}

// FuzzCheck requires a part of the URL with every finding, and tries each rule alone.
func FuzzCheck(f *testing.F) {
	for _, path := range usual {
		f.Add(path)
	}
	f.Add("/a/b/a/b/a/b?action=edit&date=2099-01-01")
	f.Fuzz(func(t *testing.T, path string) {
		u, err := weburl.Exact.Parse("https://example.com/" + path)
		if err != nil {
			t.Skip()
		}
		got := check(u)
		if (got.Rule == trap.None) != (got.Part == "") || !strings.Contains(u.Path(), got.Part) {
			t.Fatalf("%s: got %q", u, got)
		}
		all := trap.CheckAll(u)
		if got.Rule == trap.None && len(all) > 0 || got.Rule != trap.None && all[0] != got {
			t.Fatalf("%s: got %v, alone %v", u, got, all)
		}
	})
}

// ExampleCheck avoids URLs with an effect.
func ExampleCheck() {
	for _, text := range []string{"https://example.com/news", "https://example.com/account/logout",
		"https://example.com/a/b/a/b/a/b/"} {
		u, err := weburl.Links.Parse(text)
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Println(trap.Check(u))
	}
	// Output:
	// none
	// effect: logout
	// repetition: b
}

// TestDated checks the prefix before a date.
func TestDated(t *testing.T) {
	for path, want := range map[string]string{
		"/calendar/2026/11": "/calendar/", "/events/2026-11-21": "/events/", "/2026/11/21": "/",
		"/list?date=2026-11":     "/list",
		"/cal?year=2026&month=2": "/cal", "/2026/11/21/peace": "", "/a/b": "", "/list?date=x": "",
	} {
		if got, ok := trap.Dated(parse(t, path)); got != want || ok != (want != "") {
			t.Errorf("%s: got %q, %t, want %q", path, got, ok, want)
		}
	}
}
