package download_test

import (
	"bufio"
	"bytes"
	"compress/flate"
	"compress/gzip"
	"compress/zlib"
	"errors"
	"io"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/robotsexclusion/robots/internal/http/download"
)

// FuzzAnswer compares an exchange with the result of net/http alone for the same bytes. Package
// http1 tests what net/http refuses.
func FuzzAnswer(f *testing.F) {
	const ok = "HTTP/1.1 200 OK\r\n"
	for _, seed := range []string{
		ok + "Content-Length: 68\r\nETag: \"x\"\r\n\r\n" + page, ok + "\r\n" + page, ok + "Content-Length: 99\r\n\r\n" +
			page,
		ok + "Transfer-Encoding: chunked\r\nTrailer: X\r\n\r\n44\r\n" + page + "\r\n0\r\nX: y\r\n\r\n", ok +
			"Transfer-Encoding: chunked\r\n\r\n44\r\n" + page,
		"HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\n" + ok + "Content-Length: 3\r\n\r\nabcd",
		"HTTP/1.0 302 Found\nLocation: /x\nContent-Type: text/html\n\n",
		ok + "Content-Encoding: gzip\r\n\r\n" + pack("gzip", page), "HTTP/1.1 304 Not Modified\r\n\r\n",
		"SSH-2.0-OpenSSH_9.6\r\n", ok + "X: a\r\n b\r\nTransfer-Encoding:\r\n chunked\r\n\r\n0\r\n\r\n",
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		if len(data) > 60<<10 {
			t.Skip("limits have tests of their own")
		}
		c := local(t)
		x, reusable, err := c.Answer(download.Request{URL: "http://example.com/a/b?c", Types: []string{"*/*"},
			KeepSent: true}, data)
		want, body, left, wantErr, cut := slowAnswer(data)
		if err != nil && wantErr == nil {
			t.Fatalf("got error %v, want none", err)
		}
		if wantErr != nil {
			return
		}
		for name := range want.Header {
			if strings.HasSuffix(name, " ") {
				return // package http1 drops the blank
			}
		}
		x.Header.Del("Connection") // is added to careless answers
		want.Header.Del("Connection")
		defer x.Close()
		sent, err := x.Sent.Bytes()
		if err != nil || !bytes.Equal(sent, body) || (x.SentTruncated == download.Whole) != (cut == nil) {
			t.Errorf("sent %q, truncated %q, %v; want %q, %v", sent, x.SentTruncated, err, body, cut)
		}
		if x.Status != want.StatusCode || !maps.EqualFunc(x.Header, want.Header, slices.Equal) {
			t.Errorf("got %d %q, want %d %q", x.Status, x.Header, want.StatusCode, want.Header)
		}
		if reusable && (cut != nil || left > 0 || want.Close) {
			t.Errorf("the connection is kept, %v, %d bytes are left", cut, left)
		}
		if x.SentTruncated != download.Whole && x.Truncated == download.Whole &&
			len(x.Header["Content-Encoding"]) == 0 {
			t.Error("the body is said to be whole")
		}
		// The recorded head says the same, except for the transfer of the body.
		again, err := http.ReadResponse(bufio.NewReader(bytes.NewReader(x.ResponseHead)), nil)
		if err != nil {
			t.Fatalf("head %q: %v", x.ResponseHead, err)
		}
		want.Header.Del("Trailer")        // stays if there are no chunks
		want.Header.Del("Content-Length") // with chunks there is none
		again.Header.Del("Content-Length")
		again.Header.Del("Connection")
		if again.StatusCode != x.Status || !maps.EqualFunc(again.Header, want.Header, slices.Equal) {
			t.Errorf("head %q has %q, want %q", x.ResponseHead, again.Header, want.Header)
		}
	})
}

// slowAnswer reads an answer as plainly as possible: its body as sent, the error that
// ended the body, and the number of bytes left.
func slowAnswer(data []byte) (r *http.Response, body []byte, left int, err, cut error) {
	b := bufio.NewReaderSize(bytes.NewReader(data), 16<<10)
	for {
		if r, err = http.ReadResponse(b, &http.Request{Method: "GET"}); err != nil {
			return nil, nil, 0, err, nil
		}
		if r.ProtoMajor != 1 || r.StatusCode < 100 || r.StatusCode == 101 {
			return nil, nil, 0, errors.New("no answer of HTTP/1.1"), nil
		}
		if r.StatusCode >= 200 {
			break
		}
	}
	body, cut = io.ReadAll(r.Body)
	rest, _ := io.ReadAll(b)
	return r, body, len(rest), nil, cut
}

// FuzzDecode compares decoders with the same bytes read one by one, within the limit,
// and compares the decoders that the standard library has too with the standard
// library.
func FuzzDecode(f *testing.F) {
	codings := []string{"gzip", "deflate", "br", "zstd"}
	for i, coding := range codings {
		f.Add(uint8(i), []byte(pack(coding, page)))
		f.Add(uint8(i), []byte(pack(coding, page)+pack(coding, page)))
		f.Add(uint8(i), []byte(pack(coding, page)[:20]))
		f.Add(uint8(i), []byte(pack(coding, strings.Repeat(page, 2000))))
		f.Add(uint8(i+4*(i+1)), []byte(pack(coding, pack(coding, page))))
	}
	f.Add(uint8(1), []byte(pack("raw", page)))
	f.Add(uint8(0), []byte(pack("gzip", page)+"\x1f\x8b"))
	f.Fuzz(func(t *testing.T, which uint8, data []byte) {
		const most = 100_000
		list := []string{codings[which%4]}
		if outer := which / 4 % 5; outer > 0 {
			list = append(list, codings[outer-1])
		}
		got, err := download.Decode(bytes.NewReader(data), list, most)
		if len(got) > most || len(got) < most && len(list) == 1 && errors.Is(err, download.ErrLength) {
			t.Errorf("got %d bytes, %v", len(got), err)
		}
		want, wantErr := download.Decode(iotest.OneByteReader(bytes.NewReader(data)), list, most)
		if (err == nil) != (wantErr == nil) || err == nil && !bytes.Equal(got, want) {
			t.Errorf("got %d bytes, %v; one by one %d, %v", len(got), err, len(want), wantErr)
		}
		if list[0] != "gzip" && list[0] != "deflate" || len(list) > 1 {
			return
		}
		want, wantErr = slowDecode(list[0], data)
		if len(want) > most {
			want, wantErr = want[:most], download.ErrLength
		}
		if (err == nil) != (wantErr == nil) || err == nil && !bytes.Equal(got, want) {
			t.Errorf("got %d bytes, %v; want %d, %v", len(got), err, len(want), wantErr)
		}
	})
}

// slowDecode undoes gzip and deflate with the standard library.
func slowDecode(coding string, data []byte) (all []byte, err error) {
	if len(data) == 0 {
		return nil, nil
	}
	b := bufio.NewReader(bytes.NewReader(data))
	if coding == "deflate" {
		var r io.Reader = flate.NewReader(b)
		if len(data) > 1 && data[0]&15 == 8 && (int(data[0])<<8+int(data[1]))%31 == 0 {
			if r, err = zlib.NewReader(b); err != nil {
				return nil, err
			}
		}
		return io.ReadAll(io.LimitReader(r, 1<<20))
	}
	for {
		r, err := gzip.NewReader(b)
		if err != nil {
			return all, err
		}
		r.Multistream(false)
		text, err := io.ReadAll(io.LimitReader(r, 1<<20))
		all = append(all, text...)
		if magic, _ := b.Peek(2); err != nil || len(all) >= 1<<20 || string(magic) != "\x1f\x8b" {
			return all, err
		}
	}
}

// FuzzTarget compares the parts of a URL, and the meaning of a Location, with net/url.
func FuzzTarget(f *testing.F) {
	for _, seed := range [][2]string{
		{"https://example.com/a/b?c", "../x?y#z"}, {"http://[2001:db8::1]:8080", "//b/c"}, {"https://example.com?q=/",
			"?y"}, {"http://192.0.2.1/", "http:x"},
		{"http://user@example.com/", "mailto:x"}, {"https://example.com/%2F?%", "a b\xff"},
		{"http://xn--bcher-kva.example/", ""}, {"http://a.example/x", "x:y"},
	} {
		f.Add(seed[0], seed[1])
	}
	f.Fuzz(func(t *testing.T, text, location string) {
		origin, path, host, port, resolved, err := download.Target(text, location)
		if err != nil {
			return
		}
		if origin+path != text && strings.Replace(origin+path, origin+"/", origin, 1) != text {
			t.Errorf("%q is %q and %q", text, origin, path)
		}
		if strings.ContainsFunc(resolved, func(c rune) bool { return c <= ' ' || c > '~' }) {
			t.Errorf("%q is not printable ASCII", resolved)
		}
		u, err := url.Parse(text)
		if err != nil {
			return // net/url rejects some bytes in a path
		}
		wantPort := u.Port()
		if wantPort == "" {
			wantPort = map[string]string{"http": "80", "https": "443"}[u.Scheme]
		}
		if u.Hostname() != host || wantPort != port || u.User != nil {
			t.Errorf("%q: got %q and %q, want %q and %q", text, host, port, u.Hostname(), wantPort)
		}
		if u.Path == "" {
			u.Path = "/"
		}
		location = strings.Trim(strings.ReplaceAll(location, "\t", ""), " ")
		if after, ok := strings.CutPrefix(location, "//"); ok &&
			(after == "" || strings.ContainsAny(after[:1], "/?#")) {
			return // an empty host, which net/url treats as missing
		}
		if resolved == "" || strings.ContainsAny(location, `\`) {
			return
		}
		want, err := u.Parse(escaped(location))
		if err != nil {
			return
		}
		got, err := u.Parse(resolved)
		if err != nil {
			t.Errorf("%q against %q is %q: %v", location, text, resolved, err)
		} else if shortest(got) != shortest(want) {
			t.Errorf("%q against %q is %q: got %q, want %q", location, text, resolved, got, want)
		}
	})
}

// shortest writes u without an empty query and without a last slash: net/url forgets
// the empty query of the base if the location is only a fragment.
func shortest(u *url.URL) string {
	return strings.TrimSuffix(strings.TrimSuffix(u.String(), "?"), "/")
}

// escaped percent-encodes bytes that are not printable ASCII, slowly.
func escaped(s string) string {
	var b strings.Builder
	for i := range len(s) {
		if s[i] <= ' ' || s[i] > '~' {
			b.WriteString("%" +
				strings.ToUpper(string("0123456789abcdef"[s[i]/16])+string("0123456789abcdef"[s[i]%16])))
		} else {
			b.WriteByte(s[i])
		}
	}
	return b.String()
}
