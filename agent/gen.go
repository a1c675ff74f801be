//go:build ignore

// Gen writes table.go from data/robots.json and data/words.txt. It checks the
// data first, and writes nothing where something is wrong with them.
//
//	go run gen.go
package main

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"go/format"
	"maps"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"
)

func main() {
	data := flag.String("data", "data", "the `folder` of robots.json and words.txt")
	out := flag.String("o", "table.go", "the `file` to write, or - for standard output")
	flag.Parse()
	text, err := generate(*data)
	if err == nil && *out == "-" {
		_, err = os.Stdout.Write(text)
	} else if err == nil {
		err = os.WriteFile(*out, text, 0o666)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func generate(folder string) ([]byte, error) {
	t, err := readTable(filepath.Join(folder, "robots.json"))
	if err != nil {
		return nil, err
	}
	l, err := readWords(filepath.Join(folder, "words.txt"))
	if err != nil {
		return nil, err
	}
	return write(t, l)
}

// A table is what robots.json holds; data/schema.json says what the fields are.
type table struct {
	Sources map[string]source `json:"sources"`
	Robots  []robot           `json:"robots"`
}

type source struct {
	Title    string `json:"title"`
	URL      string `json:"url"`
	Revision string `json:"revision"`
	Date     string `json:"date"`
	Licence  string `json:"licence"`
}

type robot struct {
	Token      string            `json:"token"`
	Name       string            `json:"name"`
	Operator   string            `json:"operator"`
	Purposes   []string          `json:"purposes"`
	Match      *[]string         `json:"match"`
	PolicyOnly bool              `json:"policy_only"`
	Fallback   []string          `json:"fallback"`
	Everyone   *bool             `json:"everyone"`
	RobotsTxt  string            `json:"robots_txt"`
	CrawlDelay string            `json:"crawl_delay"`
	Meta       []string          `json:"meta"`
	Verify     *recipe           `json:"verify"`
	Docs       string            `json:"docs"`
	Checked    string            `json:"checked"`
	From       map[string]string `json:"from"`
}

type recipe struct {
	Ranges []string `json:"ranges"`
	DNS    []string `json:"dns"`
}

// names returns the names that headers show the robot by.
func (r *robot) names() []string {
	if r.Match == nil {
		return []string{r.Token}
	}
	return *r.Match
}

// The words that the data may use for the constants of the package.
var (
	purposes = map[string]string{
		"search": "Search", "ai-train": "AITrain", "ai-search": "AISearch", "ai-user": "AIUser", "preview": "Preview",
		"ads": "Ads", "seo": "SEO", "monitor": "Monitor", "archive": "Archive", "research": "Research", "feed": "Feed",
		"security": "Security", "shopping": "Shopping", "social": "Social", "tool": "Tool", "other": "Other",
	}
	obediences = map[string]string{"yes": "Obeys", "partly": "Partly", "no": "Ignores", "unknown": "Unsaid"}
	delays     = map[string]string{"no": "DelayIgnored", "pause": "DelayPause", "rate": "DelayRate", "unknown": "DelayUnsaid"}
)

// readTable reads robots.json, and returns the robots in the order of their
// tokens.
func readTable(file string) (*table, error) {
	data, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	t := new(table)
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	if err := d.Decode(t); err != nil {
		line := 1 + bytes.Count(data[:d.InputOffset()], []byte("\n"))
		return nil, fmt.Errorf("%s:%d: %w", file, line, err)
	}
	if d.More() {
		return nil, fmt.Errorf("%s: something follows the table", file)
	}
	slices.SortStableFunc(t.Robots, func(a, b robot) int {
		return cmp.Compare(strings.ToLower(a.Token), strings.ToLower(b.Token))
	})
	var errs []error
	t.check(func(format string, args ...any) {
		errs = append(errs, fmt.Errorf("%s: "+format, append([]any{file}, args...)...))
	})
	return t, errors.Join(errs...)
}

var (
	// RFC 9309 has letters, "-" and "_". Operators give tokens with digits and
	// other octets nevertheless, such as MJ12bot and Y!J. A token is what a
	// robot reads of a user-agent line: it ends at white space, "/" and "#".
	tokenForm = regexp.MustCompile(`^[A-Za-z0-9!'._-]*[A-Za-z0-9][A-Za-z0-9!'._-]*$`)
	wordForm  = regexp.MustCompile(`^[\w!%\x80-\xff-]+(\.[\w!%\x80-\xff-]+)*( [\w!%\x80-\xff-]+(\.[\w!%\x80-\xff-]+)*)*$`)
	metaForm  = regexp.MustCompile(`^[a-z0-9_-]+$`)
	hostForm  = regexp.MustCompile(`^([a-z0-9]([a-z0-9-]*[a-z0-9])?\.)+[a-z]+$`)
)

// check reports all that is wrong with a table.
func (t *table) check(report func(format string, args ...any)) {
	if len(t.Robots) == 0 {
		report("there are no robots in it")
	}
	for id, s := range t.Sources {
		_, day := time.Parse("2006-01-02", s.Date)
		_, month := time.Parse("2006-01", s.Date)
		if s.Date != "" && day != nil && month != nil {
			report("source %q: date %q is not of the form 2006-01-02 or 2006-01", id, s.Date)
		}
		if s.Title == "" {
			report("source %q: title is missing", id)
		}
		checkURL(s.URL, func(why string) { report("source %q: url %q %s", id, s.URL, why) })
	}
	tokens := make(map[string]string) // in lower case, to the token as written
	names := make(map[string]string)  // in lower case, to the token of the robot
	for i, r := range t.Robots {
		report := func(format string, args ...any) {
			report("robot %s: "+format, append([]any{cmp.Or(r.Token, "without a token")}, args...)...)
		}
		if other, ok := tokens[strings.ToLower(r.Token)]; ok {
			report("the token stands there twice, also as %s", other)
		}
		tokens[strings.ToLower(r.Token)] = r.Token
		for _, name := range r.names() {
			if other, ok := names[strings.ToLower(name)]; ok {
				report("match %q is a name of %s already", name, other)
			}
			names[strings.ToLower(name)] = r.Token
		}
		t.Robots[i].check(report)
		for field, id := range r.From {
			if _, ok := t.Sources[id]; !ok {
				report("from: source %q of %q is not among the sources", id, field)
			}
		}
	}
	for _, r := range t.Robots {
		for i, token := range r.Fallback {
			switch other, ok := tokens[strings.ToLower(token)]; {
			case !ok:
				report("robot %s: fallback %q is not a robot of the table", r.Token, token)
			case other != token:
				report("robot %s: fallback %q is written %q there", r.Token, token, other)
			case token == r.Token || slices.Contains(r.Fallback[:i], token):
				report("robot %s: fallback %q is itself, or stands there twice", r.Token, token)
			}
		}
	}
}

// check reports all that is wrong with a robot by itself.
func (r *robot) check(report func(format string, args ...any)) {
	if !tokenForm.MatchString(r.Token) {
		report("token %q is no product token: letters, digits, and any of - _ . ! ', without blanks", r.Token)
	}
	if r.Name == "" {
		report("name is missing")
	}
	if len(r.Purposes) == 0 {
		report("purposes are missing; there is \"other\"")
	}
	for i, p := range r.Purposes {
		if purposes[p] == "" {
			report("purpose %q is none of %s", p, keysOf(purposes))
		}
		if slices.Contains(r.Purposes[:i], p) {
			report("purpose %q stands there twice", p)
		}
	}
	if r.RobotsTxt != "" && obediences[r.RobotsTxt] == "" {
		report("robots_txt %q is none of %s", r.RobotsTxt, keysOf(obediences))
	}
	if r.CrawlDelay != "" && delays[r.CrawlDelay] == "" {
		report("crawl_delay %q is none of %s", r.CrawlDelay, keysOf(delays))
	}
	if r.PolicyOnly != (len(r.names()) == 0) {
		report("policy_only is for those with an empty match, which no header shows, and for all of them")
	}
	for _, name := range r.names() {
		if !wordForm.MatchString(name) {
			report("match %q is not made of whole words with one blank between them: a word has letters, digits, \"-\", \"_\", \"!\", \"%%\", and dots inside", name)
		}
	}
	for _, name := range r.Meta {
		if !metaForm.MatchString(name) || name == "robots" {
			report("meta %q is no name in lower case besides \"robots\"", name)
		}
	}
	if r.Verify != nil {
		for _, u := range r.Verify.Ranges {
			checkURL(u, func(why string) { report("verify: ranges %q %s", u, why) })
		}
		for _, host := range r.Verify.DNS {
			if !hostForm.MatchString(host) {
				report("verify: dns %q is no domain in lower case, such as googlebot.com", host)
			}
		}
		if len(r.Verify.Ranges)+len(r.Verify.DNS) == 0 {
			report("verify is empty: leave it out")
		}
	}
	if r.Docs != "" {
		checkURL(r.Docs, func(why string) { report("docs %q %s", r.Docs, why) })
	}
	if _, err := time.Parse("2006-01", r.Checked); err != nil {
		report("checked %q is not of the form 2006-01", r.Checked)
	}
	r.checkSources(report)
}

// checkSources reports fields that no source is given for, and sources of what
// is no field.
func (r *robot) checkSources(report func(format string, args ...any)) {
	fields := map[string]bool{ // with whether the robot has them
		"token": true, "name": true, "operator": r.Operator != "", "purposes": true, "match": r.Match != nil,
		"policy_only": r.PolicyOnly, "fallback": len(r.Fallback) > 0, "everyone": r.Everyone != nil, "robots_txt": r.RobotsTxt != "",
		"crawl_delay": r.CrawlDelay != "", "meta": len(r.Meta) > 0, "verify": r.Verify != nil, "docs": r.Docs != "",
	}
	for _, field := range slices.Sorted(maps.Keys(r.From)) {
		if has, known := fields[field]; !known && field != "*" {
			report("from: %q is no field that has a source", field)
		} else if known && !has {
			report("from: there is a source of %s, but no %s", field, field)
		}
	}
	for _, field := range slices.Sorted(maps.Keys(fields)) {
		if fields[field] && r.From[field] == "" && r.From["*"] == "" {
			report("from: no source is given for %s", field)
		}
	}
}

func checkURL(s string, report func(why string)) {
	u, err := url.Parse(s)
	if err != nil || u.Scheme != "https" || u.Host == "" || strings.ContainsAny(s, " <>\"") {
		report("is no https URL")
	}
}

func keysOf(m map[string]string) string {
	return strings.Join(slices.Sorted(maps.Keys(m)), ", ")
}

// A list is what words.txt holds.
type list struct {
	classes map[string][]string // of words, in lower case
	parts   []string            // of words, in the order of the alphabet
	endings []string            // those of the parts that end a part of a word
}

var classes = []string{
	"robot", "tool", "library", "mozilla", "browser", "engine", "system", "device", "android",
	"compatible", "khtml", "gecko", "msie", "others", "plain",
}

// readWords reads words.txt.
func readWords(file string) (*list, error) {
	data, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	l := &list{classes: make(map[string][]string)}
	number := 0
	for line := range strings.Lines(string(data)) {
		number++
		line, _, _ = strings.Cut(line, "#")
		class, words, ok := strings.Cut(strings.TrimSpace(line), ":")
		switch {
		case class == "" && !ok:
			continue
		case !ok || class != "part" && class != "ending" && !slices.Contains(classes, class):
			return nil, fmt.Errorf("%s:%d: not of the form \"class: word, word\" with one of the classes part, ending, %s", file, number, strings.Join(classes, ", "))
		}
		for word := range strings.SplitSeq(words, ",") {
			if err := l.add(class, strings.TrimSpace(word)); err != nil {
				return nil, fmt.Errorf("%s:%d: %w", file, number, err)
			}
		}
	}
	slices.Sort(l.parts)
	return l, nil
}

// add adds a word of a class.
func (l *list) add(class, word string) error {
	lower := strings.ToLower(word)
	if class == "part" || class == "ending" {
		if strings.Trim(word, "abcdefghijklmnopqrstuvwxyz") != "" || word == "" || slices.Contains(l.parts, word) {
			return fmt.Errorf("%s %q is not of small letters, or stands there twice", class, word)
		}
		l.parts = append(l.parts, word)
		if class == "ending" {
			l.endings = append(l.endings, word)
		}
		return nil
	}
	if !wordForm.MatchString(word) {
		return fmt.Errorf("%q is not made of whole words with one blank between them", word)
	}
	if slices.Contains(l.classes[lower], class) {
		return fmt.Errorf("%q is among the words of class %s already", word, class)
	}
	l.classes[lower] = append(l.classes[lower], class)
	return nil
}

// A key is a name or a word that the package looks up.
type key struct {
	shown, token int // 1 + the number of a robot
	classes      []string
	longer       bool
}

// write returns table.go.
func write(t *table, l *list) ([]byte, error) {
	keys := make(map[string]*key)
	get := func(name string) *key {
		name = strings.ToLower(name)
		if keys[name] == nil {
			keys[name] = new(key)
		}
		return keys[name]
	}
	add := func(name string) *key {
		for i, c := range name {
			if c == ' ' {
				get(name[:i]).longer = true
			}
		}
		return get(name)
	}
	version := ""
	for i, r := range t.Robots {
		get(r.Token).token = i + 1
		for _, name := range r.names() {
			add(name).shown = i + 1
		}
		version = max(version, r.Checked)
	}
	for word, classes := range l.classes {
		add(word).classes = classes
	}

	var b bytes.Buffer
	b.WriteString("// Code generated by gen.go from data/robots.json and data/words.txt; DO NOT EDIT.\n\npackage agent\n\n")
	for _, s := range t.Sources {
		version = max(version, s.Date)
	}
	fmt.Fprintf(&b, "// Version tells the state of the table: the day of its newest source, and the\n// number of its robots.\nconst Version = \"%s, %d robots\"\n\n", version, len(t.Robots))
	writeRobots(&b, t)
	names := slices.Sorted(maps.Keys(keys))
	writeKeys(&b, names, keys)
	writeSlots(&b, names)
	writeParts(&b, l)
	writeOctets(&b)
	return format.Source(b.Bytes())
}

func writeRobots(b *bytes.Buffer, t *table) {
	b.WriteString("var robots = [...]robot{\n")
	for _, r := range t.Robots {
		fmt.Fprintf(b, "{\nname: %q, ", r.Name)
		field(b, "operator", r.Operator)
		b.WriteString("\n")
		strs(b, "tokens", slices.Concat([]string{r.Token}, r.Fallback))
		var set []string
		for _, p := range r.Purposes {
			set = append(set, purposes[p])
		}
		fmt.Fprintf(b, "purposes: %s, ", strings.Join(set, "|"))
		if r.RobotsTxt != "" {
			fmt.Fprintf(b, "obedience: %s, ", obediences[r.RobotsTxt])
		}
		if r.CrawlDelay != "" {
			fmt.Fprintf(b, "delay: %s, ", delays[r.CrawlDelay])
		}
		if r.Everyone != nil && !*r.Everyone {
			b.WriteString("alone: true, ")
		}
		if r.PolicyOnly {
			b.WriteString("policyOnly: true, ")
		}
		b.WriteString("\n")
		strs(b, "meta", r.Meta)
		if r.Verify != nil {
			strs(b, "ranges", r.Verify.Ranges)
			strs(b, "dns", r.Verify.DNS)
		}
		field(b, "docs", r.Docs)
		field(b, "checked", r.Checked)
		b.WriteString("\n},\n")
	}
	b.WriteString("}\n\n")
}

func field(b *bytes.Buffer, name, value string) {
	if value != "" {
		fmt.Fprintf(b, "%s: %q, ", name, value)
	}
}

func strs(b *bytes.Buffer, name string, list []string) {
	if len(list) > 0 {
		fmt.Fprintf(b, "%s: %#v,\n", name, list)
	}
}

func writeKeys(b *bytes.Buffer, names []string, keys map[string]*key) {
	b.WriteString("var keys = [...]key{\n")
	for _, name := range names {
		k := keys[name]
		fmt.Fprintf(b, "{text: %q, ", name)
		if k.shown > 0 {
			fmt.Fprintf(b, "shown: %d, ", k.shown)
		}
		if k.token > 0 {
			fmt.Fprintf(b, "token: %d, ", k.token)
		}
		if len(k.classes) > 0 {
			fmt.Fprintf(b, "class: %sClass, ", strings.Join(k.classes, "Class | "))
		}
		if k.longer {
			b.WriteString("longer: true")
		}
		b.WriteString("},\n")
	}
	b.WriteString("}\n\n")
}

// writeSlots writes the hash table of the keys: where the first bits of the
// hash point to, or in a slot after that, is 1 + the number of a key; 0 is an
// empty slot.
func writeSlots(b *bytes.Buffer, names []string) {
	bits := 2
	for 1<<bits < 4*len(names) {
		bits++
	}
	slots := make([]int, 1<<bits)
	for i, name := range names {
		at := int(hash(name) >> (32 - bits))
		for at < len(slots) && slots[at] != 0 {
			at++
		}
		if at == len(slots) {
			slots = append(slots, 0)
		}
		slots[at] = i + 1
	}
	slots = append(slots, 0)
	fmt.Fprintf(b, "const hashShift = 32 - %d\n\nvar slots = [...]uint16{", bits)
	for i, n := range slots {
		if i%16 == 0 {
			b.WriteString("\n")
		}
		fmt.Fprintf(b, "%d, ", n)
	}
	b.WriteString("\n}\n\n")
}

// hash is hashOf of the package.
func hash(name string) uint32 {
	h := uint32(2166136261)
	for i := range len(name) {
		h = (h ^ uint32(name[i])) * 16777619
	}
	return h
}

func writeParts(b *bytes.Buffer, l *list) {
	b.WriteString("// parts are the parts of words that robots go by, and partsFrom has for each\n// letter where those that start with it are.\nvar (\nparts = [...]part{")
	for _, p := range l.parts {
		fmt.Fprintf(b, "{%q, %t}, ", p, slices.Contains(l.endings, p))
	}
	b.WriteString("}\npartsFrom = [27]uint8{")
	for c := byte('a'); c <= 'z'+1; c++ {
		i := slices.IndexFunc(l.parts, func(p string) bool { return p[0] >= c })
		if i < 0 {
			i = len(l.parts)
		}
		fmt.Fprintf(b, "%d, ", i)
	}
	b.WriteString("}\n)\n\n")
	letters := 0
	for _, p := range l.parts {
		letters |= 1 << (p[0] - 'a')
	}
	fmt.Fprintf(b, "// partLetters has a bit for each letter that a part starts with, \"a\" the lowest.\nconst partLetters = %#x\n\n", letters)
}

// writeOctets writes what words are made of, and how bytes are compared.
func writeOctets(b *bytes.Buffer) {
	octets, folds := make([]byte, 256), make([]byte, 256)
	for c := range 256 {
		folds[c] = byte(c)
		switch {
		case 'A' <= c && c <= 'Z':
			folds[c] += 'a' - 'A'
		case c == '+':
			folds[c] = ' ' // as some programs write it
		}
		if c >= 0x80 || strings.IndexByte("abcdefghijklmnopqrstuvwxyz0123456789-_.!%", folds[c]) >= 0 {
			octets[c] = folds[c]
		}
	}
	row := func(name, comment string, table []byte) {
		fmt.Fprintf(b, "// %s %s\nvar %[1]s = [256]byte{", name, comment)
		for c, o := range table {
			if c%16 == 0 {
				b.WriteString("\n")
			}
			fmt.Fprintf(b, "%#02x, ", o)
		}
		b.WriteString("\n}\n\n")
	}
	row("octets", "has for each byte of words the byte in lower case, and 0 for others.", octets)
	row("folds", "has for each byte the one as which it is compared.", folds)
}
