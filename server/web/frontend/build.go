// Build bundles the sources of the page into the folder ../static, which package web embeds:
//
//	npm ci && go run .
//
// With -engine it also compiles the engines; -check compares everything with the folder and writes
// nothing.
package main

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"flag"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/evanw/esbuild/pkg/api"
)

const static = "../static"

func main() {
	engine := flag.Bool("engine", false, "compile the engines too")
	check := flag.Bool("check", false, "compare with the folder, and write nothing")
	flag.Parse()
	if err := run(*engine, *check); err != nil {
		fmt.Fprintln(os.Stderr, "build:", err)
		os.Exit(1)
	}
}

func run(engine, check bool) error {
	files, err := bundle()
	if err != nil {
		return err
	}
	if engine {
		for name, pkg := range engines {
			if files[name], err = compile(pkg); err != nil {
				return err
			}
		}
	}
	var stale []string
	for _, name := range slices.Sorted(maps.Keys(files)) {
		path := filepath.Join(static, name)
		if old, err := os.ReadFile(path); err == nil && bytes.Equal(old, files[name]) {
			continue
		}
		stale = append(stale, name)
		if !check {
			if err := os.WriteFile(path, files[name], 0o644); err != nil {
				return err
			}
		}
	}
	if check && len(stale) > 0 {
		return fmt.Errorf("%s has other files than its sources give: %s; run \"npm ci && go run .\" here", static,
			strings.Join(stale, ", "))
	}
	return nil
}

// bundle returns the files of the page by their names.
func bundle() (map[string][]byte, error) {
	files := make(map[string][]byte)
	for _, name := range []string{"index.html", "icon.svg", "preview.png"} {
		text, err := os.ReadFile(name)
		if err != nil {
			return nil, err
		}
		files[name] = text
	}
	var inputs []string
	for _, b := range bundles {
		result := api.Build(api.BuildOptions{
			EntryPointsAdvanced: b.entries, Format: b.format,
			Outdir: "out", Bundle: true, Target: api.ES2023, Charset: api.CharsetUTF8,
			MinifyWhitespace: true, MinifyIdentifiers: true, MinifySyntax: true,
			External: []string{"icon.svg"}, LegalComments: api.LegalCommentsNone, Metafile: true,
			LogLevel: api.LogLevelSilent,
			// V8 then compiles the files while they come, and not when functions are called
			Banner:  map[string]string{"js": "//# allFunctionsCalledOnLoad"},
			Plugins: []api.Plugin{{Name: "editor", Setup: apart}},
		})
		if len(result.Errors) > 0 {
			return nil, fmt.Errorf("%s", strings.Join(api.FormatMessages(result.Errors,
				api.FormatMessagesOptions{Kind: api.ErrorMessage}), ""))
		}
		for _, f := range result.OutputFiles {
			files[filepath.Base(f.Path)] = f.Contents
		}
		var meta struct {
			Inputs map[string]struct{} `json:"inputs"`
		}
		if err := json.Unmarshal([]byte(result.Metafile), &meta); err != nil {
			return nil, err
		}
		inputs = slices.AppendSeq(inputs, maps.Keys(meta.Inputs))
	}
	licences, err := licencesOf(inputs)
	if err != nil {
		return nil, err
	}
	files["licenses.txt"] = licences
	return files, nil
}

// bundles are the files that esbuild makes. The page loads editor.js as a module, after its first
// picture. The names are without hashes, so that a newer version replaces the files of an older
// one.
var bundles = []struct {
	entries []api.EntryPoint
	format  api.Format
}{
	{[]api.EntryPoint{
		{InputPath: "src/main.ts", OutputPath: "page"},
		{InputPath: "src/worker.ts", OutputPath: "worker"},
		{InputPath: "style.css", OutputPath: "style"},
	}, api.FormatIIFE},
	{[]api.EntryPoint{{InputPath: "src/code.ts", OutputPath: "editor"}}, api.FormatESModule},
}

// apart leaves src/code.ts, which is editor.js, out of page.js.
func apart(build api.PluginBuild) {
	build.OnResolve(api.OnResolveOptions{Filter: `^\./code$`}, func(api.OnResolveArgs) (api.OnResolveResult, error) {
		return api.OnResolveResult{Path: "./editor.js", External: true}, nil
	})
}

// licencesOf returns the licences of the packages that have these files.
func licencesOf(paths []string) ([]byte, error) {
	packages := make(map[string]bool)
	for _, path := range paths {
		_, rest, ok := strings.Cut(path, "node_modules/")
		if !ok {
			continue
		}
		parts := strings.SplitN(rest, "/", 3)
		if strings.HasPrefix(rest, "@") {
			packages[parts[0]+"/"+parts[1]] = true
		} else {
			packages[parts[0]] = true
		}
	}
	var b bytes.Buffer
	b.WriteString("The page has code of these packages. Its own code has the licence of the repository, Apache-2.0.\n")
	for _, name := range slices.Sorted(maps.Keys(packages)) {
		text, err := os.ReadFile(filepath.Join("node_modules", filepath.FromSlash(name), "LICENSE"))
		if err != nil {
			return nil, fmt.Errorf("%s has no licence: %w", name, err)
		}
		fmt.Fprintf(&b, "\n== %s\n\n%s\n", name, bytes.TrimSpace(text))
	}
	return b.Bytes(), nil
}

// engines are the engines of the page, and their packages.
var engines = map[string]string{
	"engine.wasm.gz": "./cmd/internal/wasm/page",
	"audit.wasm.gz":  "./cmd/internal/wasm/audit", // for the view Audit, which loads it
}

// compile returns an engine as WebAssembly, compressed. The same sources and the same Go give the
// same bytes.
func compile(pkg string) ([]byte, error) {
	dir, err := os.MkdirTemp("", "engine")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	out := filepath.Join(dir, "engine.wasm")
	cmd := exec.Command("go", "build", "-trimpath", "-buildvcs=false", "-buildmode=c-shared", "-ldflags=-s -w", "-o",
		out, pkg)
	cmd.Dir = filepath.Join("..", "..", "..")
	cmd.Env = append(os.Environ(), "GOOS=wasip1", "GOARCH=wasm", "GOFLAGS=", "GOWORK=off")
	if text, err := cmd.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("%s does not compile: %w\n%s", pkg, err, text)
	}
	wasm, err := os.ReadFile(out)
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	w, err := gzip.NewWriterLevel(&b, gzip.BestCompression)
	if err != nil {
		return nil, err
	}
	if _, err := w.Write(wasm); err != nil {
		return nil, err
	}
	if err := w.Close(); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}
