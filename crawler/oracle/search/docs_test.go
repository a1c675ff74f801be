package search

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"errors"
	"io"
	"io/fs"
	"net/url"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/robotsexclusion/robots/internal/test/fatal"
)

// A document is a page of one of the sites.
type document struct {
	site, path string // such as "git" and "git-rebase.html"
	html       []byte
}

// name returns what questions.txt calls the page.
func (d *document) name() string { return d.site + "/" + d.path }

// url returns the address that the page is indexed under.
func (d *document) url() string {
	u := url.URL{Scheme: "https", Host: d.site + ".test", Path: "/" + d.path}
	return u.String()
}

// manuals are Debian's packages, each with the folder of its pages.
var manuals = []struct{ site, depends, packages, folder string }{
	{"python", "python3-doc", `^python3\.\d+-doc$`, "usr/share/doc/python3.*/html"},
	{"postgresql", "postgresql-doc", `^postgresql-doc-\d+$`, "usr/share/doc/postgresql-doc-*/html"},
	{"git", "git-doc", `^git-doc$`, "usr/share/doc/git-doc"},
	{"boost", "libboost-doc", `^libboost\d\.\d+-doc$`, "usr/share/doc/libboost*-doc/doc/html"},
}

// archives are the sites of the corpus. Of the manual of httpd, which comes in many
// languages, the English pages count.
var archives = []struct{ site, file, suffix string }{
	{"jena", "jena-site.tar.gz", ".html"},
	{"opennlp", "opennlp-site.tar.gz", ".html"},
	{"httpd", "httpd-manual.tar.gz", ".html.en.utf8"},
}

// documents reads all pages that can be had, and skips the test where a site is missing.
func documents(t testing.TB) (all []*document) {
	for _, m := range manuals {
		dir := manual(t, m.depends, m.packages, m.folder)
		before := len(all)
		err := filepath.WalkDir(dir, func(name string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() || !strings.HasSuffix(name, ".html") || isLink(d) {
				return err
			}
			data, err := os.ReadFile(name)
			if err != nil {
				return err
			}
			rel, err := filepath.Rel(dir, name)
			all = append(all, &document{m.site, filepath.ToSlash(rel), data})
			return err
		})
		fatal.If(t, err)
		t.Logf("%s: %d pages", m.site, len(all)-before)
	}
	for _, a := range archives {
		before := len(all)
		for name, data := range unpacked(t, a.file) {
			if strings.HasSuffix(name, a.suffix) {
				name = strings.TrimSuffix(name, a.suffix) + ".html"
				all = append(all, &document{a.site, path.Clean(name), data})
			}
		}
		t.Logf("%s: %d pages", a.site, len(all)-before)
	}
	return all
}

func isLink(d fs.DirEntry) bool { return d.Type()&fs.ModeSymlink != 0 }

// manual returns the folder of a manual: as it is installed, or as it was fetched by an
// earlier run, or fetched now.
func manual(t testing.TB, depends, packages, folder string) string {
	cache, err := os.UserCacheDir()
	if err != nil {
		t.Skip(err)
	}
	cache = filepath.Join(cache, "robots-oracle")
	find := func() string {
		for _, root := range []string{"/", cache} {
			found, err := filepath.Glob(filepath.Join(root, filepath.FromSlash(folder)))
			fatal.If(t, err)
			for _, dir := range found {
				// Debian's python3 has a folder of that name with a link in it.
				if real, err := filepath.EvalSymlinks(dir); err == nil && hasPages(real) {
					return real
				}
			}
		}
		return ""
	}
	if dir := find(); dir != "" {
		return dir
	}
	if err := fetchPackage(cache, depends, regexp.MustCompile(packages)); err != nil {
		t.Skipf("the manual %s is not installed, and cannot be fetched: %v", depends, err)
	}
	if dir := find(); dir != "" {
		return dir
	}
	t.Skipf("the package of %s has no folder %s", depends, folder)
	return ""
}

func hasPages(dir string) bool {
	found, err := filepath.Glob(filepath.Join(dir, "*.html"))
	return err == nil && len(found) > 0
}

// fetchPackage unpacks the package of Debian that depends names, itself or by what it
// depends on, below a folder.
func fetchPackage(dir, depends string, packages *regexp.Regexp) error {
	for _, tool := range []string{"apt-get", "apt-cache", "dpkg-deb"} {
		if _, err := exec.LookPath(tool); err != nil {
			return err
		}
	}
	out, err := exec.Command("apt-cache", "depends", depends).Output()
	if err != nil {
		return err
	}
	for _, word := range append(strings.Fields(string(out)), depends) {
		if !packages.MatchString(word) {
			continue
		}
		temporary, err := os.MkdirTemp("", "robots-oracle")
		if err != nil {
			return err
		}
		defer os.RemoveAll(temporary)
		download := exec.Command("apt-get", "-q", "download", word)
		download.Dir = temporary
		if out, err := download.CombinedOutput(); err != nil {
			return errors.Join(err, errors.New(string(out)))
		}
		files, err := filepath.Glob(filepath.Join(temporary, "*.deb"))
		if err != nil || len(files) != 1 {
			return errors.Join(err, errors.New("apt-get left no package"))
		}
		if err := os.MkdirAll(dir, 0o755); err != nil {
			return err
		}
		return exec.Command("dpkg-deb", "-x", files[0], dir).Run()
	}
	return errors.New("there is no such package")
}

// unpacked returns the files of an archive of the corpus by name.
func unpacked(t testing.TB, name string) map[string][]byte {
	corpus := os.Getenv("ROBOTS_CORPUS")
	if corpus == "" {
		corpus = filepath.Join("..", "..", "..", "..", "shared", "corpus")
	}
	data, err := os.ReadFile(filepath.Join(corpus, "pages", name))
	if errors.Is(err, fs.ErrNotExist) {
		t.Skipf("the corpus is not there: %v", err)
	}
	fatal.If(t, err)
	plain, err := gzip.NewReader(bytes.NewReader(data))
	fatal.If(t, err)
	files := make(map[string][]byte)
	for in := tar.NewReader(plain); ; {
		h, err := in.Next()
		if err == io.EOF {
			return files
		}
		fatal.If(t, err)
		if h.Typeflag == tar.TypeReg {
			if files[h.Name], err = io.ReadAll(in); err != nil {
				t.Fatal(err)
			}
		}
	}
}
