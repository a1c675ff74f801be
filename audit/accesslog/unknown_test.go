package accesslog

import (
	"math/rand/v2"
	"testing"
)

// Lines of logs without a User-Agent, one for each expression at least, and others.
var unknownLines = []string{
	`[GIN] 2026/11/26 - 10:00:00 | 200 |    1.2ms |   203.0.113.7 | GET      "/a"`,
	`INFO:     203.0.113.7:4711 - "GET /a HTTP/1.1" 200 OK`,
	`Started GET "/a" for 203.0.113.7 at 2026-11-26 10:00:00`,
	`203.0.113.7 - - [26/Nov/2026 10:00:00] "GET /a HTTP/1.1" 200 -`,
	`203.0.113.7:51234 [26/Nov/2026:10:00:00.123] fe be/s1 0/-1/+13 +512 -- 1/1/0/0/+0 0/0`,
	`1795687200.123 12 203.0.113.7 TCP_MISS/200 5 GET http://a.example/a - HIER_NONE/- text/html`,
	`[pid: 1|app: 0|req: 1/1] 203.0.113.7 () {3 vars in 5 bytes} [Thu Nov 26 10:00:00 2026] GET /a`,
	`GET /a 200 3.1 ms - 512`,
	"GET /a \x1b[32m200\x1b[0m - - 3.1 ms",
	`2026/11/26 10:00:00 [error] 12#12: *1 open() "/a" failed, client: 203.0.113.7, server: x`,
	`[Thu Nov 26 10:00:00.123456 2026] [core:error] [pid 1] [client a] AH00036`,
	`[26-Nov-2026 10:00:00 UTC] PHP Warning:  Undefined variable $a in /a.php on line 1`,
	`203.0.113.7 GET /a 200`,
	`Dear reader, 1/2/3/4/5 6/7 1.234 [x] ms - /`,
}

// The first look at a line misses no line that the expression finds: in lines that are cut, joined
// and changed.
func TestNamelessFirstLook(t *testing.T) {
	random := rand.New(rand.NewPCG(7, 38))
	found := map[string]int{}
	for range 20_000 {
		line := []byte(unknownLines[random.IntN(len(unknownLines))])
		for range random.IntN(4) {
			other := unknownLines[random.IntN(len(unknownLines))]
			switch at := random.IntN(len(line) + 1); random.IntN(4) {
			case 0:
				line = append(line[:at:at], other[random.IntN(len(other)):]...)
			case 1:
				line = append([]byte(other[:random.IntN(len(other))]), line[at:]...)
			case 2:
				line = append(append(line[:at:at], " +-/.0A#[]:\""[random.IntN(12)]), line[at:]...)
			case 3:
				line = append(line[:at:at], line[min(at+1, len(line)):]...)
			}
		}
		for _, log := range nameless() {
			if log.expr.Match(line) {
				found[log.name]++
				if !log.may(line) {
					t.Fatalf("%s: %q", log.name, line)
				}
			}
		}
	}
	if len(found) != len(nameless()) {
		t.Errorf("lines of %v", found)
	}
}

// BenchmarkUnknown says why lines in no known format cannot be read.
func BenchmarkUnknown(b *testing.B) {
	line := []byte("Dear reader, this line of some other log says: /var/www/a 12.5 of 2026-11-26 10:00:00")
	for b.Loop() {
		unknown(line)
	}
}
