package crawl

import (
	"bytes"
	"crypto/sha256"
	"encoding/base32"
	"strings"

	"github.com/robotsexclusion/robots/crawler/internal/store"
	"github.com/robotsexclusion/robots/crawler/result"
	"github.com/robotsexclusion/robots/crawler/warc"
	"github.com/robotsexclusion/robots/internal/http/download"
)

// The digest stored with a URL is the digest of its content, followed by the SHA-1 digest of
// its payload if the archive has one. Archives identify payloads by SHA-1. The same content
// can have different payloads, for example with another compression.

// sameContent reports whether two digests have the same content.
func sameContent(a, b []byte) bool {
	return len(a) >= sha256.Size && len(b) >= sha256.Size && bytes.Equal(a[:sha256.Size], b[:sha256.Size])
}

const payloadPrefix = "sha1:"

// withPayload appends the digest of a payload, in the form of package warc, to the digest of a
// content.
func withPayload(digest []byte, payload string) []byte {
	text, ok := strings.CutPrefix(payload, payloadPrefix)
	sum, err := base32.StdEncoding.DecodeString(text)
	if !ok || err != nil || len(digest) != sha256.Size {
		return digest
	}
	return append(digest[:sha256.Size:sha256.Size], sum...)
}

// payloadOf returns the digest of the payload in the form of package warc, or "".
func payloadOf(digest []byte) string {
	if len(digest) <= sha256.Size {
		return ""
	}
	return payloadPrefix + base32.StdEncoding.EncodeToString(digest[sha256.Size:])
}

// An archiver archives exchanges with servers.
type archiver struct {
	*stopper
	writer *warc.Writer // nil if there is no archive
	memo   *memo
	replay *archivedAnswer // the archived answer that a repair replays, or nil
}

// keep archives an exchange and records its position in the result. An unchanged page is
// archived as a revisit.
func (a *archiver) keep(o *outcome, r *result.Line, known store.Entry, x *download.Exchange) {
	if at := a.replay; at != nil {
		a.keepReplayed(o, r, at, x)
		return
	}
	if a.writer == nil {
		return
	}
	e := &warc.Exchange{
		URL: o.item.URL, Time: x.Times.Start, IP: x.Addr.Addr(), Truncated: x.Truncated.String(),
		Request: warc.Message{Head: x.RequestHead}, Response: warc.Message{Head: x.ResponseHead},
	}
	for _, p := range []string{x.Protocol, x.TLS} {
		if p != "" {
			e.Protocols = append(e.Protocols, p)
		}
	}
	if x.Sent != nil {
		e.Response.Rest = x.Sent.Reader()
	}
	if o.item.Via != "" {
		e.Metadata = []warc.Field{{Name: "via", Value: o.item.Via}}
	}
	if r.RobotsIgnored != "" {
		e.Metadata = append(e.Metadata, warc.Field{Name: "robotsIgnored", Value: r.RobotsIgnored})
	}
	if x.NotModified {
		e.Revisit = &warc.Revisit{Profile: warc.NotModified, Of: warc.Capture{URL: o.item.URL,
			Digest: payloadOf(known.State.Digest)}}
	} else if same, err := samePayload(known, o, x); err != nil {
		a.fail(err)
		return
	} else if same {
		// The revisit has no date of the capture: known only has the time of the last visit.
		e.Revisit = &warc.Revisit{Profile: warc.IdenticalPayload, Of: warc.Capture{URL: o.item.URL,
			Digest: payloadOf(known.State.Digest)}}
	}
	capture, err := a.writer.Write(e)
	if err != nil {
		a.fail(err)
		return
	}
	r.Archive, r.Offset = capture.File, capture.Offset
	if e.Revisit == nil && x.Truncated == download.Whole {
		err := a.memo.addVisit(&archivedVisit{o.item.URL, o.item.Partition, o.item.Tries, x.Times.Start, capture.File,
			capture.Offset, r.Address})
		if err != nil {
			a.fail(err)
			return
		}
	}
	if o.state.Digest != nil {
		o.state.Digest = withPayload(o.state.Digest, capture.Digest)
	}
}

// An archivedAnswer is an answer in the archive that a repair replays to rebuild the store.
type archivedAnswer struct {
	archive   string // the file of the archive
	offset    int64
	address   string // address of the server, if known
	hasResult bool   // the results have its line
}

// keepReplayed records the position of an exchange that was archived earlier.
func (a *archiver) keepReplayed(o *outcome, r *result.Line, at *archivedAnswer, x *download.Exchange) {
	r.Archive, r.Offset, r.Address = at.archive, at.offset, at.address
	if at.hasResult {
		o.result = nil // its line is already written
	}
	if o.state.Digest == nil || x.Sent == nil {
		return
	}
	sent, err := x.Sent.Bytes()
	if err != nil {
		a.fail(err)
		return
	}
	o.state.Digest = withPayload(o.state.Digest, warc.PayloadDigest(sent))
}

// samePayload reports whether the archive has the payload of an answer from an earlier visit
// to its URL.
func samePayload(known store.Entry, o *outcome, x *download.Exchange) (bool, error) {
	if !known.Done || x.Sent == nil || x.Truncated != download.Whole ||
		!sameContent(known.State.Digest, o.state.Digest) || payloadOf(known.State.Digest) == "" {
		return false, nil
	}
	sent, err := x.Sent.Bytes()
	if err != nil {
		return false, err
	}
	return warc.PayloadDigest(sent) == payloadOf(known.State.Digest), nil
}
