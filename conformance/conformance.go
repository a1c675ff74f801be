// Package conformance holds test vectors for programs that read robots.txt, in any language, and
// runs the vectors against programs.
//
// The vectors are JSON files under vectors, with a folder for each profile and a file for each
// section of a document; schema.json describes them. A profile is one way of reading robots.txt and
// has the name of a dialect of package robots: a program conforms to a profile if it gives the
// expected verdict for every ask of the profile.
//
// Programs that are not written in Go use the ask protocol: see [Question] and [Answer].
package conformance

import (
	"bytes"
	"embed"
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"path"
	"strings"
)

// embedded holds the vectors and schema.json.
//
//go:embed vectors schema.json
var embedded embed.FS

// A Section is the vectors of one section of a document, from one file.
type Section struct {
	Schema   string `json:"$schema"`
	Profile  string `json:"profile"`  // rfc9309, google, koster1994, koster1996 or kollar1996
	Document string `json:"document"` // such as "RFC 9309"
	Section  string `json:"section"`  // such as "2.2.2"
	Title    string `json:"title"`
	Cases    []Case `json:"cases"`
}

// A Case is one text with the questions about it.
type Case struct {
	Name string `json:"name"` // lower case with hyphens, once in a file
	Why  string `json:"why"`  // the sentence or the reason behind the case

	// The text is Robots, or RobotsBase64 if it is not UTF-8.
	Robots       string `json:"robots,omitempty"`
	RobotsBase64 []byte `json:"robots_base64,omitempty"`

	Asks []Ask `json:"asks"`
}

// Text returns the robots.txt of the case.
func (c *Case) Text() []byte {
	if c.RobotsBase64 != nil {
		return c.RobotsBase64
	}
	return []byte(c.Robots)
}

// An Ask is a question with the expected answer.
type Ask struct {
	Agent   string `json:"agent"`
	URL     string `json:"url"`
	Allowed bool   `json:"allowed"`
	Line    int    `json:"line,omitempty"` // the deciding line, from 1 on; 0 if no rule decides
}

// Sections returns all vectors in the order of their file names.
func Sections() ([]Section, error) {
	var all []Section
	err := fs.WalkDir(embedded, "vectors", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		data, err := embedded.ReadFile(name)
		if err != nil {
			return err
		}
		section, err := parse(data)
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		if dir := path.Base(path.Dir(name)); section.Profile != dir {
			return fmt.Errorf("%s: profile %q in folder %q", name, section.Profile, dir)
		}
		all = append(all, section)
		return nil
	})
	return all, err
}

// AppendList appends a JSON array with an object for each section: "profile", "document", "section"
// and "title", and the numbers of "cases" and "asks".
func AppendList(b []byte, sections []Section) []byte {
	type listed struct {
		Profile  string `json:"profile"`
		Document string `json:"document"`
		Section  string `json:"section"`
		Title    string `json:"title"`
		Cases    int    `json:"cases"`
		Asks     int    `json:"asks"`
	}
	list := []listed{}
	for _, s := range sections {
		l := listed{s.Profile, s.Document, s.Section, s.Title, len(s.Cases), 0}
		for i := range s.Cases {
			l.Asks += len(s.Cases[i].Asks)
		}
		list = append(list, l)
	}
	data, err := json.Marshal(list)
	if err != nil {
		panic(err) // strings and numbers have no error
	}
	return append(b, data...)
}

// parse reads one file of vectors. Unknown members are errors, so that a misspelt member does not
// lose an expectation.
func parse(data []byte) (s Section, err error) {
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	if err := d.Decode(&s); err != nil {
		return s, err
	}
	if _, err := d.Token(); err != io.EOF {
		return s, fmt.Errorf("more than one JSON value")
	}
	return s, nil
}

// id returns the address of a case: profile, section and name, such as
// "rfc9309/2.2.2/longest-match".
func (s *Section) id(c *Case) string {
	return strings.Join([]string{s.Profile, s.Section, c.Name}, "/")
}
