package audit

import (
	"bytes"
	"strings"
)

// classOfTarget returns what a request was for, as far as its path says.
func classOfTarget(path []byte) targetClass {
	if path == nil {
		return noTarget
	}
	if string(path) == robotsPath {
		return rulesTarget
	}
	path, query, _ := bytes.Cut(path, []byte("?"))
	slash := bytes.LastIndexByte(path, '/')
	name := path[slash+1:]
	if dot := bytes.LastIndexByte(name, '.'); dot >= 0 {
		extension := name[dot+1:]
		class, ok := classOfExtension[string(extension)]
		if !ok && len(extension) <= maxExtension {
			class, ok = classOfExtension[string(bytes.ToLower(extension))]
		}
		if ok {
			return class
		}
	}
	for folders := path[:max(slash, 0)]; len(folders) > 0; {
		var folder []byte
		folder, folders, _ = bytes.Cut(folders, []byte("/"))
		if assetFolders[string(folder)] {
			return assetTarget
		}
	}
	for _, word := range feedWords {
		if bytes.Contains(query, []byte(word)) || strings.EqualFold(string(name), word) {
			return otherTarget
		}
	}
	return pageTarget
}

// classOfExtension has the class of the names that end in an extension, in lower case. A name with
// another extension, or with none, is that of a page.
var classOfExtension = func() map[string]targetClass {
	classes := map[string]targetClass{}
	for _, word := range strings.Fields("css js mjs map png gif jpg jpeg webp avif svg ico bmp woff woff2 ttf otf eot") {
		classes[word] = assetTarget
	}
	for _, word := range strings.Fields("xml rss atom rdf json txt csv pdf zip gz tgz tar bz2 xz 7z rar exe msi dmg iso deb rpm jar apk doc docx xls xlsx ppt pptx ps epub mp3 mp4 m4a m4v ogg ogv webm avi mov flv swf wav wmv bin gem pkg md5 sha256 torrent") {
		classes[word] = otherTarget
	}
	return classes
}()

// maxExtension is the length of the longest of these extensions.
const maxExtension = 7

// assetFolders are the names of folders that have parts of pages, under names without an extension.
var assetFolders = map[string]bool{
	"assets": true, "css": true, "fonts": true, "image": true, "images": true, "img": true, "js": true, "static": true,
}

// feedWords are the names of feeds, which readers of feeds ask for again and again.
var feedWords = []string{"rss", "atom", "feed"}
