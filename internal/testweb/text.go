package testweb

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"
)

// A Text is what a host answers to requests for /robots.txt.
type Text struct {
	Name  string
	Doc   string // a sentence on what it is for
	Share int    // how many of a round of the wheel are so

	says     outcome
	hops     func(h *host) int // redirects until the file comes
	versions int               // of the file; 0 stands for 1
	file     func(h *host, version int) string
	// answer is what is said instead of the file, or how.
	answer func(h *host, r *request) answer
}

// An outcome is what a robots.txt comes to, for a robot that asks long enough.
type outcome uint8

const (
	obey outcome = iota // its file
	open                // all is allowed
	shut                // nothing is
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

// hopPrefix is where the redirects of robots.txt lead to: /hop/, the number of the
// host whose robots.txt it is, and how many redirects there were.
const hopPrefix = "/hop/"

// hop returns where the n-th redirect of the host's robots.txt leads to.
func (h *host) hop(n int) link {
	return h.web.calmHost(h, n).to(fmt.Sprintf("%s%d/%d", hopPrefix, h.number, n))
}

// hopOf returns whose robots.txt a path leads to, and after how many redirects.
func (w *world) hopOf(path string) (h *host, n int) {
	rest, ok := strings.CutPrefix(path, hopPrefix)
	number, count, _ := strings.Cut(rest, "/")
	i, err := strconv.Atoi(number)
	n, err2 := strconv.Atoi(count)
	if !ok || err != nil || err2 != nil || i < 0 || i >= len(w.hosts) || w.hosts[i].text.hops == nil || n < 1 || n > 10 {
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

// seconds returns a number of seconds as robots.txt writes it, after scaling.
func (w *world) seconds(n float64) string {
	return strconv.FormatFloat(n*w.options.Scale, 'f', -1, 64)
}

// rate returns a request-rate that asks for a pause of so many seconds before scaling.
func (w *world) rate(n float64) string {
	pause := n * w.options.Scale
	if pause >= 1 {
		return fmt.Sprintf("1/%.0f", math.Round(pause))
	}
	return fmt.Sprintf("%.0f/1s", math.Floor(1/pause))
}

// hours returns a part of the day, from and to so long after the web began, rounded up
// to whole minutes.
func (w *world) hours(from, to time.Duration) string {
	clock := func(d time.Duration) string {
		return w.began.UTC().Add(d + time.Minute - 1).Truncate(time.Minute).Format("1504")
	}
	return clock(from) + "-" + clock(to)
}

// retryAfter returns a header with the time after which to come again: of so many
// seconds before scaling, but one at least; and when that is on the clock of the web.
func (w *world) retryAfter(n float64, asDate bool) (line string, at int64) {
	now := time.Now()
	wait := max(1, math.Round(n*w.options.Scale))
	if asDate {
		date := now.Add(time.Duration(wait) * time.Second).Truncate(time.Second).Add(time.Second)
		return "Retry-After: " + date.UTC().Format(httpDate), int64(date.Sub(w.began))
	}
	return fmt.Sprintf("Retry-After: %.0f", wait), int64(now.Sub(w.began)) + int64(wait)*int64(time.Second)
}

// httpDate is how HTTP writes a time, which is in UTC.
const httpDate = "Mon, 02 Jan 2006 15:04:05 GMT"
