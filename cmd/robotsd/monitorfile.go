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
	"github.com/robotsexclusion/robots/monitor"
)

// readMonitorFile reads the sites of a file of monitor: one a line, a word that says what it is, its URL, and settings. A
// line that begins with a URL is a site. Names of files are relative to the folder of the file. Each error has its line; there are
// ten at most.
func readMonitorFile(name string) (c monitor.Config, errs []error) {
	text, err := userfile.ReadAtMost(name, os.Stdin, 64<<20, "a list of sites")
	if err != nil {
		return c, []error{err}
	}
	number := 0
	for line := range strings.Lines(string(text)) {
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

// splitLine returns the words of a line. A part of a word may be in double quotes, and "#" at the start of a word begins a
// comment.
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
	if kind != "site" {
		return fmt.Errorf("a line begins with %s: write a URL or site", shown(kind))
	}
	if len(words) < 2 {
		return fmt.Errorf("%s has no URL, address or file: write it after %[1]s", kind)
	}
	site := monitor.Site{URL: words[1]}
	if err := siteSettings(&site, words[2:], folder); err != nil {
		return err
	}
	return addSite(c, site)
}

// settings calls the function of each setting, in the form name=value. No error shows a value that may be a secret.
func settings(words []string, of string, known map[string]func(value string) error) error {
	for _, word := range words {
		name, value, ok := strings.Cut(word, "=")
		set := known[name]
		if !ok || set == nil {
			return fmt.Errorf("%s is no setting of a %s: write one of %s=…", shown(name), of, strings.Join(slices.Sorted(maps.Keys(known)), "=…, "))
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
