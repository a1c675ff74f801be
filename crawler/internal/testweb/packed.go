package testweb

import (
	"bytes"
	"compress/gzip"
	"sync"
)

var packed = Kind{
	Name: "packed", Share: 2,
	Doc: "Pages in gzip, some of them broken, said to be what they are not, or packed twice.",
	page: func(h *host, r *request) answer {
		gzipped := []string{"Content-Encoding: gzip"}
		hidden := []link{h.to("/after/broken.html")}
		accepts := r.settled || bytes.Contains(r.accept, []byte("gzip"))
		switch r.path {
		case "/":
			return answer{title: "Packed", links: []link{h.to("/gzip.html"), h.to("/half.html"), h.to("/not.html"),
				h.to("/twice.html")}}
		case "/gzip.html":
			a := answer{title: "In gzip", links: []link{h.to("/after/gzip.html")},
				header: []string{"Vary: Accept-Encoding"}}
			if accepts {
				a.header, a.pack = append(a.header, gzipped...), squeeze
			}
			return a
		case "/half.html":
			return answer{title: "Half", links: hidden, vague: true, faulty: true, header: gzipped,
				pack: func(b []byte) []byte { b = squeeze(b); return b[:len(b)/2] }}
		case "/not.html":
			return answer{title: "Not packed", links: hidden, vague: true, faulty: true, header: gzipped}
		case "/twice.html":
			return answer{title: "Twice", links: hidden, vague: true, faulty: true,
				header: []string{"Content-Encoding: gzip, gzip"},
				pack:   func(b []byte) []byte { return squeeze(squeeze(b)) }}
		case "/after/gzip.html", "/after/broken.html":
			return answer{title: "A page"}
		}
		return notFound
	},
}

var bomb = Kind{
	Name: "bomb", Share: 1,
	Doc: "A page of a megabyte in gzip that is a gigabyte of zeros, and one that has no end.",
	page: func(h *host, r *request) answer {
		switch r.path {
		case "/":
			return answer{title: "Bombs", links: []link{h.to("/bomb.html"), h.to("/endless.html"), h.to("/page.html")}}
		case "/bomb.html":
			a := answer{header: []string{"Content-Encoding: gzip"}, vague: true, faulty: true}
			if !r.settled {
				a.body = zeros()
			}
			return a
		case "/endless.html":
			return answer{title: "On and on", vague: true, way: flood}
		case "/page.html":
			return answer{title: "A page"}
		}
		return notFound
	},
}

// zeros returns a gigabyte of zeros in gzip: 64 members of one file.
var zeros = sync.OnceValue(func() []byte {
	var b bytes.Buffer
	z, _ := gzip.NewWriterLevel(&b, gzip.BestSpeed)
	chunk := make([]byte, 1<<20)
	for range 16 {
		z.Write(chunk)
	}
	z.Close()
	return bytes.Repeat(b.Bytes(), 64)
})
