package accesslog

import (
	"bytes"
	"encoding/binary"
	"math/bits"
	"net/netip"
)

// A head is the run of steps with which lines of the common and the combined format begin, and
// those of most formats of sites:
//
//	client ident user [time] "request" status size "referrer" "agent"
//
// It reads these fields at fixed places, without looking for the text between them. A line in
// another form than the usual one is left to the steps, which are the slow twin of the head:
// FuzzHead compares them.
type head struct {
	first, after int  // the steps from first to the one before after
	referrer     bool // whether a referrer and a User-Agent are among the steps
	whole        bool // whether nothing stands before the head, and no other field after it
	time         field
	end          []byte // text after the last step
}

// The texts of most lines before their times and behind them.
const (
	beforeTime = " - - ["
	timeSize   = len("17/May/2015:10:05:03 +0000")
	afterTime  = `] "`
)

// findHead returns the head of steps, or nil if they have none.
func findHead(steps []step) *head {
	h := &head{}
	if len(steps) > 0 && (steps[0].field == host || steps[0].field == firstHost) && string(steps[0].end) == " " {
		h.first = 1
	}
	i := h.first
	// take passes a step if it has one of the fields and is followed by the text.
	take := func(end string, quoted bool, names ...field) bool {
		if i == len(steps) || steps[i].quoted != quoted || string(steps[i].end) != end {
			return false
		}
		for _, name := range names {
			if steps[i].field == name {
				i++
				return true
			}
		}
		return false
	}
	// The hyphen for the user of RFC 1413 may be text of the format.
	named := take(" ", false, client, clientOrName) && take(" ", false, ident, ignored)
	if !named {
		i = h.first
		named = take(" - ", false, client, clientOrName)
	}
	if !named || !take(" [", false, ignored, user) || !take(afterTime, false, beginTime, endTime) {
		return nil
	}
	h.time = steps[i-1].field
	if !take(`" `, true, requestLine) || !take(" ", false, status) {
		return nil
	}
	h.after = i
	if take(` "`, false, size) && take(`" "`, true, referrer) && i < len(steps) && steps[i].quoted &&
		steps[i].field == agent {
		h.referrer, h.end = true, steps[i].end
		h.after = i + 1
	}
	return h
}

// A usualLine has the fields in the head of a line.
type usualLine struct {
	client   netip.Addr
	second   int64 // since 1970
	request  []byte
	status   int
	size     int64
	referrer []byte
	agent    []byte
}

// read stores the fields of the head in d and returns the text after them. If the line is not in
// the usual form, ok is false and d is as it was. The line has no backslash.
func (h *head) read(line []byte, d *draft) (rest []byte, ok bool) {
	var u usualLine
	end, ok := h.parse(line, &d.times, &u)
	if !ok {
		return nil, false
	}
	u.store(d.Request)
	d.moment, d.at = moment{seconds: u.second, zoned: true}, h.time
	return line[end:], true
}

// store stores the fields in r. It leaves fields alone that the head does not have.
func (u *usualLine) store(r *Request) {
	r.Client, r.Status, r.Bytes = u.client, u.status, u.size
	r.Referrer, r.UserAgent = unlessHyphen(u.referrer), unlessHyphen(u.agent)
	if request := unlessHyphen(u.request); request != nil {
		r.setRequestLine(request)
	}
}

// unlessHyphen returns the value of a field, which is nil if the line has "-" or nothing for it.
func unlessHyphen(value []byte) []byte {
	if len(value) == 0 || len(value) == 1 && value[0] == '-' {
		return nil
	}
	return value
}

// parse reads the fields of the head of a line without a backslash, and returns the index of the
// text after them.
func (h *head) parse(line []byte, times *timeCache, u *usualLine) (end int, ok bool) {
	request, ok := u.parseStart(line, times)
	if !ok {
		return 0, false
	}
	requestEnd := quoteFrom(line, request)
	size := requestEnd + len(`" 200 `)
	if requestEnd < 0 || size > len(line) || line[requestEnd+1] != ' ' {
		return 0, false
	}
	u.request = line[request:requestEnd]
	if u.status, ok = usualStatus(line[requestEnd+2:]); !ok {
		return 0, false
	}
	u.size = -1
	if h.referrer {
		return h.parseBrowser(line, size, u)
	}
	return size, true
}

// quoteFrom returns the index of the first quote in a line from an index on, or a negative number.
func quoteFrom(line []byte, from int) int {
	i := bytes.IndexByte(line[from:], '"')
	if i < 0 {
		return i
	}
	return from + i
}

// parseStart reads the client and the time from the beginning of a line, and returns the index of
// the text after them and the first quote.
func (u *usualLine) parseStart(line []byte, times *timeCache) (end int, ok bool) {
	v, n := leadingIPv4(line)
	if n > 0 {
		u.client = netip.AddrFrom4([4]byte{byte(v >> 24), byte(v >> 16), byte(v >> 8), byte(v)})
	} else if u.client, n = otherAddr(line); n == 0 {
		return 0, false
	}
	start := line[n:]
	if len(start) >= len(beforeTime) && string(start[:len(beforeTime)]) == beforeTime {
		start = start[len(beforeTime):]
	} else if start, ok = cutUser(start); !ok {
		return 0, false
	}
	if len(start) < timeSize+len(afterTime) {
		return 0, false
	}
	u.second, ok = times.read(start)
	return len(line) - len(start) + timeSize + len(afterTime), ok
}

// parseBrowser reads the size, which begins at an index of the line, the referrer and the
// User-Agent, and returns the index of the text after them.
func (h *head) parseBrowser(line []byte, at int, u *usualLine) (end int, ok bool) {
	digits := 0
	if at+8 < len(line) {
		digits, u.size = usualSize(line[at:])
	}
	referrer := at + digits + len(` "`)
	if digits == 0 || line[referrer-2] != ' ' || line[referrer-1] != '"' {
		return 0, false
	}
	referrerEnd := quoteFrom(line, referrer)
	agent := referrerEnd + len(`" "`)
	if referrerEnd < 0 || agent > len(line) || line[agent-2] != ' ' || line[agent-1] != '"' {
		return 0, false
	}
	agentEnd := quoteFrom(line, agent)
	if agentEnd < 0 || len(h.end) > 1 && !bytes.HasPrefix(line[agentEnd:], h.end) {
		return 0, false
	}
	u.referrer, u.agent = line[referrer:referrerEnd], line[agent:agentEnd]
	return agentEnd + len(h.end), true
}

// otherAddr reads the address before the first blank of b. n is its length, or 0.
func otherAddr(b []byte) (a netip.Addr, n int) {
	n = bytes.IndexByte(b, ' ')
	if n <= 0 {
		return a, 0
	}
	a, ok := parseClient(b[:n])
	if !ok {
		return a, 0
	}
	return a, n
}

// cutUser cuts a hyphen, the name of a user without blanks and quotes, and the bracket before the
// time from the beginning of b.
func cutUser(b []byte) (rest []byte, ok bool) {
	b, ok = bytes.CutPrefix(b, noIdent)
	i := bytes.IndexAny(b, ` "`)
	if !ok || i < 0 || b[i] != ' ' || i+1 == len(b) || b[i+1] != '[' {
		return nil, false
	}
	return b[i+2:], true
}

var noIdent = []byte(" - ")

// leadingIPv4 reads an IPv4 address and a blank at the beginning of b. n is the length of the
// address, or 0. The lengths of the numbers follow no pattern: a loop over their digits would cost
// a wrong prediction for most of them, so that the ends of all four are found first.
func leadingIPv4(b []byte) (address uint32, n int) {
	if len(b) < 16 {
		return 0, 0
	}
	b = b[:16]
	low := binary.LittleEndian.Uint64(b)
	others := othersThanDigits(low) | othersThanDigits(binary.LittleEndian.Uint64(b[8:]))<<8
	end0 := bits.TrailingZeros32(others)
	others &= others - 1
	end1 := bits.TrailingZeros32(others)
	others &= others - 1
	end2 := bits.TrailingZeros32(others)
	others &= others - 1
	end3 := bits.TrailingZeros32(others)
	size1, size2, size3 := end1-end0-1, end2-end1-1, end3-end2-1
	// "&15" changes no index here, and spares the compiler's check of it.
	if uint(end0-1) > 2 || uint(size1-1) > 2 || uint(size2-1) > 2 || uint(size3-1) > 2 ||
		b[end0&15] != '.' || b[end1&15] != '.' || b[end2&15] != '.' || b[end3&15] != ' ' {
		return 0, 0
	}
	number0 := endingNumber(uint32(low<<24>>(8*end0&63)), end0)
	number1 := endingNumber(binary.LittleEndian.Uint32(b[(end1-3)&15:]), size1)
	number2 := endingNumber(binary.LittleEndian.Uint32(b[(end2-3)&15:]), size2)
	number3 := endingNumber(binary.LittleEndian.Uint32(b[(end3-3)&15:]), size3)
	// A number above 255 or with a needless zero makes a difference negative.
	differences := (255 - number0) | (number0 - leastOf[end0&3]) | (255 - number1) | (number1 - leastOf[size1&3]) |
		(255 - number2) | (number2 - leastOf[size2&3]) | (255 - number3) | (number3 - leastOf[size3&3])
	if int32(differences) < 0 {
		return 0, 0
	}
	return number0<<24 | number1<<16 | number2<<8 | number3, end3
}

// endingNumber returns the number of a size of 1 to 3 digits that ends with byte 2 of a word.
func endingNumber(word uint32, size int) uint32 {
	word = (word ^ 0x303030) & digitsOf[size&3]
	return word>>16 + word>>8&0xff*10 + word&0xff*100
}

// These say for numbers of 1 to 3 digits where the digits are in a word, and which number is the
// least.
var (
	digitsOf = [4]uint32{0, 0xff0000, 0xffff00, 0xffffff}
	leastOf  = [4]uint32{0, 0, 10, 100}
)

// othersThanDigits returns a bit for each of eight bytes, which is 1 if the byte is not a digit.
// Bits after that of a byte above 0x7f may be wrong.
func othersThanDigits(word uint64) uint32 {
	word ^= 0x3030303030303030
	return uint32(((word + 0x7676767676767676 | word) & 0x8080808080808080 >> 7) * 0x0102040810204080 >> 56)
}

// usualStatus reads three digits and a blank at the beginning of b.
func usualStatus(b []byte) (code int, ok bool) {
	word := binary.LittleEndian.Uint32(b) ^ 0x20303030
	return int(word&0xff)*100 + int(word>>8&0xff)*10 + int(word>>16&0xff), (word+0x7f767676|word)&0x80808080 == 0
}

// usualSize reads a number of 1 to 7 digits, or a hyphen for -1, at the beginning of b, which has
// at least eight bytes. digits is the length of either, or 0.
func usualSize(b []byte) (digits int, size int64) {
	word := binary.LittleEndian.Uint64(b)
	digits = bits.TrailingZeros32(othersThanDigits(word) | 1<<8)
	switch {
	case digits == 0 && b[0] == '-':
		return 1, -1
	case uint(digits-1) >= 7:
		return 0, 0
	}
	return digits, int64(eightDigits((word ^ 0x3030303030303030) << (64 - 8*digits)))
}

// eightDigits returns the number of eight digits, the first in the lowest byte.
func eightDigits(word uint64) uint64 {
	word = (word*10 + word>>8) & 0x00ff00ff00ff00ff
	word = (word*100 + word>>16) & 0x0000ffff0000ffff
	return (word*10000 + word>>32) & 0xffffffff
}

// A timeCache remembers the last date and zone, because the next line nearly always has the same.
// Earlier lines affect only its speed.
type timeCache struct {
	date  uint64 // "17/May/2"
	year  uint32 // "015:"
	zone  uint64 // ` +0000] `
	start int64  // the beginning of the day, in seconds since 1970
}

// read reads a time at the beginning of b, which is long enough, and the text after it.
func (c *timeCache) read(b []byte) (second int64, ok bool) {
	clock := binary.LittleEndian.Uint64(b[12:20]) ^ 0x30303a30303a3030
	h := int64(clock&0xff*10 + clock>>8&0xff)
	m := int64(clock>>24&0xff*10 + clock>>32&0xff)
	s := int64(clock>>48&0xff*10 + clock>>56)
	if (clock+0x76767f76767f7676|clock)&0x8080808080808080 != 0 || h > 23 || m > 59 || s > 60 || b[timeSize+2] != '"' {
		return 0, false
	}
	second = h*3600 + m*60 + s
	date, year, zone := binary.LittleEndian.Uint64(b[0:8]), binary.LittleEndian.Uint32(b[8:12]),
		binary.LittleEndian.Uint64(b[20:28])
	if date == c.date && year == c.year && zone == c.zone {
		return c.start + second, true
	}
	if b[2] != '/' || b[timeSize] != ']' || b[timeSize+1] != ' ' {
		return 0, false
	}
	read, ok := parseCommonTime(b[:timeSize])
	if ok {
		*c = timeCache{date, year, zone, read.seconds - second}
	}
	return read.seconds, ok
}
