package lint

import (
	"fmt"
	"net/netip"
	"net/url"
	"strings"
	"unicode/utf8"

	"github.com/robotsexclusion/robots"
	"github.com/robotsexclusion/robots/internal/language"
)

var sitemapURL = &Check{
	Name:     "sitemap-url",
	Severity: Error,
	Profiles: everywhere,
	run: func(p *pass) {
		p.lines(func(l *line) {
			if !strings.EqualFold(l.Field, "Sitemap") {
				return
			}
			if l.Value == "" {
				p.report(l.all(), textSitemapEmpty).Severity = Warning
				return
			}
			if from, to := oddCharacter(l.Value); to > 0 {
				c, _ := utf8.DecodeRuneInString(l.Value[from:])
				d := p.report(l.within(from, to), textSitemapInvisible, fmt.Sprintf("U+%04X", c))
				if from > 0 && to < len(l.Value) && isOddBlank(c) {
					d.Severity = Warning // the name may exist nevertheless
				}
				if plain := visible(l.Value); isWeb(plain) {
					d.Fix = &Fix{Title: p.say(textRemoveIt), Safe: true, Edits: []Edit{l.value().edit(plain)}}
				}
				return
			}
			u, err := url.Parse(l.Value)
			switch {
			case strings.ContainsAny(l.Value, " \t"):
				p.report(l.value(), textSitemapBlank)
			case err != nil:
				p.report(l.value(), textSitemapBroken)
			case u.Scheme == "http" || u.Scheme == "https":
				if u.Host == "" {
					p.report(l.value(), textSitemapRelative)
				} else if isReserved(strings.ToLower(u.Hostname())) && !isReserved(hostOf(p.options.Origin)) {
					p.report(l.value(), textSitemapReserved, u.Host)
				}
			case u.Scheme != "" && u.Host != "":
				p.report(l.value(), textSitemapScheme, u.Scheme).Severity = Warning
			default:
				p.report(l.value(), textSitemapRelative)
			}
		}, robots.Other)
	},
}

// privateAddress reports whether a host is an IP address that is not public.
func privateAddress(host string) bool {
	a, err := netip.ParseAddr(host)
	return err == nil && (a.IsPrivate() || a.IsLoopback() || a.IsLinkLocalUnicast() || a.IsUnspecified())
}

// isWeb reports whether a value is a URL that search engines fetch.
func isWeb(value string) bool {
	if _, odd := oddCharacter(value); odd > 0 {
		return false
	}
	u, err := url.Parse(value)
	return err == nil && (u.Scheme == "http" || u.Scheme == "https") && u.Host != "" && !strings.ContainsAny(value, " \t")
}

var (
	textSitemapInvisible = language.New(
		"%[1]s in the URL of the sitemap, which is not seen or looks like a blank: it is not the URL that it seems to be",
		"la URL del sitemap contiene %[1]s, un carácter invisible o parecido a un espacio: no es la URL que parece",
		"사이트맵 URL에 보이지 않거나 공백처럼 보이는 문자(%[1]s)가 있습니다. 보이는 것과는 다른 URL입니다",
		"в URL файла Sitemap есть символ %[1]s — невидимый или похожий на пробел: на самом деле это другой URL",
	)
	textSitemapEmpty = language.New(
		"there is no URL of a sitemap",
		"falta la URL del sitemap",
		"사이트맵 URL이 없습니다",
		"не указан URL файла Sitemap",
	)
	textSitemapRelative = language.New(
		"a sitemap is given by its whole URL, with scheme and host, such as https://example.com/sitemap.xml",
		"un sitemap se indica con su URL completa, con esquema y host, como https://example.com/sitemap.xml",
		"사이트맵은 https://example.com/sitemap.xml처럼 스킴과 호스트를 포함한 전체 URL로 씁니다",
		"для файла Sitemap указывают полный URL, со схемой и хостом, например https://example.com/sitemap.xml",
	)
	textSitemapBlank = language.New(
		"there is a blank in the URL of the sitemap: a sitemap has a line of its own, and a blank of a URL is %%20",
		"hay un espacio en la URL del sitemap: cada sitemap va en su propia línea, y un espacio de la URL se escribe %%20",
		"사이트맵 URL에 공백이 있습니다. 사이트맵은 한 줄에 하나씩 쓰고, URL의 공백은 %%20으로 씁니다",
		"в URL файла Sitemap есть пробел: каждый файл Sitemap пишут в отдельной строке, а пробел в URL — как %%20",
	)
	textSitemapBroken = language.New(
		"the address of the sitemap is not a URL",
		"la dirección del sitemap no es una URL",
		"사이트맵 주소가 URL이 아닙니다",
		"адрес файла Sitemap — не URL",
	)
	textSitemapReserved = language.New(
		"no search engine reaches %[1]s, a name or address of one machine or of a private network: write the public host of the site",
		"ningún buscador llega a %[1]s, un nombre o dirección de una sola máquina o de una red privada: escriba el host público del sitio",
		"%[1]s은(는) 한 컴퓨터나 사설망에서만 쓰는 이름 또는 주소이므로 검색 엔진이 접속할 수 없습니다. 사이트의 공개 호스트를 쓰십시오",
		"ни одна поисковая система не попадёт на %[1]s — это имя или адрес одной машины или частной сети: напишите публичный хост сайта",
	)
	textSitemapScheme = language.New(
		"search engines fetch sitemaps by http and https, not by %[1]s",
		"los buscadores piden los sitemaps por http y https, no por %[1]s",
		"검색 엔진은 사이트맵을 %[1]s이(가) 아니라 http나 https로 가져옵니다",
		"поисковые системы загружают файлы Sitemap по http и https, а не по %[1]s",
	)
)
