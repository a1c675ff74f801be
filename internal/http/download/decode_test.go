package download_test

import (
	"bytes"
	"compress/flate"
	"compress/gzip"
	"compress/zlib"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/andybalholm/brotli"
	"github.com/klauspost/compress/zstd"
	"github.com/robotsexclusion/robots/internal/http/download"
)

// pack applies a content encoding by its name in a header, or "raw" for DEFLATE without
// zlib.
func pack(coding, text string) string {
	var b bytes.Buffer
	var w io.WriteCloser
	switch coding {
	case "gzip", "x-gzip":
		w = gzip.NewWriter(&b)
	case "deflate":
		w = zlib.NewWriter(&b)
	case "raw":
		w, _ = flate.NewWriter(&b, 9)
	case "br":
		w = brotli.NewWriter(&b)
	case "zstd":
		w, _ = zstd.NewWriter(&b, zstd.WithEncoderConcurrency(1))
	default:
		return text
	}
	io.WriteString(w, text)
	w.Close()
	return b.String()
}

// packed answers with a body unchanged, and declares a content encoding.
func packed(coding, body string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		w.Header().Set("Content-Encoding", coding)
		w.Header().Set("Content-Length", strconv.Itoa(len(body)))
		io.WriteString(w, body)
	}
}

func TestEncodings(t *testing.T) {
	long := strings.Repeat("All work and no play makes Jack a dull boy. ", 5000)
	for _, test := range []struct{ coding, body, want string }{
		{"gzip", pack("gzip", page), page},
		{"gzip", pack("gzip", long), long},
		{"gzip", pack("gzip", ""), ""},
		{"gzip", "", ""},
		{"X-GZIP", pack("gzip", page), page},
		{"gzip", pack("gzip", page) + pack("gzip", "") + pack("gzip", page), page + page},
		{"gzip", pack("gzip", page) + strings.Repeat("\x00", 1000), page},
		{"gzip", pack("gzip", page) + "\x1f", page},
		{"gzip", pack("gzip", long) + strings.Repeat("junk", 1000), long},
		{"deflate", pack("deflate", page), page},
		{"deflate", pack("raw", page), page},
		{"deflate", pack("raw", long), long},
		{"deflate", pack("deflate", long) + "junk", long},
		{"deflate", "", ""},
		{"br", pack("br", page), page},
		{"br", pack("br", long), long},
		{"br", pack("br", ""), ""},
		{"br", pack("br", long) + "junk", long},
		{"br", "", ""},
		{"zstd", pack("zstd", page), page},
		{"zstd", pack("zstd", long) + pack("zstd", page), long + page},
		{"zstd", "", ""},
		{"gzip, br", pack("br", pack("gzip", long)), long},
		{"zstd, gzip", pack("gzip", pack("zstd", page)), page},
		{"gzip, identity, gzip", pack("gzip", pack("gzip", page)), page},
		{"identity", page, page},
		{"", page, page},
		{"utf-8", page, page},
		{"none", page, page},
		{",, gzip ,", pack("gzip", page), page},
	} {
		s := serve(t, packed(test.coding, test.body))
		c := local(t)
		for i, keep := range []bool{true, false, true} {
			x := visit(t, c, download.Request{URL: s.URL, KeepSent: keep})
			check(t, test.coding+": body", bodyText(t, x.Body), test.want)
			check(t, test.coding+": truncated", x.Truncated, download.Whole)
			check(t, test.coding+": failure", x.Failure, download.None)
			switch {
			case keep:
				check(t, test.coding+": sent", bodyText(t, x.Sent), test.body)
				check(t, test.coding+": sent truncated", x.SentTruncated, download.Whole)
			case x.Sent != nil && x.Sent != x.Body:
				t.Errorf("%s: %d bytes were kept as sent", test.coding, x.Sent.Size())
			}
			check(t, test.coding+": reused", x.Times.Reused, i > 0)
		}
	}
}

func TestBrokenEncodings(t *testing.T) {
	long := strings.Repeat("All work and no play makes Jack a dull boy. ", 5000)
	flip := func(s string, i int) string {
		b := []byte(s)
		b[(i+len(b))%len(b)] ^= 1
		return string(b)
	}
	cut := func(s string) string { return s[:len(s)/2] }
	noise := rand.New(rand.NewPCG(1, 2))
	// half of its bytes, compressed too, decode to a part of it
	random := strings.Map(func(rune) rune { return 'a' + noise.Int32N(26) }, long)
	for _, test := range []struct {
		name, coding, body string
		some               bool // a part can be read
	}{
		{"gzip that is none", "gzip", page, false},
		{"gzip, one byte", "gzip", "\x1f", false},
		{"gzip, half", "gzip", cut(pack("gzip", random)), true},
		{"gzip, wrong sum", "gzip", flip(pack("gzip", random), -8), true},
		{"gzip, second member broken", "gzip", pack("gzip", page) + "\x1f\x8b\x00", true},
		{"deflate that is none", "deflate", page, false},
		{"deflate, half", "deflate", cut(pack("deflate", random)), true},
		{"deflate, wrong sum", "deflate", flip(pack("deflate", random), -1), true},
		{"deflate with a dictionary", "deflate", "\x78\xbb\x00\x00\x00\x00", false},
		{"br that is none", "br", page, false},
		{"br, half", "br", cut(pack("br", random)), true},
		{"br, large window", "br", "\x11\x1e\x00\x00", false},
		{"zstd that is none", "zstd", page, false},
		{"zstd, half", "zstd", cut(pack("zstd", strings.Repeat(random, 20))), true},
		{"zstd, window of 16 MiB", "zstd", "\x28\xb5\x2f\xfd\x00\x70" + "\x02\x00\x10" + "x", false},
		{"zstd, one segment of 1 TiB", "zstd", "\x28\xb5\x2f\xfd\xe0\x00\x00\x00\x00\x00\x01\x00\x00" + "\x02\x00\x10" +
			"x", false},
		{"zstd with a dictionary", "zstd", "\x28\xb5\x2f\xfd\x01\x00\x07" + "\x03\x00\x00" + "x", false},
		{"three encodings", "gzip, gzip, gzip", pack("gzip", pack("gzip", pack("gzip", page))), false},
		{"inner encoding broken", "gzip, br", pack("br", page), false},
		{"wrong order", "br, gzip", pack("br", pack("gzip", page)), false},
		{"compress", "compress", "\x1f\x9d\x90", false},
		{"dictionary", "dcz", pack("zstd", page), false},
	} {
		t.Run(test.name, func(t *testing.T) {
			s := serve(t, packed(test.coding, test.body))
			c := local(t)
			for range 2 {
				x := visit(t, c, download.Request{URL: s.URL, KeepSent: true})
				check(t, "truncated", x.Truncated, download.Broken)
				check(t, "failure", x.Failure, download.Encoding)
				check(t, "some", x.Body.Size() > 0, test.some)
				check(t, "sent", bodyText(t, x.Sent), test.body)
				check(t, "sent truncated", x.SentTruncated, download.Whole)
			}
			x := visit(t, c, download.Request{URL: s.URL})
			check(t, "truncated", x.Truncated, download.Broken)
			check(t, "sent", x.Sent == nil, true)
			if x.Err == nil || !strings.Contains(x.Err.Error(), "content encoding") {
				t.Errorf("got %v", x.Err)
			}
		})
	}

	// A broken connection is reported as such.
	body := pack("gzip", random)
	origin := serveRaw(t, says("HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: "+strconv.Itoa(len(body))+
		"\r\n\r\n"+cut(body)))
	x := visit(t, local(t), download.Request{URL: origin, KeepSent: true})
	check(t, "truncated", x.Truncated, download.Disconnect)
	check(t, "sent truncated", x.SentTruncated, download.Disconnect)
	check(t, "failure", x.Failure, download.Disconnected)
	check(t, "sent", bodyText(t, x.Sent), cut(body))
	check(t, "some", strings.HasPrefix(random, bodyText(t, x.Body)), true)
}

// TestBombs limits the memory and work that a small body can cause.
func TestBombs(t *testing.T) {
	const size = 128 << 20
	bomb := func(coding string) string {
		var b bytes.Buffer
		var w io.WriteCloser
		switch coding {
		case "gzip":
			w, _ = gzip.NewWriterLevel(&b, gzip.BestSpeed)
		case "br":
			w = brotli.NewWriterOptions(&b, brotli.WriterOptions{Quality: 2, LGWin: 24})
		case "zstd":
			w, _ = zstd.NewWriter(&b, zstd.WithEncoderConcurrency(1), zstd.WithWindowSize(8<<20))
		}
		zeros := make([]byte, 1<<20)
		for range size >> 20 {
			w.Write(zeros)
		}
		w.Close()
		return b.String()
	}
	bombs := map[string]string{"gzip": bomb("gzip"), "br": bomb("br"), "zstd": bomb("zstd")}
	for _, test := range []struct {
		name, coding, body string
		size               int64 // of the kept body
		truncated          download.Truncation
	}{
		{"gzip", "gzip", bombs["gzip"], 1 << 20, download.Length}, // by its ratio, which counts from 1 MiB on
		{"gzip whatever its ratio", "gzip", bombs["gzip"], 2 << 20, download.Length},
		{"br", "br", bombs["br"], 1 << 20, download.Length},
		{"br whatever its ratio", "br", bombs["br"], 2 << 20, download.Length},
		{"zstd whatever its ratio", "zstd", bombs["zstd"], 2 << 20, download.Length},
		{"zstd", "zstd", bombs["zstd"], 1 << 20, download.Length},
		{"gzip in gzip", "gzip, gzip", pack("gzip", bombs["gzip"]), 1 << 20, download.Length},
		{"gzip in br", "gzip, br", pack("br", bombs["gzip"]), 1 << 20, download.Length},
		{"zstd in zstd", "zstd, zstd", pack("zstd", bombs["zstd"]), 1 << 20, download.Length},
		{"members without bytes", "gzip", strings.Repeat(pack("gzip", ""), 1<<16), 0, download.Whole},
		{"members without bytes in gzip", "gzip, gzip", pack("gzip", strings.Repeat(pack("gzip", ""), 1<<20)), 0,
			download.Length},
		{"frames without bytes in zstd", "zstd, zstd",
			pack("zstd", strings.Repeat(pack("zstd", "")+"\x50\x2a\x4d\x18\x00\x00\x00\x00", 1<<14)), 0,
			download.Whole},
	} {
		t.Run(test.name, func(t *testing.T) {
			s := serve(t, packed(test.coding, test.body))
			c := local(t)
			c.MaxBody, c.Memory, c.Dir = 2<<20, 64<<10, t.TempDir()
			if c.MaxRatio = 2; strings.HasSuffix(test.name, "ratio") {
				c.MaxRatio = 1 << 40
			}
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			x := visit(t, c, download.Request{URL: s.URL, KeepSent: true})
			runtime.ReadMemStats(&after)
			check(t, "truncated", x.Truncated, test.truncated)
			if got := x.Body.Size(); got < test.size || got > max(test.size, test.size+64<<10) {
				t.Errorf("got %d bytes, want %d or a little more", got, test.size)
			}
			// The window of Brotli is 16 MiB and grows by doubling; Zstandard has
			// twice its window of 8 MiB.
			if taken := after.TotalAlloc - before.TotalAlloc; taken > 64<<20 {
				t.Errorf("took %d bytes of memory", taken)
			}
		})
	}
}

// A decoder that panics counts as one that cannot read the body.
func TestDecoderPanics(t *testing.T) {
	src := io.MultiReader(strings.NewReader(pack("gzip", page)[:20]), panics{})
	got, err := download.Decode(iotest.OneByteReader(src), []string{"gzip"}, 1000)
	if err == nil || !strings.Contains(err.Error(), "gzip: panic: out of order") {
		t.Errorf("got %q, %v", got, err)
	}
}

type panics struct{}

func (panics) Read([]byte) (int, error) { panic("out of order") }

// A body that claims to be large, and is empty, takes no memory.
func TestLengthIsNotBelieved(t *testing.T) {
	origin := serveRaw(t, says("HTTP/1.1 200 OK\r\nContent-Length: 8388608\r\n\r\nabc"))
	c := local(t)
	visit(t, c, download.Request{URL: origin}) // allocations that are made once
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	x := visit(t, c, download.Request{URL: origin})
	runtime.ReadMemStats(&after)
	check(t, "body", bodyText(t, x.Body), "abc")
	if taken := after.TotalAlloc - before.TotalAlloc; taken > 512<<10 {
		t.Errorf("took %d bytes of memory", taken)
	}
}

// Whether or not the chunks of an answer and its encoding end at the same place, the
// connection can be used again.
func TestEncodedChunks(t *testing.T) {
	s := serve(t, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		w.Header().Set("Content-Encoding", "gzip")
		io.WriteString(w, pack("gzip", page))
		w.(http.Flusher).Flush()
		if r.URL.Path != "/" {
			io.WriteString(w, r.URL.Path)
			w.(http.Flusher).Flush()
		}
	})
	c := local(t)
	for i, path := range []string{"/", "/" + strings.Repeat("\x41", 3000), "/"} {
		x := visit(t, c, download.Request{URL: s.URL + path})
		check(t, "body", bodyText(t, x.Body), page)
		check(t, "reused", x.Times.Reused, i > 0)
	}
	// Endless bytes after the body are not read to their end.
	origin := serveRaw(t, func(conn net.Conn, _ int) bool {
		io.WriteString(conn, "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n\r\n"+pack("gzip", page))
		io.Copy(conn, endless("x"))
		return false
	})
	for _, keep := range []bool{false, true} {
		x := visit(t, c, download.Request{URL: origin, KeepSent: keep, MaxSent: 1 << 20})
		check(t, "body", bodyText(t, x.Body), page)
		check(t, "truncated", x.Truncated, download.Length)
		if keep {
			check(t, "sent", x.Sent.Size(), 1<<20)
			check(t, "sent truncated", x.SentTruncated, download.Length)
		}
	}
}
