package testweb

import (
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"fmt"
	"strings"
	"time"
	"unicode/utf16"
)

// Texts returns all kinds of robots.txt of the hosts.
func Texts() []Text {
	return []Text{
		{Name: "none", Share: 4, says: open, answer: status(404),
			Doc: "404: everything is allowed (RFC 9309, section 2.3.1.3)."},
		{Name: "gone", Share: 1, says: open, answer: status(410),
			Doc: "410, which is as good as 404."},
		{Name: "unauthorized", Share: 1, says: open, answer: status(401),
			Doc: "401, which RFC 9309 takes like all of 4xx."},
		{Name: "forbidden", Share: 1, says: open, answer: status(403),
			Doc: "403, which RFC 9309 takes like all of 4xx."},
		{Name: "empty", Share: 2, file: constant(""),
			Doc: "An empty file."},
		{Name: "folder", Share: 6, file: constant("User-agent: *\nDisallow: /private/\nAllow: /private/1.html\n"),
			Doc: "One folder is closed to all, but for a page."},
		{Name: "named", Share: 3, file: named,
			Doc: "A group for the robot under test, which opens what is closed to others, and closes something else."},
		{Name: "others", Share: 2, file: others,
			Doc: "Groups for other robots, one with a name that begins like the robot's, so that the one for all counts."},
		{Name: "combined", Share: 2, file: combined,
			Doc: "Two groups for the robot, which are one (RFC 9309, section 2.2.1), with other cases of letters."},
		{Name: "closed", Share: 2, file: constant("User-agent: *\nDisallow: /\n"),
			Doc: "Everything is closed."},
		{Name: "patterns", Share: 2,
			file: constant("User-agent: *\nDisallow: /*?\nDisallow: /news/*7.html$\nDisallow: /%70rivate/\nAllow: /private/*1.html$\n"),
			Doc:  "Wildcards, and bytes that are encoded."},
		{Name: "messy", Share: 2,
			file: constant("\ufeffuser-agent : *  # all\r\n\r\n  DISALLOW:/private/\rdisallow: /archive/ # closed\nnonsense\n\x00\n"),
			Doc:  "A byte order mark, all kinds of line ends, comments, blanks."},
		{Name: "crawl-delay", Share: 4, file: delayed,
			Doc: "Crawl-delay, of half a second to four."},
		{Name: "request-rate", Share: 2, file: rated,
			Doc: "Request-rate, as a second or two between requests."},
		{Name: "open-hours", Share: 1, file: func(h *host, _ int) string {
			return "User-agent: *\nVisit-time: " + h.web.hours(-2*time.Hour, 20*time.Hour) + "\nDisallow: /private/\n"
		}, Doc: "Visit-time that lets the robot in now."},
		{Name: "closed-hours", Share: 1, file: func(h *host, _ int) string {
			return "User-agent: *\nVisit-time: " + h.web.hours(h.web.options.Shut, h.web.options.Shut+4*time.Hour) +
				"\nDisallow: /private/\n"
		}, Doc: "Visit-time that does not let the robot in for hours, or as long as [Options.Shut] says."},
		{Name: "late", Share: 2, file: constant("User-agent: *\nDisallow: /private/\n"), answer: late(503, false),
			Doc: "503 at first, and then a file: nothing is allowed before (section 2.3.1.4)."},
		{Name: "too-many", Share: 1, file: constant("User-agent: *\nDisallow: /private/\n"), answer: late(429, true),
			Doc: "429 with Retry-After at first, and then a file."},
		{Name: "down", Share: 1, says: shut, answer: status(500),
			Doc: "500, always: nothing is allowed."},
		{Name: "broken-off", Share: 1, says: shut, answer: func(h *host, r *request) answer {
			return answer{media: "text/plain", body: []byte("User-agent: *\nAllow: /\n"), way: cut}
		}, Doc: "A file that ends before its length: nothing is allowed."},
		{Name: "hops", Share: 4, file: constant("User-agent: *\nDisallow: /private/\n"),
			hops: func(h *host) int { return int(1 + h.pick>>40%5) },
			Doc:  "One to five redirects over other hosts, to a file that counts (section 2.3.1.2)."},
		{Name: "six-hops", Share: 1, says: open, file: constant("User-agent: *\nDisallow: /\n"),
			hops: func(*host) int { return 6 },
			Doc:  "Six redirects, which are too many: everything is allowed."},
		{Name: "lost", Share: 1, says: open, answer: func(*host, *request) answer {
			return answer{status: 302,
				title: "Moved"}
		},
			Doc: "A redirect that does not say where to."},
		{Name: "inward", Share: 1, says: shut,
			answer: func(h *host, r *request) answer { return redirect(302, h.inside()) },
			Doc:    "A redirect to an address that a dial filter refuses: nothing is allowed, and nobody goes there."},
		{Name: "html", Share: 1, says: open,
			file: constant("<!DOCTYPE html>\n<html><title>Welcome</title>\n<p>Disallow\n</html>\n"), answer: asHTML,
			Doc: "A page, as sites give that have one for everything: it has no rules."},
		{Name: "utf-16", Share: 1, file: func(*host, int) string { return wideText("User-agent: *\nDisallow: /\n") },
			Doc: "UTF-16, in which no robot reads any rule."},
		{Name: "huge", Share: 1, file: huge,
			Doc: "More than the 500 KiB that a robot has to read (section 2.5), the rules first."},
		{Name: "dripping", Share: 1, file: constant("User-agent: *\nDisallow: /private/\n"),
			answer: func(h *host, r *request) answer {
				a := h.fileAnswer(r, 0)
				a.way, a.wait = drip, 2
				return a
			}, Doc: "A file that comes a few bytes at a time."},
		{Name: "packed", Share: 1, file: constant("User-agent: *\nDisallow: /private/\n"), answer: packedFile,
			Doc: "A file in gzip, for those who say that they read it."},
		{Name: "fading", Share: 1, once: true, file: constant("User-agent: *\nDisallow: /private/\n"),
			answer: func(h *host, r *request) answer {
				if !r.settled && r.turn > 0 {
					return answer{status: 500, title: "Not any more"}
				}
				a := h.fileAnswer(r, 0)
				a.header = append(a.header, "Cache-Control: max-age=60")
				return a
			}, Doc: "A file at first, and then 500: the copy stays in force (section 2.3.1.4)."},
		{Name: "changing", Share: 2, versions: 2, file: changingFile, answer: func(h *host, r *request) answer {
			a := h.fileAnswer(r, min(r.turn, 1))
			a.header = append(a.header, "Cache-Control: max-age=60")
			return a
		}, Doc: "A file that closes another folder from the second time on that it is asked for."},
	}
}

func constant(text string) func(*host, int) string { return func(*host, int) string { return text } }

// status returns an answer with a text that must not be parsed as rules.
func status(code int) func(*host, *request) answer {
	return func(*host, *request) answer {
		return answer{status: code, media: "text/plain", body: []byte("User-agent: *\nDisallow: /\n")}
	}
}

func named(h *host, _ int) string {
	return "User-agent: *\nDisallow: /\n\nUser-agent: " + h.web.options.Token + "/2.1\nDisallow: /archive/\n"
}

func others(h *host, _ int) string {
	token := h.web.options.Token
	return fmt.Sprintf("User-agent: %s-Image\nUser-agent: %sX\nDisallow: /\n\nUser-agent: *\nDisallow: /private/\n",
		token, token)
}

func combined(h *host, _ int) string {
	token := h.web.options.Token
	return fmt.Sprintf("User-agent: %s\nDisallow: /private/\n\nUser-agent: *\nDisallow: /\n\nuser-AGENT: %s\nDisallow: /notes/\nAllow: /notes/1\n",
		strings.ToUpper(token), strings.ToLower(token))
}

func delayed(h *host, _ int) string {
	pause := []float64{0.5, 1, 2, 4}[h.pick>>20%4]
	return "User-agent: *\nCrawl-delay: " + h.web.seconds(pause) + "\nDisallow: /private/\n"
}

func rated(h *host, _ int) string {
	return "User-agent: *\nRequest-rate: " + h.web.rate([]float64{1, 2}[h.pick>>20%2]) + "\nDisallow: /private/\n"
}

func huge(h *host, _ int) string {
	return "User-agent: *\nDisallow: /private/\n" + strings.Repeat("# There is nothing to see here.\n", 40_000)
}

func changingFile(h *host, version int) string {
	return "User-agent: *\nDisallow: /" + []string{"news", "docs"}[version] + "/\n"
}

// late returns an answer that serves the file from the third request on.
func late(code int, retry bool) func(h *host, r *request) answer {
	return func(h *host, r *request) answer {
		if r.settled || r.turn >= 2 {
			return h.fileAnswer(r, 0)
		}
		a := answer{status: code, title: "Come again", later: true}
		if retry {
			line, at := h.web.retryAfter(1, false)
			a.header, a.retry = append(a.header, line), at
		}
		return a
	}
}

func asHTML(h *host, r *request) answer {
	a := h.fileAnswer(r, 0)
	a.media = ""
	return a
}

func packedFile(h *host, r *request) answer {
	a := h.fileAnswer(r, 0)
	if bytes.Contains(r.accept, []byte("gzip")) && a.status == 0 {
		a.header = append(a.header, "Content-Encoding: gzip")
		a.body = squeeze(a.body)
	}
	return a
}

// squeeze compresses data with gzip.
func squeeze(data []byte) []byte {
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	z.Write(data)
	z.Close()
	return b.Bytes()
}

// wideText returns a text in UTF-16, with a byte order mark.
func wideText(s string) string {
	b := []byte{0xff, 0xfe}
	for _, unit := range utf16.Encode([]rune(s)) {
		b = binary.LittleEndian.AppendUint16(b, unit)
	}
	return string(b)
}
