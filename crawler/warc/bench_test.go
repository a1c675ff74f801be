package warc_test

import (
	"bytes"
	stdgzip "compress/gzip"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"sync/atomic"
	"testing"

	"github.com/klauspost/compress/gzip"

	"github.com/robotsexclusion/robots/crawler/warc"
	"github.com/robotsexclusion/robots/internal/test/child"
	"github.com/robotsexclusion/robots/internal/test/corpus"
	"github.com/robotsexclusion/robots/internal/test/fatal"
)

// pages returns real pages of about 10 KB.
func pages(b *testing.B) (pages [][]byte) {
	b.Helper()
	for _, site := range []string{"jena-site", "httpd-manual", "opennlp-site"} {
		n := 0
		for _, f := range corpus.Untar(b, corpus.Path(b, "pages", site+".tar.gz")) {
			if len(f.Data) > 9000 && len(f.Data) < 12000 && n < 60 {
				pages = append(pages, f.Data)
				n++
			}
		}
	}
	return pages
}

// reportCPU returns a function that reports the processor time of an operation, in all
// goroutines, including garbage collection.
func reportCPU(b *testing.B) func() {
	begin := child.CPU()
	return func() { b.ReportMetric(float64(child.CPU()-begin)/float64(b.N), "cpu-ns/op") }
}

// BenchmarkWrite writes exchanges with a page of 10 KB: a response alone, and with its
// request and metadata. The first is the total cost of a record: two digests, gzip, the
// file and the index.
func BenchmarkWrite(b *testing.B) {
	pages := pages(b)
	for _, kind := range []string{"response", "exchange"} {
		exchange := func(i int) *warc.Exchange {
			x := visit(fmt.Sprintf("http://www.example.com/pages/%d", i), "")
			x.Response.Body = pages[i%len(pages)]
			if kind == "response" {
				x.Request, x.Metadata = warc.Message{}, nil
			}
			return x
		}
		b.Run(kind, func(b *testing.B) {
			w := openBench(b)
			defer reportCPU(b)()
			i := 0
			for b.Loop() {
				if _, err := w.Write(exchange(i)); err != nil {
					b.Fatal(err)
				}
				i++
			}
		})
		b.Run(kind+"/parallel", func(b *testing.B) {
			w := openBench(b)
			var n atomic.Int64
			defer reportCPU(b)()
			b.RunParallel(func(pb *testing.PB) {
				for pb.Next() {
					if _, err := w.Write(exchange(int(n.Add(1)))); err != nil {
						b.Error(err)
					}
				}
			})
		})
	}
}

func openBench(b *testing.B) *warc.Writer {
	w, err := warc.Open(b.TempDir(), warc.Options{})
	fatal.If(b, err)
	b.Cleanup(func() { w.Close() })
	b.ReportAllocs()
	return w
}

// BenchmarkLevel compresses the same pages at each level, and with compress/gzip, and
// reports the compressed part of their size.
func BenchmarkLevel(b *testing.B) {
	pages := pages(b)
	type compressor interface {
		io.WriteCloser
		Reset(io.Writer)
	}
	run := func(name string, z compressor) {
		b.Run(name, func(b *testing.B) {
			var out bytes.Buffer
			in, packed, i := 0, 0, 0
			defer reportCPU(b)()
			for b.Loop() {
				out.Reset()
				z.Reset(&out)
				z.Write(pages[i%len(pages)])
				z.Close()
				in += len(pages[i%len(pages)])
				packed += out.Len()
				i++
			}
			b.ReportMetric(100*float64(packed)/float64(in), "%")
		})
	}
	for level := 1; level <= 9; level++ {
		z, err := gzip.NewWriterLevel(nil, level)
		fatal.If(b, err)
		run(fmt.Sprintf("klauspost/%d", level), z)
		std, err := stdgzip.NewWriterLevel(nil, level)
		fatal.If(b, err)
		run(fmt.Sprintf("std/%d", level), std)
	}
}

// BenchmarkDigest computes the digest of a payload of 10 KB.
func BenchmarkDigest(b *testing.B) {
	page := pages(b)[0]
	defer reportCPU(b)()
	for b.Loop() {
		warc.PayloadDigest(page)
	}
}

// BenchmarkRead reads records with a page of 10 KB to their end.
func BenchmarkRead(b *testing.B) {
	dir := b.TempDir()
	w, err := warc.Open(dir, warc.Options{})
	fatal.If(b, err)
	for i, page := range pages(b) {
		x := visit(fmt.Sprintf("http://www.example.com/pages/%d", i), string(page))
		x.Request, x.Metadata = warc.Message{}, nil
		if _, err := w.Write(x); err != nil {
			b.Fatal(err)
		}
	}
	fatal.If(b, w.Close())
	names, _ := filepath.Glob(filepath.Join(dir, "*.gz"))
	file, err := os.ReadFile(names[0])
	fatal.If(b, err)
	b.ReportAllocs()
	defer reportCPU(b)()
	r := warc.NewReader(bytes.NewReader(file))
	for b.Loop() {
		rec, err := r.Next()
		if err == io.EOF {
			r = warc.NewReader(bytes.NewReader(file))
			continue
		}
		if err == nil {
			_, err = rec.Length()
		}
		fatal.If(b, err)
	}
}
