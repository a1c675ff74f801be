package lint

import (
	"regexp"
	"strings"

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
				certain := !others && s.certain(rule.Pattern)
				if rule.Allow || found[rule.Line] != nil ||
					!certain && (p.options.Profile == Recommended || !resourceWords().MatchString(rule.Pattern)) {
					continue
				}
				witness, ok := s.closed(rule, pattern)
				if !ok {
					continue
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
	rules *pathset.Rules // of the group, once they are needed
	made  []bool         // see systems, once it is needed
	left  *int           // searches of the file
}

// maxResources is the maximum number of searches for closed styles or scripts.
const maxResources = 100

// certain reports whether a pattern closes styles or scripts by their type, or a folder from which
// a system serves those of its pages. Where the name of the folder is common, another rule of the
// group must be one of that system.
func (s *resourceSearch) certain(pattern string) bool {
	if resourceFiles().MatchString(pattern) || resourceFolders().MatchString(pattern) {
		return true
	}
	for i, system := range pageSystems {
		if system.folders().MatchString(pattern) {
			if s.made == nil {
				s.made = s.systems()
			}
			return s.made[i]
		}
	}
	return false
}

// systems reports for each of pageSystems whether a rule of the group is one of that system.
func (s *resourceSearch) systems() []bool {
	made := make([]bool, len(pageSystems))
	for rule := range s.group.Rules() {
		for i, system := range pageSystems {
			made[i] = made[i] || !rule.Allow && system.mark().MatchString(rule.Pattern)
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
// the author of the file knows of them, and chose.
func (s *resourceSearch) opened(rule robots.Rule, pattern robots.Pattern) bool {
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
	resourceFiles = lazyRegexp(`(?i)^/?\*(\.(css|js)(\?|\*|\$|$)|(\.(css|js))?\?ver=)`)

	// resourceFolders matches folders that systems and builders of pages serve styles and scripts
	// from, and whose names mean nothing else: those of WordPress, Next.js, Nuxt, Astro,
	// SvelteKit, Grav, Magento, Bitrix and Drupal; and folders that are called after their files.
	resourceFolders = lazyRegexp(`(?i)(^|/|\*)(` +
		`wp-includes(/(js|css|blocks)(/[^*?$]*)?)?|wp-content(/(themes|plugins))?` +
		`|(_next|_nuxt)(/static(/[^*?$]*)?)?|_astro|_app(/immutable(/[^*?$]*)?)?` +
		`|user/(themes|plugins)|skin(/frontend)?|bitrix(/(js|templates))?` +
		`|sites/(all|default)(/(files|themes|modules))?` +
		`)/?\*?$|^/?(\*/)?(css|js|javascripts?|stylesheets)/?\*?$`)

	// pageSystems are systems with folders of common names: Drupal and Joomla.
	pageSystems = []struct{ mark, folders func() *regexp.Regexp }{
		{mark: lazyRegexp(`(?i)/(node/add|filter/tips|comment/reply)/?`),
			folders: lazyRegexp(`(?i)^/(misc|core|modules|themes|sites)/?\*?$`)},
		{mark: lazyRegexp(`(?i)^/administrator/?`), folders: lazyRegexp(`(?i)^/(media|templates)/?\*?$`)},
	}

	// resourceWords matches what may close styles or scripts: some files, folders by their names,
	// and queries.
	resourceWords = lazyRegexp(`(?i)\.(css|js)(\?|\*|\$|$)|^/?\*\?\*?$` +
		`|/(assets|static|css|js|javascripts?|scripts|styles?|stylesheets|wp-includes|_next|_nuxt|dist|build|bundles` +
		`|themes|templates|modules|plugins|media|core|libs?|wp-content|skins?|resources)(/\*?)?$`)

	// openedResources matches patterns that are meant for styles or scripts.
	openedResources = lazyRegexp(`(?i)\.(css|js)\b` +
		`|/(assets|static|css|js|javascripts?|jquery|scripts|styles?|themes|templates|modules|plugins|cache)(/|\*|$)`)
)

var textClosedResource = language.New(
	"closes styles or scripts to %[1]s, such as %[2]s: a search engine sees the page without them")
