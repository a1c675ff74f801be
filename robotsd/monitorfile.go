package main

import (
	"errors"
	"fmt"
	"maps"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/robotsexclusion/robots/internal/userfile"
	"github.com/robotsexclusion/robots/robotsd/internal/monitor"
	"github.com/robotsexclusion/robots/robotsd/internal/monitor/notify"
)

// readMonitorFile reads the sites and receivers of a file of monitor: one a line, a word that says
// what it is, its URL, and settings. A line that begins with a URL is a site. Names of files are
// relative to the folder of the file. Each error has its line; there are ten at most.
func readMonitorFile(name string) (c monitor.Config, errs []error) {
	text, err := userfile.ReadAtMost(name, os.Stdin, 64<<20, "a list of sites")
	if err != nil {
		return c, []error{err}
	}
	number := 0
	// editors of Windows write a byte order mark
	for line := range strings.Lines(strings.TrimPrefix(string(text), "\ufeff")) {
		number++
		words, err := splitLine(line)
		if err == nil && len(words) > 0 {
			err = addLine(&c, words, filepath.Dir(name))
		}
		if err != nil {
			errs = append(errs, fmt.Errorf("%s:%d: %w", shown(name), number, err))
		}
		if len(errs) == 10 {
			break
		}
	}
	return c, errs
}

// splitLine returns the words of a line. A part of a word may be in double quotes, and "#" at the
// start of a word begins a comment.
func splitLine(line string) (words []string, err error) {
	var word strings.Builder
	inWord, quoted := false, false
	for _, c := range strings.TrimRight(line, "\r\n") {
		switch {
		case c == '"':
			inWord, quoted = true, !quoted
		case quoted || c != ' ' && c != '\t' && (c != '#' || inWord):
			inWord = true
			word.WriteRune(c)
		default:
			if inWord {
				words = append(words, word.String())
				word.Reset()
				inWord = false
			}
			if c == '#' {
				return words, nil
			}
		}
	}
	if quoted {
		return nil, errors.New(`a double quote has no end: write as="GPTBot/1.2 (text)"`)
	}
	if inWord {
		words = append(words, word.String())
	}
	return words, nil
}

// addLine adds what a line says.
func addLine(c *monitor.Config, words []string, folder string) error {
	kind := words[0]
	if strings.Contains(kind, "://") {
		words, kind = append([]string{"site"}, words...), "site"
	}
	if kind != "site" && kind != "webhook" && kind != "mail" && kind != "feed" &&
		!slices.Contains(notify.Forms(), kind) {
		return fmt.Errorf("a line begins with %s: write a URL, site, webhook, mail, feed, %s", shown(kind),
			strings.Join(notify.Forms(), ", "))
	}
	if len(words) < 2 {
		return fmt.Errorf("%s has no URL, address or file: write it after %[1]s", kind)
	}
	if kind == "site" {
		u, err := siteURL(words[1])
		if err != nil {
			return err
		}
		site := monitor.Site{URL: u}
		if err := siteSettings(&site, words[2:], folder); err != nil {
			return err
		}
		return addSite(c, site)
	}
	if kind == "feed" {
		words[1] = relative(folder, words[1])
	}
	s, err := subscription(kind, words[1], words[2:])
	if err != nil {
		return err
	}
	if slices.ContainsFunc(c.Subscriptions, func(other monitor.Subscription) bool { return other.Name == s.Name }) {
		return fmt.Errorf("two receivers are named %s: give one another name with name=…", shown(s.Name))
	}
	c.Subscriptions = append(c.Subscriptions, s)
	return nil
}

// settings calls the function of each setting, in the form name=value. No error shows a value that
// may be a secret.
func settings(words []string, of string, known map[string]func(value string) error) error {
	for _, word := range words {
		name, value, ok := strings.Cut(word, "=")
		set := known[name]
		if !ok || set == nil {
			return fmt.Errorf("%s is not a setting of a %s: write one of %s=…", shown(name), of,
				strings.Join(slices.Sorted(maps.Keys(known)), "=…, "))
		}
		if err := set(value); err != nil {
			return fmt.Errorf("%s: %w", shown(name), err)
		}
	}
	return nil
}

// siteSettings reads the settings of a site.
func siteSettings(s *monitor.Site, words []string, folder string) error {
	return settings(words, "site", map[string]func(string) error{
		"every": func(value string) (err error) {
			if s.Every, err = time.ParseDuration(value); err == nil && s.Every < time.Minute {
				err = errors.New("look once a minute at most")
			}
			return err
		},
		"certificate-days": func(value string) (err error) {
			s.CertificateDays, err = strconv.Atoi(value)
			return err
		},
		"claims": func(value string) (err error) {
			s.Claims, err = claimsOf(relative(folder, value))
			return err
		},
		"expect": func(value string) (err error) {
			s.Expect, err = expected(value, folder)
			return err
		},
		"as": func(value string) error {
			if value == "" || strings.ContainsFunc(value, func(c rune) bool { return c < ' ' || c > '~' }) {
				return errors.New("a User-Agent header is one line of printable ASCII")
			}
			s.As = append(s.As, value)
			return nil
		},
		"page": func(value string) error {
			base, err := url.Parse(s.URL)
			if err != nil {
				return err
			}
			page, err := base.Parse(value)
			if err != nil {
				return err
			}
			s.Pages = append(s.Pages, page.String())
			return nil
		},
	})
}

// subscription returns a receiver with its settings.
func subscription(kind, target string, words []string) (s monitor.Subscription, err error) {
	s.Name = kind
	hours, zone := "", "Local"
	known := map[string]func(string) error{
		"name":  func(value string) error { s.Name = value; return nil },
		"least": func(value string) error { return plain(s.Least.UnmarshalText([]byte(value))) },
		"quiet": func(value string) error { hours = value; return nil },
		"zone":  func(value string) error { zone = value; return nil },
	}
	switch kind {
	case "mail":
		s.Receiver = mailSettings(target, known)
	case "feed":
		feed := &notify.Feed{File: target}
		known["lang"] = func(value string) error { feed.Language = value; return nil }
		s.Receiver = feed
	default:
		if s.Receiver, err = webhookSettings(kind, target, known); err != nil {
			return s, err
		}
	}
	err = settings(words, kind, known)
	if err == nil && hours != "" {
		s.Quiet, err = quietHours(hours, zone)
	}
	if mail, ok := s.Receiver.(*notify.Mail); ok && err == nil {
		err = mail.Check()
	}
	return s, err
}

// isSecret reports whether who reads the line of a receiver can send messages to it, or in its
// name: by the address of a webhook or of a chat, or the password of a mail server.
func isSecret(s monitor.Subscription) bool {
	mail, isMail := s.Receiver.(*notify.Mail)
	_, isWebhook := s.Receiver.(*notify.Webhook)
	return isWebhook || isMail && mail.Password != ""
}

// webhookSettings returns a webhook, and adds its settings to those known.
func webhookSettings(kind, target string, known map[string]func(string) error) (*notify.Webhook, error) {
	w := &notify.Webhook{URL: target}
	if u, err := url.Parse(target); err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" {
		return nil, fmt.Errorf("the URL of a %s begins with https:// or http://", kind)
	}
	known["lang"] = func(value string) error { w.Language = value; return nil }
	if kind != "webhook" {
		w.Form = kind
		return w, nil
	}
	known["secret"] = func(value string) (err error) {
		w.Secret, err = notify.ParseSecret(value)
		return err
	}
	return w, nil
}

// mailSettings returns a mail, and adds its settings to those known.
func mailSettings(target string, known map[string]func(string) error) *notify.Mail {
	m := &notify.Mail{To: strings.Split(target, ",")}
	for name, field := range map[string]*string{"server": &m.Server, "from": &m.From, "user": &m.User,
		"password": &m.Password, "lang": &m.Language} {
		known[name] = func(value string) error { *field = value; return nil }
	}
	known["plain"] = func(value string) (err error) {
		m.Plain, err = strconv.ParseBool(value)
		return err
	}
	return m
}

// quietHours reads hours such as 22:00-07:00.
func quietHours(hours, zone string) (*monitor.Quiet, error) {
	location, err := time.LoadLocation(zone)
	if err != nil {
		return nil, fmt.Errorf("zone: %w", err)
	}
	from, to, _ := strings.Cut(hours, "-")
	start, err1 := time.Parse("15:04", from)
	end, err2 := time.Parse("15:04", to)
	if err1 != nil || err2 != nil || start.Equal(end) {
		return nil, fmt.Errorf("quiet is %s: write hours such as 22:00-07:00", shown(hours))
	}
	midnight := start.Truncate(24 * time.Hour)
	return &monitor.Quiet{From: start.Sub(midnight), To: end.Sub(midnight), Location: location}, nil
}
