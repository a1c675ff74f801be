package testweb

import (
	"strconv"
	"strings"
)

// folders are the folders of the pages of a tree. Some of them are closed by robots.txt
// files.
var folders = [...]string{"news", "docs", "people", "private", "archive", "notes", "photos", "talks"}

// branches is the number of pages below each page of a tree.
const branches = 8

// appendPath appends the path of a page of the tree. Number 0 is the root page.
func (h *host) appendPath(dst []byte, page int32) []byte {
	if page == 0 {
		return append(dst, '/')
	}
	dst = append(dst, '/')
	dst = append(dst, h.folder(page)...)
	dst = append(dst, '/')
	dst = strconv.AppendInt(dst, int64(page), 10)
	return append(dst, ".html"...)
}

func (h *host) folder(page int32) string {
	return folders[mix(h.pick, uint64(page))%uint64(len(folders))]
}

// pageOf returns the number of the page of the tree with a path.
func (h *host) pageOf(path string) (page int32, ok bool) {
	if path == "/" {
		return 0, true
	}
	if h.pages == 1 {
		return 0, false
	}
	folder, rest, ok := strings.Cut(path[1:], "/")
	digits, isPage := strings.CutSuffix(rest, ".html")
	if !ok || !isPage || digits == "" || digits[0] == '0' {
		return 0, false
	}
	n, err := strconv.ParseUint(digits, 10, 31)
	if err != nil || n >= uint64(h.pages) || h.folder(int32(n)) != folder {
		return 0, false
	}
	return int32(n), true
}

// eachLink calls f for each link of a page of the tree: those to the pages below it, as
// many to other pages of the host, and the rest to other hosts, the first of which are
// the most popular.
func (h *host) eachLink(page int32, f func(to *host, page int32)) {
	w := h.web
	left := w.options.Links
	below := int64(page)*branches + 1
	for n := below; n < min(below+branches, int64(h.pages)); n++ {
		f(h, int32(n))
		left--
	}
	s := source(mix(h.pick, uint64(page), 1))
	if h.pages > 1 {
		for range min(branches, left/2) {
			f(h, int32(s.below(int(h.pages))))
			left--
		}
	}
	for left > 0 {
		to := &w.hosts[s.popular(len(w.hosts))]
		deep := s.next()
		if to.kind.refused || to.site != nil {
			to = h
		}
		target := int32(0)
		if deep%2 == 0 {
			target = int32(deep >> 8 % uint64(to.pages))
		}
		f(to, target)
		left--
	}
}

// treeAnswer returns the page of the tree with a path, or a 404.
func (h *host) treeAnswer(path string) answer {
	if page, ok := h.pageOf(path); ok {
		return answer{tree: true, tag: `"` + strconv.FormatUint(mix(h.pick, uint64(page), 2), 36) + `"`}
	}
	return notFound
}
