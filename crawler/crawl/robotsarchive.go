package crawl

import (
	"bytes"
	"context"
	"crypto/tls"
	"io"
	"net/http"
	"net/http/httptrace"
	"net/netip"
	"strings"
	"time"

	"github.com/robotsexclusion/robots/crawler/warc"
)

// All answers about robots.txt are archived like those of pages, with redirects and errors. They
// have no results, so nothing takes them for pages.

// An archivedBody is the body of an answer about robots.txt. Close archives the answer.
type archivedBody struct {
	io.ReadCloser
	kept  bytes.Buffer
	ended error // what the last Read returned
	stop  context.CancelFunc
	keep  func(body *archivedBody)
}

// Limits of bytes and time for the rest of a body that the fetcher did not read, such as the page
// of an error.
const (
	mostRest    = 64 << 10
	patientRest = time.Second
)

func (b *archivedBody) Read(p []byte) (n int, err error) {
	n, err = b.ReadCloser.Read(p)
	b.kept.Write(p[:n])
	b.ended = err
	return n, err
}

func (b *archivedBody) Close() error {
	if b.keep == nil {
		return b.ReadCloser.Close()
	}
	late := time.AfterFunc(patientRest, b.stop)
	for rest := int64(mostRest); b.ended == nil && rest > 0; {
		n, _ := io.CopyN(io.Discard, b, rest)
		rest -= n
	}
	late.Stop()
	err := b.ReadCloser.Close()
	b.stop()
	b.keep(b)
	b.keep = nil
	return err
}

// exchanged makes a request for robots.txt, and signs it if the crawl signs requests. If the crawl
// has an archive, the answer is archived when its body is closed.
func (f *robotsFetcher) exchanged(transport http.RoundTripper, r *http.Request) (*http.Response, error) {
	if f.config.Signer != nil {
		r = r.Clone(r.Context()) // a RoundTripper must not modify a request
		if err := f.config.sign(r); err != nil {
			return nil, err
		}
	}
	if f.archive == nil {
		return transport.RoundTrip(r)
	}
	e := &warc.Exchange{URL: r.URL.String(), Time: time.Now()}
	ctx, stop := context.WithCancel(r.Context())
	ctx = httptrace.WithClientTrace(ctx, &httptrace.ClientTrace{GotConn: func(info httptrace.GotConnInfo) {
		if at, err := netip.ParseAddrPort(info.Conn.RemoteAddr().String()); err == nil {
			e.IP = at.Addr().Unmap()
		}
	}})
	resp, err := transport.RoundTrip(r.WithContext(ctx))
	if err != nil {
		stop()
		return nil, err
	}
	e.Request.Head, e.Response.Head = warc.RequestHead(r), warc.ResponseHead(resp)
	e.Protocols = append(e.Protocols, protocolOf(resp))
	if resp.TLS != nil {
		e.Protocols = append(e.Protocols, "tls/"+strings.TrimPrefix(tls.VersionName(resp.TLS.Version), "TLS "))
	}
	if resp.StatusCode == http.StatusNotModified {
		e.Revisit = &warc.Revisit{Profile: warc.NotModified, Of: warc.Capture{URL: e.URL}}
	}
	resp.Body = &archivedBody{ReadCloser: resp.Body, stop: stop, keep: func(b *archivedBody) {
		e.Response.Rest = &b.kept
		switch b.ended {
		case io.EOF:
		case nil:
			e.Truncated = "length"
		default:
			e.Response.Rest = io.MultiReader(&b.kept, brokenReader{b.ended})
		}
		if _, err := f.archive.Write(e); err != nil {
			f.fail(err)
		}
	}}
	return resp, nil
}

// protocolOf returns the name of an answer's protocol in archives.
func protocolOf(r *http.Response) string {
	if r.ProtoMajor == 2 {
		return "h2"
	}
	return strings.ToLower(r.Proto)
}

// A brokenReader always fails.
type brokenReader struct{ err error }

func (r brokenReader) Read([]byte) (int, error) { return 0, r.err }
