package testweb

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"
)

// A Text is the answer of a host to requests for /robots.txt.
type Text struct {
	Name  string
	Doc   string // a sentence about its purpose
	Share int    // number of hosts with this text in a round of the wheel

	says     outcome
	hops     func(h *host) int // redirects before the file
	versions int               // of the file; 0 means 1
	once     bool              // only the first request for it gets it
	file     func(h *host, version int) string
	// answer replaces or wraps the file.
	answer func(h *host, r *request) answer
}

// An outcome is the effect of a robots.txt on a robot that retries long enough.
type outcome uint8

const (
	obey outcome = iota // the file applies
	open                // everything is allowed
	shut                // nothing is allowed
)

// fileAnswer returns the file, in one of its versions.
func (h *host) fileAnswer(r *request, version int) answer {
	text := h.robotsFile(version)
	tag := `"` + strconv.FormatUint(hashOf(text), 36) + `"`
	if r.tag == tag {
		return answer{status: 304, tag: tag, version: uint8(version)}
	}
	return answer{media: "text/plain; charset=utf-8", body: []byte(text), tag: tag, version: uint8(version)}
}

// robotsFile returns the text of a version of the file.
func (h *host) robotsFile(version int) string {
	if h.site != nil {
		return string(h.site.Files["robots.txt"])
	}
	text := h.text.file(h, version)
	switch {
	case h.kind.records == nil:
	case strings.HasPrefix(text, "\xff\xfe"):
		text += wideText(h.kind.records(h))[2:]
	default:
		text += "\n" + h.kind.records(h)
	}
	return text
}

// robotsAnswer returns the answer to a request for robots.txt.
func (h *host) robotsAnswer(r *request) answer {
	switch {
	case h.kind.closed:
		return h.kind.page(h, r)
	case h.text.hops != nil:
		return redirect(301, h.hop(1))
	case h.text.answer != nil:
		return h.text.answer(h, r)
	}
	return h.fileAnswer(r, 0)
}

// hopPrefix is the path of redirects of robots.txt: /hop/, the number of the host of
// the robots.txt, and the number of redirects so far.
const hopPrefix = "/hop/"

// hop returns the target of the n-th redirect of the host's robots.txt.
func (h *host) hop(n int) link {
	return h.web.calmHost(h, n).to(fmt.Sprintf("%s%d/%d", hopPrefix, h.number, n))
}

// hopOf returns the host of the robots.txt in a path, and the number of redirects so
// far.
func (w *world) hopOf(path string) (h *host, n int) {
	rest, ok := strings.CutPrefix(path, hopPrefix)
	number, count, _ := strings.Cut(rest, "/")
	i, err := strconv.Atoi(number)
	n, err2 := strconv.Atoi(count)
	if !ok || err != nil || err2 != nil || i < 0 || i >= len(w.hosts) || w.hosts[i].text.hops == nil || n < 1 ||
		n > 10 {
		return nil, 0
	}
	return &w.hosts[i], n
}

func (h *host) hopAnswer(r *request) answer {
	of, n := h.web.hopOf(r.path)
	switch {
	case of == nil:
		return notFound
	case n < of.text.hops(of):
		return redirect([]int{301, 302, 303, 307, 308}[n%5], of.hop(n+1))
	}
	return of.fileAnswer(r, 0)
}

// seconds returns a number of seconds in the form of robots.txt, after scaling.
func (w *world) seconds(n float64) string {
	return strconv.FormatFloat(n*w.options.Scale, 'f', -1, 64)
}

// rate returns a request-rate that demands a pause of n seconds before scaling.
func (w *world) rate(n float64) string {
	pause := n * w.options.Scale
	if pause >= 1 {
		return fmt.Sprintf("1/%.0f", math.Round(pause))
	}
	return fmt.Sprintf("%.0f/1s", math.Floor(1/pause))
}

// hours returns a range of the day, with from and to counted from the start of the web,
// rounded up to whole minutes.
func (w *world) hours(from, to time.Duration) string {
	clock := func(d time.Duration) string {
		return w.began.UTC().Add(d + time.Minute - 1).Truncate(time.Minute).Format("1504")
	}
	return clock(from) + "-" + clock(to)
}

// retryAfter returns a header that asks for a retry after n seconds before scaling, but
// at least one second; and the time of the retry on the clock of the web.
func (w *world) retryAfter(n float64, asDate bool) (line string, at int64) {
	now := time.Now()
	wait := max(1, math.Round(n*w.options.Scale))
	if asDate {
		date := now.Add(time.Duration(wait) * time.Second).Truncate(time.Second).Add(time.Second)
		return "Retry-After: " + date.UTC().Format(httpDate), int64(date.Sub(w.began))
	}
	return fmt.Sprintf("Retry-After: %.0f", wait), int64(now.Sub(w.began)) + int64(wait)*int64(time.Second)
}

// httpDate is the format of a time in HTTP, which is in UTC.
const httpDate = "Mon, 02 Jan 2006 15:04:05 GMT"
