package seeds

import (
	"fmt"
	"io"
)

// Places returns the URLs of mail, each after the number of its message.
func Places(r io.Reader) (list []string) {
	m, n := newMbox(r), 0
	c := &collector{mail: true, yield: func(url string, _ error) bool {
		list = append(list, fmt.Sprint(n, " ", url))
		return true
	}}
	for m.next() {
		n++
		c.message(m, 0)
	}
	return list
}

var formats = [...]string{"text", "list", "html", "mail", "sitemap"}

// String returns "text", "list", "html", "mail" or "sitemap".
func (f Format) String() string {
	if int(f) < len(formats) {
		return formats[f]
	}
	return "unknown"
}

// InLine returns the URLs found in one line.
func InLine(line []byte) (urls []string) {
	f := finder{found: func(url []byte) { urls = append(urls, string(url)) }}
	f.line(line)
	f.finish()
	return urls
}
