package crawl

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"encoding/binary"
	"errors"
	"io"
	"maps"
	"math/rand/v2"
	"net/http"
	"net/textproto"
	"time"

	"github.com/robotsexclusion/robots/crawler/internal/binread"
	"github.com/robotsexclusion/robots/crawler/internal/weburl"
	"github.com/robotsexclusion/robots/internal/printable"
)

// A redirect of robots.txt may lead to a host of another worker. Only that worker knows when the
// host may be asked, so it makes the request: a remote hop. The question and the answer go through
// the inboxes. Like all hops they are in memory only: if the answer does not come, because a worker
// was killed, the fetch starts again after a time. If the partition of the target moves, its worker
// says so, and the fetch starts again at once.

// A remoteHop is the part of a hop that other workers know.
type remoteHop struct {
	id        uint64
	of        string // origin of the host that the robots.txt belongs to
	partition uint8  // of that host
	url       string
	header    http.Header // of the request
}

// A remoteAnswer is the answer to a remote hop.
type remoteAnswer struct {
	id     uint64
	of     string
	again  bool // the request was not made: start again
	err    string
	status int
	header http.Header
	body   []byte
}

// The kinds of events in letters besides eventSeen and eventRefuse. Never renumber.
const (
	letterAsk    = 101
	letterAnswer = 102
)

// Limits of an answer, so that it has room in a batch. A longer answer counts as a failure.
const (
	mostRemoteHeader = 16 << 10
	mostRemoteBody   = 200 << 10
)

// remotePatience is how long a host waits for the answer to a remote hop.
const remotePatience = 10 * time.Minute

var (
	errRemoteLong = errors.New("the answer is too long to be passed on by another worker")
	errRemote     = errors.New("another worker asked, and had no answer")
)

func (a *remoteHop) append(b []byte) []byte {
	b = append(b, letterAsk)
	b = binary.LittleEndian.AppendUint64(b, a.id)
	b = append(appendText(appendText(b, a.of), a.url), a.partition)
	return appendHeader(b, a.header)
}

func (a *remoteAnswer) append(b []byte) []byte {
	b = append(b, letterAnswer)
	b = binary.LittleEndian.AppendUint64(b, a.id)
	b = appendText(b, a.of)
	again := byte(0)
	if a.again {
		again = 1
	}
	b = append(b, again)
	b = binary.AppendUvarint(appendText(b, a.err), uint64(a.status))
	return appendText(appendHeader(b, a.header), string(a.body))
}

func appendText(b []byte, s string) []byte {
	return append(binary.AppendUvarint(b, uint64(len(s))), s...)
}

func appendHeader(b []byte, h http.Header) []byte {
	var text bytes.Buffer
	h.Write(&text)
	return appendText(b, text.String())
}

func readHeader(r *binread.Reader) http.Header {
	text := r.Bytes()
	whole := append(bytes.Clone(text), "\r\n"...)
	h, err := textproto.NewReader(bufio.NewReader(bytes.NewReader(whole))).ReadMIMEHeader()
	if err != nil {
		r.Fail()
	}
	return http.Header(h)
}

// readRemoteHop reads a remote hop after the kind of its event.
func readRemoteHop(r *binread.Reader) *remoteHop {
	return &remoteHop{id: r.Fixed(), of: r.Text(), url: r.Text(), partition: r.Byte(), header: readHeader(r)}
}

func readRemoteAnswer(r *binread.Reader) *remoteAnswer {
	return &remoteAnswer{id: r.Fixed(), of: r.Text(), again: r.Byte() != 0, err: r.Text(), status: int(r.Number()),
		header: readHeader(r), body: []byte(r.Text())}
}

// await makes the host of a hop wait for the answer of another worker. f.mu must be held.
func (p *hop) await() {
	p.remote = &remoteHop{id: rand.Uint64(), of: p.of.origin, partition: p.of.partition, url: p.url,
		header: p.header}
	p.of.hop = p
}

// startAgain makes a host fetch its robots.txt again if it still waits for a remote hop.
func (t *tenures) startAgain(h *host, id uint64) {
	t.of.mu.Lock()
	defer t.of.unlock(h)
	if h.hop != nil && h.hop.remote != nil && h.hop.remote.id == id {
		t.restart(h)
		t.of.due.wakeOne()
	}
}

// ask sends a remote hop to the worker of its host.
func (s *post) ask(p *hop, partition uint8) {
	a := p.remote
	s.tell(partition, a.append([]byte{letterVersion}))
	patience := cmp.Or(time.Duration(s.share.patience.Load()), remotePatience)
	time.AfterFunc(patience, func() { s.share.shard.frontier.tenures.startAgain(p.of, a.id) })
}

// tell sends a question or an answer. It does not wait until the letter is durable: the worker that
// waits for the answer asks again.
func (s *post) tell(partition uint8, letter []byte) {
	s.share.shard.journal.Send(s.share.visiting, int(partition), letter)
}

// asked queues the remote hop of another worker at its host.
func (s *post) asked(a *remoteHop) error {
	u, err := weburl.Links.Parse(a.url)
	if err != nil {
		return err
	}
	p := &hop{of: &host{origin: a.of, partition: a.partition, index: -1}, url: a.url, header: a.header, remote: a}
	if err = s.share.shard.frontier.queueHop(p, u.Origin(), partitionOf(u)); errors.Is(err, errForeign) {
		s.bounce(p)
		return nil
	}
	return err
}

// bounce tells the worker of a remote hop to start again.
func (s *post) bounce(p *hop) {
	a := p.remote
	s.tell(a.partition, (&remoteAnswer{id: a.id, of: a.of, again: true}).append([]byte{letterVersion}))
}

// makeRemote makes the request of a remote hop, to a leased host that has a place at its address.
func (f *robotsFetcher) makeRemote(ctx context.Context, h *host, p *hop) {
	a := p.remote
	answer := &remoteAnswer{id: a.id, of: a.of}
	if err := f.remote(ctx, h, p, answer); err != nil {
		if ctx.Err() != nil {
			answer.again = true
		}
		answer.err = printable.Clipped(err.Error(), 500)
		answer.status, answer.header, answer.body = 0, nil, nil
	}
	f.committer.shard.share.post.tell(a.partition, answer.append([]byte{letterVersion}))
}

// remote makes the request of a remote hop, and reads the answer.
func (f *robotsFetcher) remote(ctx context.Context, h *host, p *hop, answer *remoteAnswer) error {
	timeout := f.config.Limits.Timeout
	if timeout <= 0 {
		timeout = 2 * time.Minute
	}
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, p.url, nil)
	if err != nil {
		return err
	}
	maps.Copy(r.Header, p.header)
	t := &robotsTransport{fetcher: f, host: h, hop: p}
	resp, err := t.ask(r)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	answer.status, answer.header = resp.StatusCode, resp.Header
	if resp.Uncompressed {
		answer.header.Del("Content-Length")
	}
	if size := len(appendHeader(nil, resp.Header)); size > mostRemoteHeader {
		return errRemoteLong
	}
	if resp.StatusCode/100 == 3 {
		return nil
	}
	if answer.body, err = io.ReadAll(io.LimitReader(resp.Body, mostRemoteBody+1)); err == nil &&
		len(answer.body) > mostRemoteBody {
		err = errRemoteLong
	}
	return err
}

// answered gives an answer to the host that waits for it.
func (s *post) answered(a *remoteAnswer) {
	f := s.share.shard.frontier
	f.mu.Lock()
	h := f.hosts[a.of]
	defer func() { f.unlock(h) }()
	if h == nil || h.hop == nil || h.hop.remote == nil || h.hop.remote.id != a.id || h.hop.remote.of != h.origin {
		h = nil
		return // it has started again since
	}
	if a.again {
		f.tenures.restart(h)
		f.due.wakeOne()
		return
	}
	p := h.hop
	last := step{url: p.url, conditional: isConditional(&http.Request{Header: p.header}), status: a.status,
		location: a.header.Get("Location"), etag: a.header.Get("ETag"), header: a.header, body: a.body}
	if a.status == 0 {
		last.err = errRemote
		if a.err != "" {
			last.err = errors.New(a.err)
		}
	}
	next := &hop{of: h, url: h.origin + "/robots.txt", steps: append(p.steps[:len(p.steps):len(p.steps)], last)}
	h.hop, h.answer = nil, &robotsAnswer{resume: next}
	if h.state == hostAwaiting {
		f.setDue(h, time.Now())
	} else if h.state == hostDue {
		f.due.hurry(h, time.Now())
	}
	f.due.wakeOne()
}

// resume goes on with the fetch of a host's robots.txt after a remote hop. It makes no request.
func resume(ctx context.Context, v *visitor, h *host, p *hop) {
	r, next, err := v.robots.replay(ctx, h, p)
	if next != nil {
		v.queueHop(next)
		return
	}
	v.obey(ctx, h, &robotsAnswer{result: r, err: err, asked: true})
}

// whole replays a whole answer.
func (s *step) whole(r *http.Request) *http.Response {
	return &http.Response{
		StatusCode: s.status, Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1, Header: s.header.Clone(),
		Body: io.NopCloser(bytes.NewReader(s.body)), ContentLength: int64(len(s.body)), Request: r,
	}
}
