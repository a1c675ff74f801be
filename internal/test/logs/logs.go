// Package logs writes access logs of any size, for benchmarks and tests.
//
// The same [Log] gives the same bytes at any time, so that figures measured with them compare.
package logs

import (
	"fmt"
	"io"
	"math/rand/v2"
	"strconv"
	"time"
)

// A Log describes an access log in the combined format. Robots send 23 % of the requests, and one
// line in a thousand has escapes. Lines have 233 to 243 bytes on average: User-Agents are longer if
// there are many.
type Log struct {
	Lines int
	// Agents is the number of User-Agents that robots and browsers choose from, at least 100. If it
	// is 0, each line has a User-Agent that no other line has.
	Agents int
	// Addresses is the number of addresses that clients choose from, at least 20 and at most 4
	// billion. Half of the lines are from one address in twenty.
	Addresses int
	// PerSecond is the number of lines that have the same second.
	PerSecond int
}

// Named returns the description of a log by its name, with a number of lines: "few" has 630
// User-Agents and 20 lines a second, "many" has 221,295 User-Agents, addresses from 3 million, and
// one line a second, "fresh" has another User-Agent on every line, and "wide" has the User-Agents
// of few and addresses from 10 million.
func Named(name string, lines int) (Log, error) {
	switch name {
	case "few":
		return Log{lines, 630, 300_000, 20}, nil
	case "many":
		return Log{lines, 221_295, 3_000_000, 1}, nil
	case "fresh":
		return Log{lines, 0, 3_000_000, 20}, nil
	case "wide":
		return Log{lines, 630, 10_000_000, 20}, nil
	}
	return Log{}, fmt.Errorf("no log is named %q: the names are few, many, fresh and wide", name)
}

// Start is the time of the first line.
var Start = time.Date(2026, time.May, 1, 0, 0, 0, 0, time.UTC)

// WriteTo writes the log, and returns the number of bytes.
func (l Log) WriteTo(w io.Writer) (written int64, err error) {
	if l.Agents != 0 && l.Agents < 100 || l.Addresses < 20 || l.PerSecond < 1 {
		return 0, fmt.Errorf("a log with %d User-Agents, %d addresses and %d lines a second cannot be written",
			l.Agents, l.Addresses, l.PerSecond)
	}
	const size = 128 << 10
	buffer := make([]byte, 0, size+4096)
	var clock []byte
	r := rand.New(rand.NewPCG(uint64(l.Agents), uint64(l.Addresses)))
	agents := l.agents()
	for i := range l.Lines {
		if i%l.PerSecond == 0 {
			clock = Start.Add(time.Duration(i/l.PerSecond)*time.Second).AppendFormat(clock[:0],
				" - - [02/Jan/2006:15:04:05 -0700] \"")
		}
		dice := r.Uint64()
		buffer = l.appendAddress(buffer, dice)
		buffer = append(buffer, clock...)
		robot := dice%100 < robotShare
		buffer = appendRequest(buffer, r.Uint64(), robot)
		if l.Agents == 0 {
			buffer = appendAgent(buffer, robot, i)
		} else {
			buffer = append(buffer, agents.choose(robot, r.Uint64())...)
		}
		buffer = append(buffer, "\"\n"...)
		if len(buffer) >= size || i == l.Lines-1 {
			n, err := w.Write(buffer)
			written += int64(n)
			if err != nil {
				return written, err
			}
			buffer = buffer[:0]
		}
	}
	return written, nil
}

// robotShare is the share of robots in the lines and in the User-Agents, in percent.
const robotShare = 23

// appendAddress appends an address. Its number in the list of all becomes an address by a
// multiplication with an odd number, which gives no two of them the same.
func (l Log) appendAddress(b []byte, dice uint64) []byte {
	among := uint64(l.Addresses)
	if dice>>40&1 == 0 {
		among /= 20
	}
	address := uint32(dice >> 8 % among * 2654435761)
	for shift := 24; shift >= 0; shift -= 8 {
		b = strconv.AppendUint(b, uint64(address>>shift&0xff), 10)
		if shift > 0 {
			b = append(b, '.')
		}
	}
	return b
}

// appendRequest appends the rest of the line up to the User-Agent.
func appendRequest(b []byte, dice uint64, robot bool) []byte {
	number, size := dice>>8%10_000, dice>>24%100_000
	switch kind := dice % 1000; {
	case kind == 0: // a TLS handshake sent to a plain port
		return append(b, `\x16\x03\x01\x02" 400 157 "-" "`...)
	case kind < 8 && robot:
		b = append(b, "GET /robots.txt HTTP/1.1\" 200 421 \""...)
	case kind < 30:
		b = append(b, "HEAD /articles/"...)
		b = strconv.AppendUint(b, number, 10)
		b = append(b, " HTTP/1.1\" 404 0 \""...)
	case kind < 100:
		b = append(b, "POST /private/orders?item="...)
		b = strconv.AppendUint(b, number, 10)
		b = append(b, " HTTP/2.0\" 302 5 \""...)
	default:
		b = append(b, "GET /articles/"...)
		b = strconv.AppendUint(b, number, 10)
		b = append(b, sections[dice>>50%uint64(len(sections))]...)
		b = append(b, " HTTP/1.1\" 200 "...)
		b = strconv.AppendUint(b, size, 10)
		b = append(b, " \""...)
	}
	if robot || dice>>60 == 0 {
		return append(b, "-\" \""...)
	}
	b = append(b, "https://www.example.com/tags/"...)
	b = strconv.AppendUint(b, size%1000, 10)
	return append(b, "/index.html\" \""...)
}

// sections end the paths of articles.
var sections = []string{"/", "/index.html", "/images/photo-of-the-day.jpg", "/comments?page=3&sort=date", "/style.css",
	"/summary"}
