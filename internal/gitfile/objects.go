package gitfile

import (
	"bytes"
	"encoding/hex"
	"fmt"
	"io"
	"strconv"
	"strings"
)

// objects reads objects of a repository. One process of git tells the size of an object before
// another one reads it.
type objects struct {
	sizes, texts *process
	max          int64 // bytes of an object
}

// objects starts the processes.
func (g *git) objects(max int64) (*objects, error) {
	sizes, err := g.start("cat-file", "--batch-check")
	if err != nil {
		return nil, err
	}
	texts, err := g.start("cat-file", "--batch")
	if err != nil {
		sizes.close()
		return nil, err
	}
	return &objects{sizes, texts, max}, nil
}

func (o *objects) close() {
	o.sizes.close()
	o.texts.close()
}

// ask asks a process for an object, and returns the head of the answer.
func (p *process) ask(name string) (object, kind string, size int64, err error) {
	if _, err := io.WriteString(p.in, name+"\n"); err != nil {
		return "", "", 0, p.failed(fmt.Errorf("cannot ask git for an object: %w", err))
	}
	line, err := p.line()
	if err == io.EOF {
		err = io.ErrUnexpectedEOF
	}
	if err != nil {
		return "", "", 0, err
	}
	words := strings.Fields(line)
	if len(words) == 3 {
		size, err = strconv.ParseInt(words[2], 10, 64)
	}
	if len(words) != 3 || err != nil || size < 0 {
		return "", "", 0,
			fmt.Errorf("the repository lacks object %.80q: if it is a partial clone, %s; otherwise check it with git fsck", name, refetch)
	}
	return words[0], words[1], size, nil
}

// contents returns the contents of an object.
func (o *objects) contents(name, kind string) ([]byte, error) {
	object, is, size, err := o.sizes.ask(name)
	if err != nil {
		return nil, err
	}
	if is != kind {
		return nil, fmt.Errorf("object %s is a %s, and not a %s: check the repository with git fsck", object, is, kind)
	}
	if size > o.max {
		return nil, fmt.Errorf("%s %.12s has %d bytes, more than %d MiB: that is not the history of a robots.txt", kind,
			object, size, o.max>>20)
	}
	if _, is, again, err := o.texts.ask(object); err != nil || is != kind || again != size {
		if err == nil {
			err = fmt.Errorf("object %s changed while it was read", object)
		}
		return nil, err
	}
	data := make([]byte, size+1)
	if _, err := io.ReadFull(o.texts.out, data); err != nil {
		return nil, o.texts.failed(fmt.Errorf("git did not send all of object %s: %w", object, err))
	}
	return data[:size:size], nil
}

// hasParent reports whether a commit has a parent, even if the repository lacks the parent.
func (o *objects) hasParent(commit string) (bool, error) {
	data, err := o.contents(commit, "commit")
	if err != nil {
		return false, err
	}
	head, _, _ := bytes.Cut(data, []byte("\n\n"))
	return bytes.Contains(head, []byte("\nparent ")), nil
}

// find returns the object of a commit at a path, and its kind. The object is "" if it is not a
// file.
func (o *objects) find(commit string, path []string) (kind Kind, object string, err error) {
	tree := commit + "^{tree}"
	for i, name := range path {
		data, err := o.contents(tree, "tree")
		if err != nil {
			return 0, "", err
		}
		mode, object, err := entry(data, name, len(commit)/2)
		switch last := i == len(path)-1; {
		case err != nil:
			return 0, "", err
		case mode == "":
			return Absent, "", nil
		case mode == modeFolder && !last:
			tree = object
		case last && strings.HasPrefix(mode, prefixFile):
			return File, object, nil
		case last, mode == modeLink, mode == modeModule:
			return Other, "", nil
		default: // a file is not a folder
			return Absent, "", nil
		}
	}
	return Absent, "", nil
}

// The modes of the entries of a tree.
const (
	modeFolder = "40000"
	modeLink   = "120000"
	modeModule = "160000"
	prefixFile = "100" // before the permissions of a file
)

// entry returns the mode and the object of a name in a tree, or "". The size is that of the name of
// an object in bytes.
func entry(tree []byte, name string, size int) (mode, object string, err error) {
	for len(tree) > 0 {
		head, rest, ok := bytes.Cut(tree, []byte{0})
		m, n, blank := strings.Cut(string(head), " ")
		if !ok || !blank || len(rest) < size {
			return "", "", fmt.Errorf("a folder is damaged: check the repository with git fsck")
		}
		if n == name {
			return m, hex.EncodeToString(rest[:size]), nil
		}
		tree = rest[size:]
	}
	return "", "", nil
}
