package lint

import (
	"strings"
	"testing"

	"github.com/robotsexclusion/robots"
)

// TestMistakes runs the default profile over files with one mistake that owners make: each has a
// finding.
func TestMistakes(t *testing.T) {
	for name, text := range map[string]string{
		"a signal with another mark":    "User-agent: *\nContent-Signal: search=yes, ai_input=no\nDisallow: /x",
		"a signal with another word":    "User-agent: *\nContent-Signal: training=no\nDisallow: /x",
		"a signal for a path":           "User-agent: *\nContent-Signal: /news/ ai-train=no\nDisallow: /x",
		"a signal of true and false":    "User-agent: *\nContent-Signal: ai-train=false\nDisallow: /x",
		"a signal with a colon":         "User-agent: *\nContent-Signal: ai-train:no\nDisallow: /x",
		"a field with another mark":     "User-agent: *\nContent_Signal: ai-train=no\nDisallow: /x",
		"a usage as a signal":           "User-agent: *\nContent-Usage: ai-train=n\nDisallow: /x",
		"a usage with yes and no":       "User-agent: *\nContent-Usage: train-ai=no\nDisallow: /x",
		"a usage with semicolons":       "User-agent: *\nContent-Usage: search=y; train-ai=n\nDisallow: /x",
		"a usage before the groups":     "Content-Usage: train-ai=n\n\nUser-agent: *\nDisallow: /x",
		"a rate before the groups":      "Request-rate: 1/10\nUser-agent: *\nDisallow: /x",
		"a delay of minutes":            "User-agent: *\nCrawl-delay: 1m\nDisallow: /x",
		"a delay with a comma":          "User-agent: *\nCrawl-delay: 1,5\nDisallow: /x",
		"a wildcard after a name":       "User-agent: ClaudeBot*\nDisallow: /",
		"a wildcard around a name":      "User-agent: *GPTBot*\nDisallow: /",
		"names with commas":             "User-agent: GPTBot,CCBot\nDisallow: /",
		"names in quotes":               "User-agent: \"GPTBot\"\nDisallow: /",
		"a header for a name":           "User-agent: Mozilla/5.0 (compatible; GPTBot/1.2)\nDisallow: /",
		"a tag after a name":            "User-agent: *<br />\nDisallow: /x<br />",
		"a tag around a rule":           "User-agent: *\nDisallow: <code>/x</code>",
		"an escaped ampersand":          "User-agent: *\nDisallow: /list?a=1&amp;b=2",
		"Markdown":                      "```txt\nUser-agent: *\nDisallow: /x\n```",
		"Liquid":                        "User-agent: *\nDisallow: /x\nSitemap: {{ shop.url }}/sitemap.xml",
		"Jinja around rules":            "User-agent: *\n{% if staging %}\nDisallow: /\n{% endif %}",
		"PHP alone":                     "<?php echo file_get_contents('robots.production.txt'); ?>",
		"a variable of a shell":         "User-agent: *\nDisallow: /x\nSitemap: ${BASE_URL}/sitemap.xml",
		"front matter":                  "---\nsitemap: false\n---\nUser-agent: *\nDisallow: /x",
		"scripts of Next.js":            "User-agent: *\nAllow: /\nDisallow: /_next/static/",
		"versions in a list":            "User-agent: GPTBot/1.2, Googlebot/2.1\nDisallow: /x",
		"a word for all robots":         "User-agent: everyone\nDisallow: /x",
		"a name in brackets":            "User-agent: [GPTBot]\nDisallow: /x",
		"a name with a colon":           "User-agent: GPTBot:\nDisallow: /x",
		"a host that a program lacked":  "User-agent: *\nDisallow: /x\nSitemap: https://undefined/sitemap.xml",
		"all that begins with wp-":      "User-agent: *\nDisallow: /wp-",
		"scripts of Next.js by type":    "User-agent: *\nDisallow: /_next/*.js$",
		"styles of TYPO3":               "User-agent: *\nDisallow: /typo3temp/",
		"scripts of Nuxt":               "User-agent: *\nDisallow: /_nuxt",
		"scripts of WordPress":          "User-agent: *\nDisallow: /wp-admin/\nDisallow: /wp-includes/js/",
		"plugins of WordPress":          "User-agent: *\nDisallow: /blog/wp-content/plugins/",
		"styles of Grav":                "User-agent: Googlebot\nDisallow: /user/themes/",
		"styles of Joomla":              "User-agent: *\nDisallow: /administrator/\nDisallow: /templates/",
		"scripts of Drupal":             "User-agent: *\nDisallow: /node/add/\nDisallow: /misc/",
		"a type that an Allow loses to": "User-agent: *\nAllow: /*.css\nDisallow: /wp-includes/",
		"a rule that never decides":     "User-agent: *\nAllow: /mirror/\nDisallow: /*/log\nDisallow: /",
		"all is allowed":                "User-agent: *\nDisallow: /\nAllow: /*",
		"a query without a slash":       "User-agent: *\nDisallow: ?print=1",
		"a host":                        "User-agent: *\nDisallow: www.example.com/x",
		"a rule before the groups":      "Disallow: /x\nUser-agent: *\nAllow: /",
		"a sitemap without a host":      "User-agent: *\nDisallow: /x\nSitemap: /sitemap.xml",
		"no colon":                      "User-agent *\nDisallow /x",
		"an equals sign":                "User-agent=*\nDisallow=/x",
		"JSON":                          `{"rules": []}`,
		"an error page":                 "404: Not Found",
		"a list of paths":               "User-agent: *\nDisallow: /x, /y",
		"typographic quotes":            "User-agent: *\nDisallow: \u201c/x\u201d",
		"Noindex":                       "User-agent: *\nNoindex: /x",
		"hidden files":                  "User-agent: *\nDisallow: /.*",
		"regular expressions":           "User-agent: *\nDisallow: /page/\\d+/",
	} {
		if r := Run(robots.Parse([]byte(text+"\n")), Options{}); len(r.Diagnostics) == 0 {
			t.Errorf("%s: nothing is found in %q", name, text)
		}
	}
}

// TestSystems runs the default profile over files as systems make them, in their form (Allow rules
// with "+", Disallow rules with "-"): nothing is more severe than an info.
func TestSystems(t *testing.T) {
	for name, rules := range map[string]string{
		"WordPress": `-/wp-admin/ +/wp-admin/admin-ajax.php`,
		"Drupal": `+/core/*.css$ +/core/*.css? +/core/*.js$ +/core/*.js? +/core/*.svg +/profiles/*.css$
			+/profiles/*.js$ -/core/ -/profiles/ -/modules/README.txt -/comment/reply/ -/filter/tips -/node/add/
			-/index.php/node/add/`,
		"Drupal 7": `+/misc/*.css$ +/misc/*.css? +/misc/*.js$ +/misc/*.js? +/modules/*.css$ +/modules/*.js$
			+/themes/*.css$ +/themes/*.js$ -/includes/ -/misc/ -/modules/ -/scripts/ -/themes/ -/node/add/`,
		"Joomla": `-/administrator/ -/api/ -/bin/ -/cache/ -/components/ -/includes/ -/language/ -/layouts/
			-/libraries/ -/modules/ -/plugins/`,
		"PrestaShop": `+*/modules/*.css +*/modules/*.js +/js/jquery/* -/*?order= -/*&order= -/cache/ -/js/ -/modules/
			-/var/ -/vendor/`,
		"Magento": `-/index.php/ -/*? -/checkout/ -/app/ -/lib/ -/*.php$ -/pkginfo/ -/report/ -/var/ -/catalog/ -/*SID=`,
		"Bitrix": `-*/index.php -/bitrix/ -/*print= +/bitrix/components/ +/bitrix/cache/ +/bitrix/js/
			+/bitrix/templates/`,
		"Grav": `-/assets/ -/bin/ -/system/ -/user/ -/vendor/ +/user/pages/ +/user/themes/ +/user/images/ +/ +*.css$
			+*.js$`,
		"MediaWiki":    `+/w/api.php?action=mobileview& +/w/load.php? -/w/ -/api/ -/wiki/Special: -/wiki/Special%3A`,
		"TYPO3":        `+/ +/typo3/sysext/frontend/Resources/Public/* -/typo3/ -/*?id=*`,
		"Elementor":    `-/wp-admin/ +/wp-admin/admin-ajax.php -/wp-json/ -/wp-content/cache/ -/wp-content/uploads/wc-logs/`,
		"TYPO3 opened": `-/typo3/ -/typo3conf/ +/typo3conf/ext/*/Resources/Public/ -/typo3temp/ +/typo3temp/assets/`,
		"Shopware":     `+/ -/*? +/*theme/ +/media/*?ts= -/account/ -/checkout/`,
		"Discourse":    `-/admin/ -/auth/ -/assets/browser-update*.js -/session -/*?api_key*`,
		"Squarespace":  `-/config -/api/ +/api/ui-extensions/ -/static/ -/*?tag=*`,
		"GitLab":       `-/search -/users +/users/sign_in -/*/new -/*/raw -/s/ -/-/experiment`,
		"Moodle":       `-/login/ -/calendar/ -/user/`,
	} {
		text := "User-agent: *\n"
		for rule := range strings.FieldsSeq(rules) {
			text += map[byte]string{'+': "Allow: ", '-': "Disallow: "}[rule[0]] + rule[1:] + "\n"
		}
		r := Run(robots.Parse([]byte(text)), Options{})
		if r.Count(Warning) > 0 {
			var found []string
			for _, d := range r.Diagnostics {
				found = append(found, d.String())
			}
			t.Errorf("%s: %s", name, strings.Join(found, "\n"))
		}
	}
}
