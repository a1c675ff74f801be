package testweb

import (
	"net"
	"net/http"
	"strconv"
	"time"
)

// headRoom is the space for the header before the body of an answer, in bytes.
const headRoom = 8 << 10

// deliver sends an answer and logs its end. It reports whether the connection may be
// used again.
func (x *exchange) deliver(h *host, r *request, a *answer, rec *record) bool {
	w := x.web
	if a.status == 0 {
		a.status = 200
	}
	if cap(x.out) < headRoom {
		x.out = make([]byte, headRoom, 2*headRoom+2*w.options.Size)
	}
	out := x.out[:headRoom]
	if r.method != "HEAD" && a.status != 304 {
		out = x.appendBody(out, h, r, a)
	}
	x.out = out
	body := len(out) - headRoom
	length := body
	last := r.last
	switch {
	case r.method == "HEAD" || a.status == 304:
		length = -1
	case a.way == flood:
		length, last = -1, true
	case a.way.broken():
		length, last = body*2+100, true
	case a.way == drip || a.wait > 0:
		last = true
	}
	var buffer [1024]byte
	start := appendHead(buffer[:0], a, length, last)
	start = start[:min(len(start), headRoom)] // no host has a longer header
	from := headRoom - len(start)
	copy(out[from:], start)

	var gone <-chan struct{}
	if last && (a.wait > 0 || a.way == never || a.way == drip) {
		gone = x.watch()
	}
	pause := time.Duration(a.wait * w.options.Scale * float64(time.Second))
	d := delivery{exchange: x, answer: a, record: rec, head: len(start), size: len(out) - from, gone: gone,
		pause: pause}
	if a.way != drip && !d.wait(pause) {
		d.ended(false)
	} else if ok := d.send(out[from:]); !ok {
		d.ended(false)
		last = true
	}
	return !last
}

// appendHead appends the status line and the header. A negative length means that the
// end of the connection ends the body.
func appendHead(b []byte, a *answer, length int, last bool) []byte {
	b = append(b, "HTTP/1.1 "...)
	b = strconv.AppendInt(b, int64(a.status), 10)
	b = append(b, ' ')
	b = append(b, http.StatusText(a.status)...)
	switch a.media {
	case "":
		b = append(b, "\r\nContent-Type: text/html; charset=utf-8"...)
	case "-":
	default:
		b = append(b, "\r\nContent-Type: "...)
		b = append(b, a.media...)
	}
	if a.tag != "" {
		b = append(b, "\r\nETag: "...)
		b = append(b, a.tag...)
	}
	if a.modified != "" {
		b = append(b, "\r\nLast-Modified: "...)
		b = append(b, a.modified...)
	}
	if a.to != nil {
		b = append(b, "\r\nLocation: "...)
		b = append(b, a.to.url()...)
	}
	for _, line := range a.header {
		b = append(b, "\r\n"...)
		b = append(b, line...)
	}
	if length >= 0 {
		b = append(b, "\r\nContent-Length: "...)
		b = strconv.AppendInt(b, int64(length), 10)
	}
	if last {
		b = append(b, "\r\nConnection: close"...)
	}
	return append(b, "\r\n\r\n"...)
}

// longSize is the size, in bytes, from which a client may reject a part of an answer.
const longSize = 64 << 10

// A delivery is an answer being sent.
type delivery struct {
	*exchange
	answer *answer
	record *record
	head   int             // bytes of the header
	size   int             // bytes in total
	gone   <-chan struct{} // closed when the client has left
	pause  time.Duration   // in total
	sent   int
}

// send sends the header and the rest in the way of the answer, and reports whether the
// client has stayed.
func (d *delivery) send(message []byte) bool {
	switch d.answer.way {
	case never:
		<-d.gone
		return false
	case noHTTP:
		return d.last([]byte("220 mail.example ESMTP\r\n"))
	case flood:
		const most = 64 << 20
		ok := d.write(message)
		for ok && d.sent < most {
			ok = d.write(message[d.head:])
		}
		return ok && d.last(message[d.head:])
	case drip:
		const pieces = 8
		size := (len(message)-d.head)/pieces + 1
		if !d.write(message[:d.head]) {
			return false
		}
		for message = message[d.head:]; len(message) > size; message = message[size:] {
			if !d.wait(d.pause/pieces) || !d.write(message[:size]) {
				return false
			}
		}
		return d.wait(d.pause/pieces) && d.last(message)
	case reset:
		ok := d.last(message)
		if tcp, isTCP := d.raw.(*net.TCPConn); isTCP && ok {
			tcp.SetLinger(0)
			tcp.Close()
		}
		return ok
	}
	// The client has to take most of a long answer before its end is logged.
	if rest := len(message) - 1024; len(message) > longSize {
		if !d.write(message[:rest]) {
			return false
		}
		message = message[rest:]
	}
	return d.last(message)
}

// write sends bytes, and reports whether the client has stayed.
func (d *delivery) write(b []byte) bool {
	n, err := d.conn.Write(b)
	d.sent += n
	return err == nil
}

// last sends the last bytes. The end is logged before the client can receive them.
func (d *delivery) last(b []byte) bool {
	before := d.sent
	d.sent += len(b)
	d.ended(true)
	d.sent = before
	return d.write(b)
}

// ended logs the end of the delivery: complete, or because the client has left.
func (d *delivery) ended(well bool) {
	a := d.answer
	end := d.web.now()
	d.web.log.change(d.record, func(r *record) {
		if !r.is(ended) || a.way == never {
			r.end = end
		}
		r.bytes, r.version, r.retry = uint32(d.sent), a.version, time.Duration(a.retry)
		if d.sent > 0 && a.way != noHTTP {
			r.status = uint16(a.status)
		}
		r.set(ended, true)
		r.set(aborted, !well)
		r.set(later, a.later)
		r.set(faulty, a.faulty || a.way.broken())
		r.set(long, d.size > longSize)
		r.set(tagged, a.tag != "" || a.modified != "")
		r.set(enough, well && !a.way.broken() || d.sent-d.head >= maxSize)
	})
}

// watch returns a channel that is closed when the client leaves. The connection cannot
// be used for another request afterwards.
func (x *exchange) watch() <-chan struct{} {
	gone := make(chan struct{})
	x.web.wg.Go(func() {
		defer close(gone)
		var b [1]byte
		x.conn.Read(b[:])
	})
	return gone
}

// wait waits, and reports whether the client has stayed.
func (d *delivery) wait(pause time.Duration) bool {
	if pause <= 0 {
		return true
	}
	timer := time.NewTimer(pause)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-d.gone:
		return false
	}
}
