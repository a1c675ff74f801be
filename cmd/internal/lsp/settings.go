package lsp

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/robotsexclusion/robots/agent"
	"github.com/robotsexclusion/robots/internal/language"
	"github.com/robotsexclusion/robots/internal/printable"
	"github.com/robotsexclusion/robots/lint"
)

// settings are the settings of a user.
type settings struct {
	profile         lint.Profile
	enable, disable []string
	language        string       // as in lint.Options
	byDefault       string       // the default language
	robots          *agent.Table // of the server
	noLenses        bool         // no code lenses are shown
}

// options converts the settings to those of package lint.
func (s *settings) options() lint.Options {
	return lint.Options{Profile: s.profile, Enable: s.enable, Disable: s.disable, Language: s.language,
		Robots: s.robots}
}

func (s *settings) equal(t settings) bool {
	return s.profile == t.profile && s.noLenses == t.noLenses && s.language == t.language &&
		slices.Equal(s.enable, t.enable) && slices.Equal(s.disable, t.disable)
}

// readSection applies settings that may be one section among others.
func (s *settings) readSection(data json.RawMessage) (wrong []string) {
	var sections struct {
		Robots json.RawMessage `json:"robots"`
	}
	if json.Unmarshal(data, &sections) == nil && sections.Robots != nil {
		return s.read(sections.Robots, true)
	}
	return s.read(data, false)
}

// read applies settings, and returns messages about invalid ones, which stay unchanged. If the
// settings are only ours, an unknown name is an error.
func (s *settings) read(data json.RawMessage, ours bool) (wrong []string) {
	if len(data) == 0 || isNull(data) {
		return nil
	}
	var all map[string]json.RawMessage
	if err := json.Unmarshal(data, &all); err != nil {
		return []string{"the settings of robots are not an object: write something like {\"profile\": \"strict\"}"}
	}
	names := make([]string, 0, len(all))
	for name := range all {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		value := all[name]
		var err error
		switch name {
		case "profile":
			err = s.setProfile(value)
		case "enable":
			err = setChecks(&s.enable, value)
		case "disable":
			err = setChecks(&s.disable, value)
		case "language":
			err = s.setLanguage(value)
		case "codeLens":
			err = s.setLenses(value)
		default:
			if ours {
				err = fmt.Errorf("there is no such setting: the settings are profile, enable, disable, language, codeLens")
			}
		}
		if err != nil {
			wrong = append(wrong, fmt.Sprintf("robots: setting %s: %v", printable.Quoted(name, maxShown), err))
		}
	}
	return wrong
}

func isNull(value json.RawMessage) bool { return string(value) == "null" }

func (s *settings) setProfile(value json.RawMessage) error {
	if isNull(value) {
		s.profile = lint.Recommended
		return nil
	}
	var name string
	if err := json.Unmarshal(value, &name); err == nil {
		if p, ok := lint.ParseProfile(name); ok {
			s.profile = p
			return nil
		}
	}
	return fmt.Errorf("%s is not a profile: the profiles are recommended, strict, seo, historic",
		printable.Clipped(string(value), maxShown))
}

func (s *settings) setLenses(value json.RawMessage) error {
	show := true
	if !isNull(value) && json.Unmarshal(value, &show) != nil {
		return fmt.Errorf("%s is neither true nor false", printable.Clipped(string(value), maxShown))
	}
	s.noLenses = !show
	return nil
}

func (s *settings) setLanguage(value json.RawMessage) error {
	if isNull(value) {
		s.language = s.byDefault
		return nil
	}
	var name string
	if err := json.Unmarshal(value, &name); err == nil {
		if l := language.Parse(name); l != language.English || strings.HasPrefix(strings.ToLower(name), l.String()) {
			s.language = l.String()
			return nil
		}
	}
	return fmt.Errorf("%s is not a language of messages: these are en, es, ko, ru", printable.Clipped(string(value),
		maxShown))
}

// setChecks sets a list of checks. Unknown names are omitted and reported.
func setChecks(to *[]string, value json.RawMessage) error {
	var names []string
	if err := json.Unmarshal(value, &names); err != nil {
		return fmt.Errorf("%s is not a list of names of checks, such as [\"portability\"]",
			printable.Clipped(string(value), maxShown))
	}
	*to = nil
	for _, name := range names {
		if lint.Find(name) != nil {
			*to = append(*to, name)
		}
	}
	for _, name := range names {
		if lint.Find(name) != nil {
			continue
		}
		if near := lint.Nearest(name); near != "" {
			return fmt.Errorf("no check is called %s: did you mean %s?", printable.Quoted(name, maxShown), near)
		}
		return fmt.Errorf("no check is called %s: robots lint --explain lists them", printable.Quoted(name, maxShown))
	}
	return nil
}
