package index

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"strings"

	"github.com/robotsexclusion/robots/internal/language"
	"github.com/robotsexclusion/robots/internal/userfile"
	"github.com/robotsexclusion/robots/page"
)

// Files puts files of text and of HTML into an index, without copies.
type Files struct {
	Index *Index
	Stdin io.Reader // for the name [userfile.Stdin]; needs a Base

	// Base is the URL of a folder or a file on its site. If it is nil, the files have file:
	// URLs.
	Base *url.URL

	Robot []string // the names of the robot whose directives count; none for any robot

	// Left is called for each file that is left out, and for each page that a file replaces.
	Left func(name, why string)

	distinct *Distinct
	put      int
	left     int // files left out
	unsynced int // files since the last sync
}

// Put puts a file, or all files of a folder. The files that it put are in the index even if
// there is an error.
func (p *Files) Put(ctx context.Context, name string) error {
	if p.distinct == nil {
		p.distinct = NewDistinct(p.Index)
	}
	if info, err := os.Stat(name); name == userfile.Stdin || err != nil || !info.IsDir() {
		return p.file(ctx, name, path.Base(filepath.ToSlash(name)))
	}
	return filepath.WalkDir(name, func(file string, d fs.DirEntry, err error) error {
		if err != nil {
			return fmt.Errorf("cannot read %s: %w", file, userfile.Cause(err))
		}
		if !d.Type().IsRegular() || !userfile.IsText(file) {
			return nil
		}
		relative, err := filepath.Rel(name, file)
		if err != nil {
			return err
		}
		return p.file(ctx, file, filepath.ToSlash(relative))
	})
}

// String returns how many files were put and left out.
func (p *Files) String() string {
	text := language.Count(p.put, "page") + " indexed"
	if p.left > 0 {
		text += fmt.Sprintf(", %d left out", p.left)
	}
	return text
}

// Any reports whether files were put or left out.
func (p *Files) Any() bool { return p.put > 0 || p.left > 0 }

// largestPage is the maximum number of bytes read from a file.
const largestPage = page.DefaultMaxSize

// file puts a file. Its relative name is its path on the site.
func (p *Files) file(ctx context.Context, name, relative string) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	in, err := userfile.Open(name, p.Stdin)
	if err != nil {
		return err
	}
	defer in.Close()
	text, err := io.ReadAll(io.LimitReader(in, largestPage))
	if err != nil {
		return fmt.Errorf("cannot read %s: %w", userfile.Called(name), userfile.Cause(err))
	}
	address, err := p.url(name, relative)
	if err != nil {
		return err
	}
	at, err := url.Parse(address)
	if err != nil {
		return err
	}
	made, decision, err := Read(address, text, page.Options{URL: at},
		Source{Plain: strings.EqualFold(path.Ext(name), ".txt")}, p.Robot...)
	if err != nil {
		return fmt.Errorf("cannot read %s: %w", userfile.Called(name), err)
	}
	instead, removed, err := p.distinct.Put(made)
	if err != nil {
		return err
	}
	switch {
	case made.NoIndex:
		p.leave(userfile.Called(name), "it "+decision.String())
	case instead != "":
		p.leave(userfile.Called(name), instead+" stands for it")
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
	return p.distinct.Sync()
}

// leave reports that a page is left out.
func (p *Files) leave(name, why string) {
	p.left++
	p.Left(name, why)
}

// syncFiles is the number of files between two syncs. Until a sync, a Distinct keeps the files
// in memory.
const syncFiles = 5000

// url returns the URL of a file.
func (p *Files) url(name, relative string) (string, error) {
	switch {
	case name == userfile.Stdin:
		return p.Base.String(), nil
	case p.Base != nil:
		if !strings.HasSuffix(p.Base.Path, "/") && p.Base.Path != "" {
			return p.Base.JoinPath("..", relative).String(), nil
		}
		return p.Base.JoinPath(relative).String(), nil
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
