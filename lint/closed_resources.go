package lint

import (
	"regexp"
	"strings"
	"sync"

	"github.com/robotsexclusion/robots"
	"github.com/robotsexclusion/robots/internal/language"
	"github.com/robotsexclusion/robots/proof/pathset"
)

var closedResources = &Check{
	Name:     "closed-resources",
	Severity: Warning,
	Profiles: everywhere,
	run: func(p *pass) {
		if p.alien != robotsText {
			return
		}
		found := make(places)
		left := maxResources
		for _, name := range []string{"Googlebot", "bingbot", "*"} {
			s := resourceSearch{group: p.policy.For(name), left: &left}
			if _, all := closing(s.group); all {
				continue
			}
			// Where both have groups, the one for everyone is not for the engines that draw pages.
			others := name == "*" && p.policy.For("Googlebot").Token() != "*" && p.policy.For("bingbot").Token() != "*"
			for rule, pattern := range s.group.Patterns() {
				if rule.Allow || found[rule.Line] != nil {
					continue
				}
				witness, known := s.served(rule)
				certain := !others && (known || certainFiles().MatchString(rule.Pattern))
				if !certain && (p.options.Profile == Recommended ||
					!known && !resourceWords().MatchString(rule.Pattern)) {
					continue
				}
				if !known {
					var ok bool
					if witness, ok = s.closed(rule, pattern); !ok {
						continue
					}
				}
				severity := Warning
				if !certain || !resourceFiles().MatchString(rule.Pattern) && s.opened(rule, pattern) {
					if severity = Info; p.options.Profile == Recommended {
						continue
					}
				}
				token := s.group.Token()
				found[rule.Line] = func(l *line) {
					p.report(l.all(), textClosedResource, token, witness).Severity = severity
				}
			}
		}
		p.tell(found)
	},
}

// A resourceSearch looks for styles and scripts that the rules of a group close.
type resourceSearch struct {
	group *robots.Group
	rules *pathset.Rules    // of the group, once they are needed
	made  []map[string]bool // see systems, once it is needed
	left  *int              // searches of the file
	asked int               // rules that were held against pageSystems
}

// maxResources is the maximum number of searches for closed styles or scripts.
const maxResources = 100

// served returns a style or script of pageSystems that a rule closes, and no other rule opens.
// Only rules that name a folder of a system are asked: "/*/js/" may be of any.
func (s *resourceSearch) served(rule robots.Rule) (path string, ok bool) {
	each, some := folders()
	if !some.MatchString(rule.Pattern) {
		return "", false
	}
	for i, system := range pageSystems {
		at := each[i].FindStringIndex(rule.Pattern)
		if at == nil {
			continue
		}
		if system.mark != nil {
			if s.made == nil {
				s.made = s.systems()
			}
			if !s.made[i][rule.Pattern[:at[0]]] {
				continue
			}
		}
		if s.asked++; s.asked > maxServed {
			return "", false
		}
		// A site may have the system in a folder.
		before := strings.TrimPrefix(rule.Pattern[:at[0]], "*")
		if strings.HasPrefix(rule.Pattern[at[0]:], "*") { // "/*wp-includes"
			before = strings.TrimSuffix(before, "/")
		}
		before = strings.ReplaceAll(before, "*", "any")
		for _, path := range system.paths {
			path = before + path
			if m := s.group.Match(path); !m.Allowed && m.Rule == rule {
				return path, true
			}
		}
	}
	return "", false
}

// maxServed is the maximum number of rules of a group that are held against pageSystems.
const maxServed = 1000

// systems returns for each of pageSystems with a mark the folders that a rule of the group has
// before the mark.
func (s *resourceSearch) systems() []map[string]bool {
	made := make([]map[string]bool, len(pageSystems))
	for rule := range s.group.Rules() {
		for i, system := range pageSystems {
			if rule.Allow || system.mark == nil {
				continue
			}
			if at := system.mark().FindStringIndex(rule.Pattern); at != nil {
				if made[i] == nil {
					made[i] = make(map[string]bool)
				}
				made[i][rule.Pattern[:at[0]]] = true
			}
		}
	}
	return made
}

// closed returns a style or script that a rule closes.
func (s *resourceSearch) closed(rule robots.Rule, pattern robots.Pattern) (witness string, ok bool) {
	return s.decided(pattern, resources(rule.Pattern), func(r robots.Rule, p robots.Pattern) bool {
		return r == rule && p == pattern
	})
}

// opened reports whether a rule for styles or scripts opens a part of what another one closes. Then
// the author of the file knows of them, and chose. After maxResources searches nobody knows, and
// opened reports true.
func (s *resourceSearch) opened(rule robots.Rule, pattern robots.Pattern) bool {
	if *s.left <= 0 {
		return true
	}
	folder := strings.TrimRight(rule.Pattern, "*")
	_, ok := s.decided(pattern, resources(rule.Pattern), func(r robots.Rule, _ robots.Pattern) bool {
		return r.Allow && strings.HasPrefix(r.Pattern, folder) &&
			openedResources().MatchString(r.Pattern[len(folder)-1:])
	})
	return ok
}

// decided returns a path of a set that a pattern matches and that one of some rules decides.
func (s *resourceSearch) decided(pattern robots.Pattern, of pathset.Set,
	by func(robots.Rule, robots.Pattern) bool) (path string, ok bool) {
	if *s.left--; *s.left < 0 {
		return "", false
	}
	if s.rules == nil {
		s.rules = pathset.Compile(s.group)
	}
	matched := of.Intersect(pathset.Of(robots.RFC9309, pattern.String()))
	path, ok, _ = s.rules.Near(pattern).Decided(by).Intersect(matched).Example(searchStates)
	return path, ok
}

// resources returns the addresses of styles and scripts, with a query if the pattern has one.
func resources(pattern string) pathset.Set {
	of := func(pattern string) pathset.Set { return pathset.Of(robots.RFC9309, pattern) }
	if strings.Contains(pattern, "?") {
		return of("/*.css?").Union(of("/*.js?"))
	}
	return of("/*.css$").Union(of("/*.js$"))
}

var (
	// resourceFiles matches styles or scripts of the whole site: by their type, or by the
	// parameter that WordPress adds to them and to nothing else.
	resourceFiles = lazyRegexp(`(?i)` + filesExpression)

	// certainFiles matches resourceFiles, and folders that are called after their files.
	certainFiles = lazyRegexp(`(?i)` + filesExpression + `|^/?(\*/)?(css|js|javascripts?|stylesheets)/?\*?$`)

	// resourceWords matches what may close styles or scripts: some files, folders by their names,
	// and queries.
	resourceWords = lazyRegexp(`(?i)\.(css|js)(\?|\*|\$|$)|^/?\*\?\*?$` +
		`|/(assets|static|css|js|javascripts?|scripts|styles?|stylesheets|wp-includes|_next|_nuxt|dist|build|bundles` +
		`|themes|templates|modules|plugins|media|core|libs?|wp-content(/cache)?|skins?|resources)(/\*?)?$`)

	// openedResources matches patterns that are meant for styles or scripts.
	openedResources = lazyRegexp(`(?i)\.(css|js)\b` +
		`|/(assets|static|css|js|javascripts?|jquery|scripts|styles?|themes|templates|modules|plugins|cache)(/|\*|$)`)
)

const filesExpression = `^/?\*(\.(css|js)(\?|\*|\$|$)|(\.(css|js))?\?ver=)`

// A pageSystem is a system or builder of pages with some of the styles and scripts that it serves.
// Patterns have its folders; a folder with a common name counts where another rule of the group has
// the system's mark, in the same folder.
type pageSystem struct {
	folder string                // an expression of a path from the root of the system
	mark   func() *regexp.Regexp // nil where the names of the folders mean nothing else
	paths  []string
}

var pageSystems = []pageSystem{
	{folder: `wp-`, paths: []string{ // WordPress
		"/wp-includes/js/jquery/jquery.min.js", "/wp-includes/js/dist/hooks.min.js",
		"/wp-includes/css/dist/block-library/style.min.css", "/wp-includes/blocks/navigation/view.min.js",
		"/wp-content/themes/example/style.css", "/wp-content/themes/example/assets/js/main.js",
		"/wp-content/plugins/example/css/style.css", "/wp-content/plugins/example/js/script.js"}},
	{folder: `_next`, paths: []string{ // Next.js
		"/_next/static/chunks/main.js", "/_next/static/css/app.css", "/_next/static/chunks/pages/_app.js",
		"/_next/static/chunks/app/layout.js"}},
	{folder: `_nuxt`, paths: []string{"/_nuxt/entry.js", "/_nuxt/entry.css"}},
	{folder: `_astro`, paths: []string{"/_astro/index.css", "/_astro/hoisted.js"}},
	{folder: `_app`, paths: []string{ // SvelteKit
		"/_app/immutable/entry/start.js", "/_app/immutable/chunks/index.js", "/_app/immutable/nodes/0.js",
		"/_app/immutable/assets/0.css"}},
	{folder: `user/(themes|plugins)`, paths: []string{ // Grav
		"/user/themes/example/css/theme.css", "/user/themes/example/js/site.js", "/user/plugins/example/css/style.css",
		"/user/plugins/example/js/script.js"}},
	{folder: `skin`, paths: []string{ // Magento 1
		"/skin/frontend/base/default/css/styles.css", "/skin/frontend/base/default/js/script.js"}},
	{folder: `(pub/)?static(/?(version|frontend|\*)|/?$)`,
		mark: lazyRegexp(`(?i)/(catalogsearch|catalog/product_compare|customer/account|sendfriend)(/|\*|$)`),
		paths: []string{ // Magento 2
			"/static/version1/frontend/example/theme/en_US/css/styles.css",
			"/static/frontend/example/theme/en_US/js/script.js",
			"/pub/static/version1/frontend/example/theme/en_US/css/styles.css",
			"/pub/static/frontend/example/theme/en_US/js/script.js"}},
	{folder: `cdn/shop(/|\*|$)`, paths: []string{ // Shopify
		"/cdn/shop/t/1/assets/theme.css", "/cdn/shop/t/1/assets/theme.js"}},
	{folder: `bitrix`, paths: []string{
		"/bitrix/js/main/core/core.js", "/bitrix/templates/example/styles.css", "/bitrix/templates/example/script.js"}},
	{folder: `typo3(temp|conf|\*|$)`, paths: []string{
		"/typo3temp/assets/compressed/merged.css", "/typo3temp/assets/compressed/merged.js",
		"/typo3conf/ext/example/Resources/Public/Css/style.css",
		"/typo3conf/ext/example/Resources/Public/JavaScript/main.js"}},
	{folder: `etc(\.(clientlibs|\*|$)|/(clientlibs|designs))`, paths: []string{ // Adobe Experience Manager
		"/etc.clientlibs/example/clientlibs/site.css", "/etc.clientlibs/example/clientlibs/site.js",
		"/etc/clientlibs/example/site.css", "/etc/designs/example/clientlibs/site.css"}},
	{folder: `sites/(all|default)`, paths: []string{ // Drupal
		"/sites/default/files/css/css_example.css", "/sites/default/files/js/js_example.js",
		"/sites/default/themes/example/style.css", "/sites/default/modules/example/script.js",
		"/sites/all/themes/example/style.css", "/sites/all/themes/example/script.js",
		"/sites/all/modules/example/style.css", "/sites/all/modules/example/script.js"}},
	{folder: `(misc|core|modules|themes|sites)`,
		mark: lazyRegexp(`(?i)/(node(/add|/?\*?$)|filter/tips|comment/reply)/?`), paths: []string{
			"/misc/drupal.js", "/core/misc/drupal.js", "/core/themes/stable9/css/system/system.css",
			"/modules/system/system.base.css", "/modules/example/script.js", "/themes/example/style.css",
			"/themes/example/script.js", "/sites/default/files/css/css_example.css"}},
	{folder: `(media|templates)`, mark: lazyRegexp(`(?i)/administrator(/|\*|$)`), paths: []string{ // Joomla
		"/media/system/js/core.js", "/media/example/css/style.css", "/templates/example/css/template.css",
		"/templates/example/js/template.js"}},
}

// folders returns for each of pageSystems the expression for patterns with its folder, and one for
// all. A match begins at the "/" or "*" before the folder.
var folders = sync.OnceValues(func() (each []*regexp.Regexp, some *regexp.Regexp) {
	const before = `(?i)(^|[/*])`
	var all []string
	for _, system := range pageSystems {
		each = append(each, regexp.MustCompile(before+system.folder))
		all = append(all, system.folder)
	}
	return each, regexp.MustCompile(before + `(` + strings.Join(all, "|") + `)`)
})

var textClosedResource = language.New(
	"closes styles or scripts to %[1]s, such as %[2]s: a search engine sees the page without them")
