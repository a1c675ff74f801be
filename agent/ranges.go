package agent

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/netip"
	"slices"
	"strings"
	"time"

	"github.com/robotsexclusion/robots/internal/address"
)

// Limits of a range document.
const (
	maxDocument = 8 << 20 // the maximum size that is read
	maxPrefixes = 1 << 17 // the maximum number of entries: the longest known list has some 10,000

	// Prefixes shorter than these hold more addresses than any operator of robots has, so they can
	// only be a mistake.
	minBits4 = 8
	minBits6 = 16
)

// addressRanges are the addresses that an operator publishes for a robot. They are immutable and
// safe for concurrent use. Their zero value contains no address.
type addressRanges struct {
	created  time.Time
	skipped  int
	prefixes []netip.Prefix  // by address; for equal addresses the shorter first
	within   []int32         // for each prefix the longest other one that contains it, or -1
	starts4  []uint32        // the addresses of the IPv4 prefixes, which are the first, as numbers
	halves4  [1 << 10]uint64 // a bit for each first half of an IPv4 address: whether a prefix has such addresses
}

// parseRanges reads a published range document, which is one of
//
//   - JSON as Google, Bing, OpenAI and others publish it (draft-illyes-webbotauth-jafar):
//     {"creationTime": …, "prefixes": [{"ipv4Prefix": …}, {"ipv6Prefix": …}]};
//     members with other names are ignored
//   - JSON with an array of prefixes as text, alone or as "prefixes"
//   - text with one prefix a line, and comments that start with "#"
//   - a geofeed (RFC 8805): the same with columns after a comma, which are ignored
//
// An address without a length is a prefix of one address. Bits of an address beyond its length are
// dropped. Entries that are not prefixes are skipped.
//
// parseRanges returns an error if the document has no prefix, if more entries are skipped than
// read, if it has more than 131,072, or if a prefix is shorter than /8 (IPv4) or /16 (IPv6): such a
// document identifies nobody.
func parseRanges(data []byte) (*addressRanges, error) {
	data = bytes.TrimSpace(bytes.TrimPrefix(data, []byte("\uFEFF")))
	if len(data) == 0 {
		return nil, errors.New("the range document is empty")
	}
	r := new(addressRanges)
	var err error
	switch data[0] {
	case '{', '[':
		err = r.readJSON(data)
	case '<':
		err = errors.New("the range document is HTML or XML, not JSON or one prefix a line")
	default:
		if err = r.readLines(string(data)); err != nil {
			err = fmt.Errorf("the range document cannot be used: %w", err)
		}
	}
	switch {
	case err != nil:
		return nil, err
	case len(r.prefixes) == 0:
		return nil,
			errors.New(`no prefix in the range document: expected {"prefixes": [{"ipv4Prefix": "192.0.2.0/24"}]} or one prefix a line`)
	case r.skipped > len(r.prefixes):
		return nil, fmt.Errorf("of the range document's %d entries only %d are prefixes", r.skipped+len(r.prefixes),
			len(r.prefixes))
	}
	r.index()
	return r, nil
}

// InRanges looks up an address in a range document, which the operator of a robot publishes. The
// Result is [Verified] if the document lists the address, otherwise [Forged], or [Unverifiable] if
// entries of the document are unreadable or the address is not one of the Internet. Prefix is the
// longest prefix with the address. A document that a [Verifier] cannot use is an error.
func InRanges(document []byte, addr netip.Addr) (RangeDocument, error) {
	if len(document) > maxDocument {
		return RangeDocument{}, fmt.Errorf("the range document has %d bytes, more than %d", len(document), maxDocument)
	}
	r, err := parseRanges(document)
	if err != nil {
		return RangeDocument{}, err
	}
	d := RangeDocument{Result: Forged, Prefixes: len(r.prefixes), Skipped: r.skipped, Created: r.created}
	addr = address.Plain(addr)
	if prefix, ok := r.find(addr); ok {
		d.Result, d.Prefix = Verified, prefix
	} else if r.skipped > 0 || address.Inside(addr) {
		d.Result = Unverifiable
	}
	return d, nil
}

// readJSON adds the prefixes of a JSON document, entry by entry.
func (r *addressRanges) readJSON(data []byte) error {
	d := json.NewDecoder(bytes.NewReader(data))
	err := r.readValue(d)
	if err == nil {
		if _, more := d.Token(); more != io.EOF {
			err = errors.New("there is something after its end")
		}
	}
	var syntax *json.SyntaxError
	switch {
	case err == nil:
		return nil
	case errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF):
		err = errors.New("it ends before its last bracket: fetch it again")
	case errors.As(err, &syntax):
		err = fmt.Errorf("it is not JSON: %w", syntax)
	}
	return fmt.Errorf("the range document cannot be used: %w", err)
}

// readValue reads an object with the prefixes, or an array of prefixes.
func (r *addressRanges) readValue(d *json.Decoder) error {
	open, err := d.Token()
	if err != nil {
		return err
	}
	if open == json.Delim('[') {
		return r.readArray(d)
	}
	for d.More() {
		name, err := d.Token()
		if err != nil {
			return err
		}
		if name == "prefixes" {
			if open, err := d.Token(); err != nil {
				return err
			} else if open != json.Delim('[') {
				return errors.New(`"prefixes" is not an array`)
			}
			if err := r.readArray(d); err != nil {
				return err
			}
			continue
		}
		var value json.RawMessage
		if err := d.Decode(&value); err != nil {
			return err
		}
		if name == "creationTime" {
			r.created = creationTime(value)
		}
	}
	_, err = d.Token()
	return err
}

// readArray reads the entries of an array, and its end.
func (r *addressRanges) readArray(d *json.Decoder) error {
	for d.More() {
		var entry json.RawMessage
		if err := d.Decode(&entry); err != nil {
			return err
		}
		if err := r.add(prefixText(entry)); err != nil {
			return err
		}
	}
	_, err := d.Token()
	return err
}

// prefixText returns the prefix of an entry, or "" unless the entry has exactly one.
func prefixText(entry json.RawMessage) (text string) {
	if json.Unmarshal(entry, &text) == nil {
		return text
	}
	var object struct {
		V4 *string `json:"ipv4Prefix"`
		V6 *string `json:"ipv6Prefix"`
	}
	if json.Unmarshal(entry, &object) != nil || (object.V4 == nil) == (object.V6 == nil) {
		return ""
	}
	if object.V4 != nil {
		return *object.V4
	}
	return *object.V6
}

// creationTime parses the time of a document. Operators write it with a zone, or without one, which
// means UTC, and with fractions of seconds. The result is zero for any other form: nothing depends
// on it.
func creationTime(text json.RawMessage) time.Time {
	var s string
	if json.Unmarshal(text, &s) != nil {
		return time.Time{}
	}
	for _, layout := range []string{time.RFC3339, "2006-01-02T15:04:05", time.DateTime, time.DateOnly} {
		if t, err := time.Parse(layout, s); err == nil {
			return t.UTC()
		}
	}
	return time.Time{}
}

// readLines adds the prefixes of a text with one prefix per line.
func (r *addressRanges) readLines(text string) error {
	entries := 0
	for line := range strings.FieldsFuncSeq(text, func(c rune) bool { return c == '\n' || c == '\r' }) {
		line = strings.TrimLeft(line, " \t")
		if i := strings.IndexAny(line, " \t,;#"); i >= 0 {
			line = line[:i]
		}
		if line == "" {
			continue // blank, or a comment
		}
		before := r.skipped
		if err := r.add(strings.Trim(line, `"`)); err != nil {
			return err
		}
		if entries++; entries == 1 {
			r.skipped = before // a line before the first prefix is a table heading
		}
	}
	return nil
}

// add adds the prefix in text, or skips text if it is not a prefix.
func (r *addressRanges) add(text string) error {
	if len(r.prefixes)+r.skipped == maxPrefixes {
		return fmt.Errorf("more than %d entries", maxPrefixes)
	}
	p, ok := parsePrefix(strings.TrimSpace(text))
	if !ok {
		r.skipped++
		return nil
	}
	least := minBits6
	if p.Addr().Is4() {
		least = minBits4
	}
	if p.Bits() < least {
		return fmt.Errorf("it has the prefix %s, which is shorter than /%d: that would make robots of everyone", p,
			least)
	}
	r.prefixes = append(r.prefixes, p)
	return nil
}

// parsePrefix parses a prefix or a single address. An IPv4 prefix written as IPv6 becomes the IPv4
// prefix.
func parsePrefix(s string) (p netip.Prefix, ok bool) {
	if strings.Contains(s, "/") {
		var err error
		if p, err = netip.ParsePrefix(s); err != nil {
			return p, false
		}
	} else {
		addr, err := netip.ParseAddr(s)
		if err != nil || addr.Zone() != "" {
			return p, false
		}
		p = netip.PrefixFrom(addr, addr.BitLen())
	}
	if p.Addr().Is4In6() && p.Bits() >= 96 {
		p = netip.PrefixFrom(p.Addr().Unmap(), p.Bits()-96)
	}
	return p.Masked(), true
}

// index sorts the prefixes and finds which contains which.
func (r *addressRanges) index() {
	slices.SortFunc(r.prefixes, func(a, b netip.Prefix) int {
		return cmp.Or(a.Addr().Compare(b.Addr()), cmp.Compare(a.Bits(), b.Bits()))
	})
	r.prefixes = slices.Clip(slices.Compact(r.prefixes))
	r.within = make([]int32, len(r.prefixes))
	r.starts4 = r.starts4[:0]
	for _, p := range r.prefixes {
		if p.Addr().Is4() {
			r.starts4 = append(r.starts4, number4(p.Addr()))
			r.addHalves(p)
		}
	}
	outer := int32(-1) // the longest before that may hold the next
	for i, p := range r.prefixes {
		for outer >= 0 && !r.prefixes[outer].Contains(p.Addr()) {
			outer = r.within[outer]
		}
		r.within[i] = outer
		outer = int32(i)
	}
}

// find returns the longest of the prefixes that contain addr. An IPv6 address that stands for an
// IPv4 address is looked up as IPv4, and a zone is ignored. find takes time logarithmic in the
// number of prefixes, and allocates nothing.
func (r *addressRanges) find(addr netip.Addr) (prefix netip.Prefix, ok bool) {
	addr = address.Plain(addr)
	after := r.after(addr)
	// A prefix that contains addr starts at addr or before, and contains all prefixes that start
	// between. So it contains the last of them, or is the last.
	for i := int32(after) - 1; i >= 0; i = r.within[i] {
		if p := r.prefixes[i]; p.Contains(addr) {
			return p, true
		}
	}
	return netip.Prefix{}, false
}

// contains reports whether a prefix contains addr, an address as plain returns it. Most addresses
// are in no prefix, and most of them differ from all prefixes in their first half.
func (r *addressRanges) contains(addr netip.Addr) bool {
	if addr.Is4() {
		half := number4(addr) >> 16
		if r.halves4[half/64]>>(half%64)&1 == 0 {
			return false
		}
	}
	_, ok := r.find(addr)
	return ok
}

// addHalves sets the bits of the first halves of the addresses of an IPv4 prefix.
func (r *addressRanges) addHalves(p netip.Prefix) {
	first := number4(p.Addr()) >> 16
	last := first | 0xffff>>min(p.Bits(), 16)
	for half := first; half <= last; half++ {
		r.halves4[half/64] |= 1 << (half % 64)
	}
}

// after returns the number of prefixes that start at addr or before. IPv4 addresses are before all
// others.
func (r *addressRanges) after(addr netip.Addr) int {
	if !addr.Is4() {
		n := len(r.starts4)
		after, _ := slices.BinarySearchFunc(r.prefixes[n:], addr, func(p netip.Prefix, addr netip.Addr) int {
			if p.Addr().Compare(addr) <= 0 {
				return -1
			}
			return 1
		})
		return n + after
	}
	number := number4(addr)
	low, high := 0, len(r.starts4)
	for low < high {
		middle := int(uint(low+high) >> 1)
		if r.starts4[middle] <= number {
			low = middle + 1
		} else {
			high = middle
		}
	}
	return low
}

// number4 returns an IPv4 address as a number.
func number4(addr netip.Addr) uint32 {
	a := addr.As4()
	return binary.BigEndian.Uint32(a[:])
}
