package audit

import (
	"bytes"
	"strings"
)

// classOfTarget returns what the path of a request says it was for.
func classOfTarget(path []byte) targetClass {
	if path == nil {
		return noTarget
	}
	if isRobotsTxt(path) {
		return rulesTarget
	}
	var query []byte
	if i := bytes.IndexByte(path, '?'); i >= 0 {
		path, query = path[:i], path[i+1:]
	}
	slash, dot := lastSlashAndDot(path)
	name := path[slash+1:]
	if dot > slash {
		if class, ok := classOfExtension(path[dot+1:]); ok {
			return class
		}
	}
	for folders := path[:max(slash, 0)]; len(folders) > 0; {
		end := bytes.IndexByte(folders, '/')
		if end < 0 {
			end = len(folders)
		}
		if isAssetFolder(folders[:end]) {
			return assetTarget
		}
		folders = folders[min(end+1, len(folders)):]
	}
	for _, word := range feedWords {
		if len(name) == len(word) && strings.EqualFold(string(name), word) || len(query) > 0 &&
			bytes.Contains(query, []byte(word)) {
			return otherTarget
		}
	}
	return pageTarget
}

// lastSlashAndDot returns the index of the last slash of a path, or -1, and that of the last dot
// after it, or -1.
func lastSlashAndDot(path []byte) (slash, dot int) {
	dot = -1
	for i := len(path) - 1; i >= 0; i-- {
		switch {
		case path[i] == '/':
			return i, dot
		case path[i] == '.' && dot < 0:
			dot = i
		}
	}
	return -1, dot
}

// classOfExtension returns the class of the names that end in an extension. A name with an
// extension for which ok is false, or with none, is that of a page.
func classOfExtension(extension []byte) (class targetClass, ok bool) {
	var lower [maxExtension]byte
	if len(extension) > maxExtension {
		return 0, false
	}
	for i, c := range extension {
		if 'A' <= c && c <= 'Z' {
			c += 'a' - 'A'
		}
		lower[i] = c
	}
	switch string(lower[:len(extension)]) {
	case "css", "js", "mjs", "map", "png", "gif", "jpg", "jpeg", "webp", "avif", "svg", "ico", "bmp", "woff", "woff2",
		"ttf", "otf", "eot":
		return assetTarget, true
	case "xml", "rss", "atom", "rdf", "json", "txt", "csv", "pdf", "zip", "gz", "tgz", "tar", "bz2", "xz", "7z", "rar",
		"exe", "msi", "dmg",
		"iso", "deb", "rpm", "jar", "apk", "doc", "docx", "xls", "xlsx", "ppt", "pptx", "ps", "epub", "mp3", "mp4",
		"m4a", "m4v", "ogg", "ogv",
		"webm", "avi", "mov", "flv", "swf", "wav", "wmv", "bin", "gem", "pkg", "md5", "sha256", "torrent":
		return otherTarget, true
	}
	return 0, false
}

// maxExtension is the length of the longest of these extensions.
const maxExtension = 7

// isAssetFolder reports whether a folder has parts of pages, under names without an extension.
func isAssetFolder(name []byte) bool {
	switch string(name) {
	case "assets", "css", "fonts", "image", "images", "img", "js", "static":
		return true
	}
	return false
}

// feedWords are the names of feeds, which readers of feeds ask for again and again.
var feedWords = []string{"rss", "atom", "feed"}
