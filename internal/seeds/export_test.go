package seeds

// InLine returns the URLs found in one line.
func InLine(line []byte) (urls []string) {
	f := finder{found: func(url []byte, _ int) { urls = append(urls, string(url)) }}
	f.line(line)
	f.finish(0)
	return urls
}
