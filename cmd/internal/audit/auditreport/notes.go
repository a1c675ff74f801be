package auditreport

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/robotsexclusion/robots/audit"
	"github.com/robotsexclusion/robots/cmd/internal/audit/auditsites"
	"github.com/robotsexclusion/robots/cmd/internal/audit/identify"
	"github.com/robotsexclusion/robots/internal/language"
)

// Notes are remarks about the figures of a report, as data. Each form of the report makes its own
// sentences from them, because JSON is in English and other forms are in the user's language. Parts
// of audits store notes: the names of their members never change. The zero value says only what the
// report itself lacks.
type Notes struct {
	Sources    []string          `json:"sources,omitempty"` // where the versions are known from, for letters
	Sites      []auditsites.Note `json:"sites,omitempty"`   // about the versions of robots.txt
	Formats    []Format          `json:"formats,omitempty"` // by name
	Unreadable []UnreadableLine  `json:"unreadable,omitempty"`
	Identity   *identify.Notes   `json:"identity,omitempty"` // about the verification of robots, or nil
}

// In returns the notes about a report in a language. A Hider hides the addresses in them, and may
// be nil.
func (n *Notes) In(l language.Language, r *audit.Report, by *Hider) []string {
	notes := lacking(l, r)
	for _, note := range n.Sites {
		notes = append(notes, note.In(l))
	}
	notes = append(notes, formatNotes(l, n.Formats)...)
	for _, line := range n.Unreadable {
		notes = append(notes, line.in(l))
	}
	if n.Identity != nil {
		notes = append(notes, n.Identity.In(l)...)
	}
	if by != nil {
		for i, text := range notes { // some have lines that could not be read
			notes[i] = by.Text(text)
		}
		notes = append(notes, by.Note(l))
	}
	return notes
}

// ReadNotes reads notes that were stored as JSON. Without JSON it returns zero Notes. Notes of
// later versions of this program are refused.
func ReadNotes(data []byte) (*Notes, error) {
	n := new(Notes)
	if len(data) == 0 {
		return n, nil
	}
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	if err := d.Decode(n); err != nil {
		return nil, fmt.Errorf("its notes cannot be read: %w", err)
	}
	return n, nil
}

// JoinNotes joins the notes of several parts of an audit. The order of the parts has no meaning,
// and what several parts say is said once: the notes are those of one audit of all logs.
func JoinNotes(all []*Notes) *Notes {
	joined := new(Notes)
	var sources [][]string
	var sites [][]auditsites.Note
	var identities []*identify.Notes
	for _, n := range all {
		sources, sites, identities = append(sources, n.Sources), append(sites, n.Sites), append(identities, n.Identity)
		joined.Formats = append(joined.Formats, n.Formats...)
		joined.Unreadable = append(joined.Unreadable, n.Unreadable...)
	}
	joined.Sources = joinLists(sources, strings.Compare)
	joined.Sites = joinLists(sites, func(a, b auditsites.Note) int {
		return cmp.Or(strings.Compare(a.Kind, b.Kind), slices.Compare(a.Args, b.Args))
	})
	joined.Formats = joinFormats(joined.Formats)
	joined.Unreadable = firstUnreadable(joined.Unreadable)
	joined.Identity = identify.JoinNotes(identities...)
	return joined
}

// joinLists returns the common list if all lists are equal, or else the union of all, in the order
// of compare: parts of one audit were read with the same options, but perhaps under other names.
func joinLists[T any](lists [][]T, compare func(a, b T) int) (all []T) {
	same := func(a, b T) bool { return compare(a, b) == 0 }
	differ := false
	for _, list := range lists {
		differ = differ || !slices.EqualFunc(list, lists[0], same)
		all = append(all, list...)
	}
	if !differ && len(lists) > 0 {
		return lists[0]
	}
	slices.SortFunc(all, compare)
	return slices.CompactFunc(all, same)
}

// lacking says which facts a report lacks because of its limits.
func lacking(l language.Language, r *audit.Report) []string {
	notes := []string{}
	if r.Proxied > 0 {
		notes = append(notes, textProxied.In(l, number(l, r.Proxied), proxyNames(r.Proxies)))
	}
	if r.OtherHosts > 0 {
		notes = append(notes, textOtherHosts.In(l, number(l, r.OtherHosts)))
	}
	if r.Others != nil {
		notes = append(notes, textOthers.In(l, number(l, r.Others.Requests)))
	}
	if r.WithoutHours > 0 {
		notes = append(notes, textWithoutHours.In(l, number(l, int64(r.WithoutHours))))
	}
	if r.MoreSuspects > 0 {
		notes = append(notes, textSuspectsCut.In(l, number(l, int64(r.MoreSuspects))))
	}
	if r.Sample.Kept < r.Sample.Requests {
		notes = append(notes, textSampled.In(l, number(l, r.Sample.Kept), number(l, r.Sample.Requests)))
	}
	return notes
}

// proxyNames returns the first addresses of a proxy.
func proxyNames(addresses []string) string {
	const most = 5
	switch {
	case len(addresses) == 0: // they are too many to be kept
		return "…"
	case len(addresses) > most:
		return strings.Join(addresses[:most], ", ") + ", …"
	}
	return strings.Join(addresses, ", ")
}

var (
	textBehindProxy = language.New(
		"these logs look as if they were written behind a proxy: no robot is verified or forged, and a ban of its address would keep out everybody")
	textProxied = language.New(
		"Nearly all requests of robots came from addresses that bring people too, or that belong to a content delivery network: %[1]s requests, from %[2]s. Let the server log the address of the client (real_ip of nginx, mod_remoteip of Apache httpd), or X-Forwarded-For.")
	textOtherHosts = language.New("The logs name more hosts than the report lists. Requests to the others: %[1]s.")
	textOthers     = language.New(
		"The logs name too many robots and programs that are in no table to list them all. Requests of the others, which are counted together: %[1]s.")
	textWithoutHours = language.New(
		"The hours of all robots and programs are too many. Robots and programs whose load is given by day only, or not at all: %[1]s.")
	textSuspectsCut = language.New(
		"The report lists those suspects that have the most evidence. Suspects it does not list: %[1]s.")
	textSampled = language.New(
		"The suspects were found in a sample: %[1]s of %[2]s requests of clients that do not call themselves robots.")
)
