package lint

import (
	"github.com/robotsexclusion/robots"
	"github.com/robotsexclusion/robots/internal/language"
)

var secretPath = &Check{
	Name:     "secret-path",
	Severity: Info,
	Profiles: strictly,
	run: func(p *pass) {
		p.lines(func(l *line) {
			if len(l.Value) > maxSecret {
				return
			}
			if at := secretWords().FindStringSubmatchIndex(l.Value); at != nil {
				p.report(l.within(at[2], at[3]), textSecretPath)
			}
		}, robots.Disallow)
	},
}

// maxSecret is the maximum length of a value that is searched for secrets.
const maxSecret = 1000

// secretWords are the names of places and files that attackers look for. Paths that every site
// with a common program has, such as /wp-admin/, reveal nothing.
var secretWords = lazyRegexp(`(?i)/((?:administrator|admin[0-9]*|_admin|backups?|dumps?|sql|phpmyadmin|pma|adminer|cpanel|private|secrets?|confidential|intranet|internal|staging|passwd|credentials|\.git|\.svn|\.hg|\.env|\.htaccess|\.htpasswd|\.ssh|wp-config[^/*$]*|id_rsa[^/*$]*|[^/*]*\.(?:sql|bak|pem|key|sqlite|mdb|passwd)))(?:[/*?$]|$)`)

var textSecretPath = language.New(
	"reveals a path that attackers look for: anybody can read this file, and only a password protects the path")
