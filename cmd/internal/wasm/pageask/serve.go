package pageask

import (
	"slices"

	"github.com/robotsexclusion/robots/cmd/internal/wasm/engine"
	"github.com/robotsexclusion/robots/export"
)

// An exportQuestion asks for the configuration with which a web server enforces a text. Without a
// server it asks for their names.
type exportQuestion struct {
	Policy uint32 `json:"policy"`
	Server string `json:"server"`
}

// An exportAnswer is the configuration that the command export writes without options.
type exportAnswer struct {
	Servers  []string        `json:"servers"`
	Files    []exportFile    `json:"files"`
	Includes []exportInclude `json:"includes"`
	Notes    []string        `json:"notes"`
}

type exportFile struct {
	Name string `json:"name"`
	Text string `json:"text"`
}

type exportInclude struct {
	Place string   `json:"place"`
	Lines []string `json:"lines"`
}

// exports answers page-export.
func exports(e *engine.Engine, q exportQuestion) (*exportAnswer, error) {
	p, err := e.Policy(q.Policy)
	if err != nil {
		return nil, err
	}
	a := &exportAnswer{Servers: export.Servers(), Files: []exportFile{}, Includes: []exportInclude{}, Notes: []string{}}
	if q.Server == "" {
		return a, nil
	}
	if !slices.Contains(a.Servers, q.Server) {
		return nil, wrong(engine.BadValue, "%q is not a server of export", q.Server)
	}
	config, err := export.Write(q.Server, p, export.Options{})
	if err != nil {
		return nil, wrong(engine.BadValue, "%v", err)
	}
	for _, file := range config.Files {
		a.Files = append(a.Files, exportFile{file.Name, string(file.Data)})
	}
	for _, include := range config.Includes {
		a.Includes = append(a.Includes, exportInclude{include.Place, include.Lines})
	}
	a.Notes = append(a.Notes, config.Notes...)
	return a, nil
}
