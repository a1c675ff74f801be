package testweb

import (
	"bufio"
	"bytes"
	"net"
	"strings"
	"sync"
	"time"
)

// A request is a request of a client.
type request struct {
	path    string // with query
	turn    int    // number of earlier requests to the host
	settled bool   // there is no client: see [Kind]

	method      string
	name        string // of the host, without port
	agent       []byte // valid until the next read
	accept      []byte
	tag, since  string // If-None-Match, If-Modified-Since
	last        bool   // the connection ends after this request
	conditional bool
}

// maxHead limits a line of a request, in bytes.
const maxHead = 8 << 10

// An exchange is a connection with its requests, one after the other. It implements the
// part of HTTP/1.1 that crawlers use, with little work: package net/http would need
// more time for a page than a crawler.
type exchange struct {
	web      *Web
	conn     net.Conn
	raw      net.Conn // below TLS
	listener *listener
	port     uint16 // of the client

	in      *bufio.Reader
	out     []byte
	scratch [256]byte
}

var (
	readers = sync.Pool{New: func() any { return bufio.NewReaderSize(nil, maxHead) }}
	buffers = sync.Pool{New: func() any { return new([]byte) }}
)

// converse answers requests until one side ends the connection.
func (x *exchange) converse() {
	x.in = readers.Get().(*bufio.Reader)
	x.in.Reset(x.conn)
	out := buffers.Get().(*[]byte)
	x.out = *out
	defer func() {
		x.in.Reset(nil)
		readers.Put(x.in)
		if cap(x.out) <= 64<<10 {
			*out = x.out[:0]
			buffers.Put(out)
		}
	}()
	for {
		// While the client is idle, only the reader holds memory.
		if _, err := x.in.Peek(1); err != nil {
			return
		}
		start := x.web.now()
		var r request
		if !x.read(&r) || !x.respond(&r, start) {
			return
		}
	}
}

// read reads the head of a request, and its body if it has one.
func (x *exchange) read(r *request) bool {
	line, err := x.in.ReadSlice('\n')
	if err != nil {
		return false
	}
	method, rest, _ := bytes.Cut(line, []byte(" "))
	target, version, ok := bytes.Cut(rest, []byte(" "))
	if !ok || len(target) == 0 {
		return false
	}
	r.method = "GET"
	if string(method) != "GET" {
		r.method = string(method)
	}
	r.last = !bytes.HasPrefix(version, []byte("HTTP/1.1"))
	if target[0] != '/' {
		return false
	}
	r.path = string(target)
	body := 0
	for lines := 0; ; lines++ {
		line, err := x.in.ReadSlice('\n')
		if err != nil || lines > 200 {
			return false
		}
		line = bytes.TrimRight(line, "\r\n")
		if len(line) == 0 {
			break
		}
		name, value, _ := bytes.Cut(line, []byte(":"))
		value = bytes.TrimSpace(value)
		if bytes.EqualFold(name, []byte("Content-Length")) {
			for _, c := range value {
				body = min(body*10+int(c-'0'), 1<<20)
			}
		} else {
			x.setField(r, name, value)
		}
	}
	if body > 0 {
		if _, err := x.in.Discard(body); err != nil {
			return false
		}
	}
	return true
}

// setField copies a field of a header to the request, if the field matters.
func (x *exchange) setField(r *request, name, value []byte) {
	switch len(name) {
	case len("Host"):
		if strings.EqualFold(string(name), "Host") {
			r.name = x.hostName(value)
		}
	case len("User-Agent"): // and Connection
		if bytes.EqualFold(name, []byte("User-Agent")) {
			r.agent = append(x.scratch[:0:128], value...)
		} else if bytes.EqualFold(name, []byte("Connection")) {
			r.last = r.last || bytes.EqualFold(value, []byte("close"))
		}
	case len("Accept-Encoding"):
		if bytes.EqualFold(name, []byte("Accept-Encoding")) {
			r.accept = append(x.scratch[128:128], value...)
		}
	case len("If-None-Match"):
		if bytes.EqualFold(name, []byte("If-None-Match")) {
			r.tag, r.conditional = string(value), true
		}
	case len("If-Modified-Since"):
		if bytes.EqualFold(name, []byte("If-Modified-Since")) {
			r.since, r.conditional = string(value), true
		}
	}
}

// hostName returns the value of a Host header without its port.
func (x *exchange) hostName(value []byte) string {
	if i := bytes.LastIndexByte(value, ':'); i >= 0 {
		value = value[:i]
	}
	return string(bytes.ToLower(value))
}

// respond answers a request, and reports whether another may follow.
func (x *exchange) respond(r *request, start time.Duration) bool {
	w := x.web
	h := w.find(r.name)
	if h != nil && (h.secure != x.listener.secure) {
		h = nil
	}
	rec := record{start: start, host: -1, page: -1, port: x.port, address: x.listener.number}
	switch r.method {
	case "GET":
	case "HEAD":
		rec.flags |= head
	default:
		rec.flags |= otherMethod
	}
	if r.conditional {
		rec.flags |= conditional
	}
	if h == nil {
		scheme := "http://"
		if x.listener.secure {
			scheme = "https://"
		}
		rec.path = scheme + r.name + r.path
	} else {
		rec.host, rec.path = h.number, r.path
		if page, ok := h.pageOf(r.path); ok {
			rec.page, rec.path = page, ""
		}
	}
	logged := w.log.begin(rec, r.agent, r.accept)
	if h == nil {
		return x.deliver(h, r, &answer{status: 421, title: "There is no such host here"}, logged)
	}
	a := h.answer(r)
	return x.deliver(h, r, &a, logged)
}

// answer returns the answer of the host to a request.
func (h *host) answer(r *request) answer {
	switch {
	case r.path == "/robots.txt":
		if !r.settled {
			r.turn = h.robots.next()
		}
		return h.robotsAnswer(r)
	case strings.HasPrefix(r.path, hopPrefix):
		return h.hopAnswer(r)
	}
	if !r.settled {
		r.turn = h.asked.next()
	}
	a := h.kind.page(h, r)
	if a.tag != "" && a.status == 0 && r.tag == a.tag {
		return answer{status: 304, tag: a.tag}
	}
	return a
}
