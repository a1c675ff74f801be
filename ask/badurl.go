package ask

import (
	"errors"

	"github.com/robotsexclusion/robots"
	"github.com/robotsexclusion/robots/internal/language"
	"github.com/robotsexclusion/robots/internal/url/urlcheck"
)

// badURLs has what is wrong with a text that is not a URL. The English is that of
// [robots.CheckURL], which has no translations.
var badURLs = map[urlcheck.Fault]language.Text{
	urlcheck.Empty: language.New("the URL is empty: write a path such as /index.html, or a whole URL"),
	urlcheck.TwoSlashes: language.New(
		`"%[1]s" starts with two slashes: write "https:" before them if a host follows, or one slash if it is a path`),
	urlcheck.NeitherForm: language.New(
		`"%[1]s" is neither a path nor a URL: write "/%[1]s" if it is a path, or "https://%[1]s" if it starts with a host`),
	urlcheck.OtherScheme: language.New(
		`"%[1]s" has the scheme %[2]s: robots.txt has rules for http and https URLs only`),
	urlcheck.NoSlashes: language.New(`"%[1]s" names no host: write %[2]s://HOST/PATH`),
	urlcheck.NoHost:    language.New(`"%[1]s" names no host`),
	urlcheck.BadAddress: language.New(
		`"%[1]s" has no valid host: an IPv6 address stands in brackets, as in http://[2001:db8::1]/`),
	urlcheck.BadBracket: language.New(`"%[1]s" has no valid host: only a port may follow the bracket`),
	urlcheck.BadPort:    language.New(`"%[1]s" has no valid port: %[2]s is not a number from 1 to 65535`),
	urlcheck.BadLabel: language.New(
		`"%[1]s" has no valid host: the text between two dots is empty or has more than 63 bytes, or the name has more than 253`),
	urlcheck.BadNumber: language.New(
		`"%[1]s" has no valid host: %[2]s ends in a number but is not an IPv4 address: write four decimal numbers with dots`),
	urlcheck.BadByte: language.New(`"%[1]s" has no valid host: %[2]s cannot stand in it`),
}

// checkURL is [robots.CheckURL] with a message in each language.
func checkURL(url string) error {
	err := robots.CheckURL(url)
	if err == nil {
		return nil // before errors.As, which makes its target escape
	}
	bad := (*urlcheck.Error)(nil)
	if !errors.As(err, &bad) {
		return err
	}
	if bad.Fault == urlcheck.Empty {
		return badURLs[bad.Fault].Err()
	}
	return badURLs[bad.Fault].Err(bad.URL, bad.Detail)
}
