package main

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/robotsexclusion/robots/internal/index"
	"github.com/robotsexclusion/robots/internal/printable"
	"github.com/robotsexclusion/robots/page"
	"github.com/spf13/cobra"
)

// putFiles puts files into the index, and reports the files that it left out.
func (s *searcher) putFiles(ctx context.Context, cmd *cobra.Command, names []string) error {
	p := &putting{ctx: ctx, cmd: cmd}
	if s.base != "" {
		base, err := url.Parse(s.base)
		if err != nil || base.Host == "" {
			return misusef("--base %q is no URL: write it as https://example.com/", s.base)
		}
		p.base = base
	} else if slices.Contains(names, stdin) {
		return misusef("standard input has no URL: name it with --base")
	}
	var err error
	if p.robot, err = s.robot(); err != nil {
		return err
	}
	x, err := index.Open(s.folder(), index.Options{})
	if err != nil {
		return err
	}
	p.index = index.NewDistinct(x)
	for _, name := range names {
		if err = p.argument(name); err != nil {
			break
		}
	}
	// The index keeps the files that were put, even if another file could not be read.
	if closeErr := x.Close(); err == nil {
		err = closeErr
	}
	if p.put > 0 || p.left > 0 || err == nil {
		text := count(p.put, "page") + " indexed"
		if p.left > 0 {
			text += fmt.Sprintf(", %d left out", p.left)
		}
		if _, writeErr := fmt.Fprintln(cmd.OutOrStdout(), text); err == nil && writeErr != nil {
			err = fmt.Errorf("cannot write the result: %w", cause(writeErr))
		}
	}
	return err
}

// A putting puts files into an index.
type putting struct {
	ctx   context.Context
	cmd   *cobra.Command
	index *index.Distinct
	base  *url.URL // or nil
	robot []string // the names of the robot
	put   int
	left  int // files left out

	unsynced int // files since the last sync
}

// argument puts a file, or all files of a folder.
func (p *putting) argument(name string) error {
	if info, err := os.Stat(name); name == stdin || err != nil || !info.IsDir() {
		return p.file(name, path.Base(filepath.ToSlash(name)))
	}
	return filepath.WalkDir(name, func(file string, d fs.DirEntry, err error) error {
		if err != nil {
			return fmt.Errorf("cannot read %s: %w", file, cause(err))
		}
		if !d.Type().IsRegular() || !slices.Contains(textNames, strings.ToLower(path.Ext(file))) {
			return nil
		}
		relative, err := filepath.Rel(name, file)
		if err != nil {
			return err
		}
		return p.file(file, filepath.ToSlash(relative))
	})
}

// largestPage is the maximum number of bytes read from a file.
const largestPage = page.DefaultMaxSize

// file puts a file. Its relative name is its path on the site.
func (p *putting) file(name, relative string) error {
	if p.ctx.Err() != nil {
		return errInterrupted
	}
	in, err := open(p.cmd, name)
	if err != nil {
		return err
	}
	defer in.Close()
	text, err := io.ReadAll(io.LimitReader(in, largestPage))
	if err != nil {
		return fmt.Errorf("cannot read %s: %w", called(name), cause(err))
	}
	address, err := p.url(name, relative)
	if err != nil {
		return err
	}
	made, err := p.page(address, text, strings.EqualFold(path.Ext(name), ".txt"))
	if err != nil {
		return fmt.Errorf("cannot read %s: %w", called(name), err)
	}
	instead, removed, err := p.index.Put(made.Page)
	if err != nil {
		return err
	}
	switch {
	case made.NoIndex:
		p.leave(called(name), "it "+made.decision.String())
	case instead != "":
		p.leave(called(name), instead+" stands for it")
	default:
		p.put++
	}
	for _, url := range removed {
		p.put = max(0, p.put-1) // an earlier call may have put the page
		p.leave(url, made.URL+" stands for it")
	}
	if p.unsynced++; p.unsynced < syncFiles {
		return nil
	}
	p.unsynced = 0
	return p.index.Sync()
}

// syncFiles is the number of files between two syncs. Until a sync, a Distinct keeps the files
// in memory.
const syncFiles = 5000

// leave reports that a page is left out.
func (p *putting) leave(name, why string) {
	p.left++
	fmt.Fprintf(p.cmd.OutOrStdout(), "%s is left out: %s\n", printable.Text(name), printable.Text(why))
}

// A madePage is a page with the decision about it.
type madePage struct {
	*index.Page
	decision *page.Decision
}

// page makes a page of a text.
func (p *putting) page(address string, text []byte, plain bool) (*madePage, error) {
	source := index.Source{Plain: plain}
	var doc *page.Doc
	var decision *page.Decision
	if !plain {
		at, err := url.Parse(address)
		if err != nil {
			return nil, err
		}
		if doc, err = page.Read(bytes.NewReader(text), page.Options{URL: at}); err != nil {
			return nil, err
		}
		decision = doc.For(p.robot...)
		source.Charset = doc.Charset.Name
	}
	content, err := index.Extract(bytes.NewReader(text), source)
	if err != nil {
		return nil, err
	}
	made := index.NewPage(address, doc, decision, content)
	sum := sha256.Sum256(text)
	made.Digest = "sha256:" + hex.EncodeToString(sum[:])
	return &madePage{made, decision}, nil
}

// url returns the URL of a file.
func (p *putting) url(name, relative string) (string, error) {
	switch {
	case name == stdin:
		return p.base.String(), nil
	case p.base != nil:
		if !strings.HasSuffix(p.base.Path, "/") && p.base.Path != "" {
			return p.base.JoinPath("..", relative).String(), nil
		}
		return p.base.JoinPath(relative).String(), nil
	}
	absolute, err := filepath.Abs(name)
	if err != nil {
		return "", errors.New("the working directory cannot be found: name files by their whole paths")
	}
	absolute = filepath.ToSlash(absolute)
	if !strings.HasPrefix(absolute, "/") {
		absolute = "/" + absolute // such as C:/
	}
	return (&url.URL{Scheme: "file", Path: absolute}).String(), nil
}
