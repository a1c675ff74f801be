package lint

import (
	"net/url"
	"strings"

	"github.com/robotsexclusion/robots"
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
			u, err := url.Parse(l.Value)
			switch {
			case strings.ContainsAny(l.Value, " \t"):
				p.report(l.value(), textSitemapBlank)
			case err != nil:
				p.report(l.value(), textSitemapBroken)
			case u.Scheme == "http" || u.Scheme == "https":
				if u.Host == "" {
					p.report(l.value(), textSitemapRelative)
				}
			case u.Scheme != "" && u.Host != "":
				p.report(l.value(), textSitemapScheme, u.Scheme).Severity = Warning
			default:
				p.report(l.value(), textSitemapRelative)
			}
		}, robots.Other)
	},
}

var (
	textSitemapEmpty = text{
		"there is no URL of a sitemap",
		"falta la URL del mapa del sitio",
		"사이트맵 URL이 없습니다",
		"нет URL карты сайта",
	}
	textSitemapRelative = text{
		"a sitemap is given by its whole URL, with scheme and host, such as https://example.com/sitemap.xml",
		"un mapa del sitio se indica con su URL completa, con esquema y host, como https://example.com/sitemap.xml",
		"사이트맵은 https://example.com/sitemap.xml처럼 스킴과 호스트가 든 온전한 URL로 씁니다",
		"карту сайта указывают полным URL, со схемой и хостом, например https://example.com/sitemap.xml",
	}
	textSitemapBlank = text{
		"there is a blank in the URL of the sitemap: a sitemap has a line of its own, and a blank of a URL is %%20",
		"hay un espacio en la URL del mapa del sitio: cada mapa va en su propia línea, y un espacio de la URL es %%20",
		"사이트맵 URL에 공백이 있습니다. 사이트맵은 한 줄에 하나씩 쓰고, URL의 공백은 %%20으로 씁니다",
		"в URL карты сайта пробел: каждая карта пишется в отдельной строке, а пробел в URL — это %%20",
	}
	textSitemapBroken = text{
		"the address of the sitemap is no URL",
		"la dirección del mapa del sitio no es una URL",
		"사이트맵 주소가 URL이 아닙니다",
		"адрес карты сайта — не URL",
	}
	textSitemapScheme = text{
		"search engines fetch sitemaps by http and https, not by %[1]s",
		"los buscadores piden los mapas del sitio por http y https, no por %[1]s",
		"검색 엔진은 사이트맵을 %[1]s이(가) 아니라 http와 https로 가져갑니다",
		"поисковые системы получают карты сайта по http и https, а не по %[1]s",
	}
)
