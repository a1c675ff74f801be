package lint

import (
	"encoding/json"
	"io"
	"net/url"
	"path"
	"strings"

	"github.com/robotsexclusion/robots/internal/language"
	"github.com/robotsexclusion/robots/internal/printable"
)

// The parts of SARIF 2.1.0 that are written. The numbers are sections of the OASIS standard of
// 27 March 2020.
type (
	sarifLog struct { // 3.13
		Schema  string     `json:"$schema"`
		Version string     `json:"version"`
		Runs    []sarifRun `json:"runs"`
	}
	sarifRun struct { // 3.14
		Tool        sarifTool         `json:"tool"`
		ColumnKind  string            `json:"columnKind"`
		Language    string            `json:"language"`
		Invocations []sarifInvocation `json:"invocations"`
		Results     []sarifResult     `json:"results"`
	}
	sarifTool struct { // 3.18
		Driver sarifDriver `json:"driver"`
	}
	sarifDriver struct { // 3.19
		Name           string      `json:"name"`
		InformationURI string      `json:"informationUri"`
		Rules          []sarifRule `json:"rules"`
	}
	sarifRule struct { // 3.49
		ID               string      `json:"id"`
		ShortDescription sarifText   `json:"shortDescription"`
		Help             sarifText   `json:"help"`
		Configuration    sarifConfig `json:"defaultConfiguration"`
	}
	sarifConfig struct { // 3.50
		Level string `json:"level"`
	}
	sarifText struct { // 3.11
		Text string `json:"text"`
	}
	sarifInvocation struct { // 3.20
		Successful    bool                `json:"executionSuccessful"`
		Notifications []sarifNotification `json:"toolExecutionNotifications,omitempty"`
	}
	sarifNotification struct { // 3.58
		Level      string          `json:"level"`
		Message    sarifText       `json:"message"`
		Locations  []sarifLocation `json:"locations,omitempty"`
		Associated *sarifReference `json:"associatedRule,omitempty"`
	}
	sarifReference struct { // 3.52
		ID    string `json:"id"`
		Index int    `json:"index"`
	}
	sarifResult struct { // 3.27
		RuleID    string          `json:"ruleId"`
		RuleIndex int             `json:"ruleIndex"`
		Level     string          `json:"level"`
		Message   sarifText       `json:"message"`
		Locations []sarifLocation `json:"locations"`
		Related   []sarifLocation `json:"relatedLocations,omitempty"`
		Fixes     []sarifFix      `json:"fixes,omitempty"`
	}
	sarifLocation struct { // 3.28
		Physical sarifPhysical `json:"physicalLocation"`
		Message  *sarifText    `json:"message,omitempty"`
	}
	sarifPhysical struct { // 3.29
		Artifact sarifArtifact `json:"artifactLocation"`
		Region   *sarifRegion  `json:"region,omitempty"`
	}
	sarifArtifact struct { // 3.4
		URI string `json:"uri"`
	}
	sarifRegion struct { // 3.30
		StartLine   int  `json:"startLine,omitempty"`
		StartColumn int  `json:"startColumn,omitempty"`
		EndColumn   int  `json:"endColumn,omitempty"`
		ByteOffset  *int `json:"byteOffset,omitempty"`
		ByteLength  *int `json:"byteLength,omitempty"`
	}
	sarifFix struct { // 3.55
		Description sarifText     `json:"description"`
		Changes     []sarifChange `json:"artifactChanges"`
	}
	sarifChange struct { // 3.56
		Artifact     sarifArtifact      `json:"artifactLocation"`
		Replacements []sarifReplacement `json:"replacements"`
	}
	sarifReplacement struct { // 3.57
		Deleted  sarifRegion `json:"deletedRegion"`
		Inserted sarifText   `json:"insertedContent"`
	}
)

const (
	sarifSchema  = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
	sarifVersion = "2.1.0"
	projectURL   = "https://github.com/robotsexclusion/robots"
)

// writeSARIF writes one run over all files. Columns are characters.
func writeSARIF(w io.Writer, files []File) error {
	run := sarifRun{
		Tool:        sarifTool{sarifDriver{Name: "robots lint", InformationURI: projectURL}},
		ColumnKind:  "unicodeCodePoints",
		Language:    language.English.String(),
		Invocations: []sarifInvocation{{Successful: true}},
		Results:     []sarifResult{},
	}
	index := make(map[*Check]int)
	for i, c := range Checks() {
		index[c] = i
		run.Tool.Driver.Rules = append(run.Tool.Driver.Rules, sarifRule{c.Name,
			sarifText{c.Summary("")}, sarifText{c.Doc("")}, sarifConfig{c.Severity.sarif()}})
	}
	for _, f := range files {
		run.Language = f.language().String()
		artifact := sarifArtifact{sarifURI(f.Name)}
		at := func(line, column, end int, message string) sarifLocation {
			l := sarifLocation{Physical: sarifPhysical{artifact, &sarifRegion{StartLine: line, StartColumn: column,
				EndColumn: end}}}
			if message != "" {
				l.Message = &sarifText{message}
			}
			return l
		}
		lines := sourceOf(f.Report)
		for i := range f.Diagnostics {
			d := &f.Diagnostics[i]
			column, end := lines.characters(d)
			result := sarifResult{RuleID: d.Check.Name, RuleIndex: index[d.Check], Level: d.Severity.sarif(),
				Message: sarifText{d.Message}, Locations: []sarifLocation{at(d.Line, column, end, "")}}
			for _, r := range d.Related {
				result.Related = append(result.Related, at(r.Line, 0, 0, r.Message))
			}
			if d.Fix != nil && len(d.Fix.Edits) > 0 && d.Fix.isText() {
				result.Fixes = []sarifFix{d.Fix.sarif(artifact)}
			}
			run.Results = append(run.Results, result)
		}
		for _, o := range f.Omitted {
			run.Invocations[0].Notifications = append(run.Invocations[0].Notifications, sarifNotification{
				Level: "note", Message: sarifText{textIn(f.language(), textOmitted, o.Count)},
				Locations:  []sarifLocation{{Physical: sarifPhysical{Artifact: artifact}}},
				Associated: &sarifReference{o.Check.Name, index[o.Check]},
			})
		}
	}
	b, err := json.MarshalIndent(sarifLog{sarifSchema, sarifVersion, []sarifRun{run}}, "", " ")
	if err != nil {
		return err
	}
	_, err = w.Write(append(printable.JSON(b), '\n'))
	return err
}

// sarif returns the SARIF level of a severity.
func (s Severity) sarif() string { return [...]string{"note", "warning", "error"}[min(s, Error)] }

// sarif converts a fix to SARIF.
func (f *Fix) sarif(artifact sarifArtifact) sarifFix {
	change := sarifChange{Artifact: artifact}
	for _, e := range f.Edits {
		start, length := e.Start, e.End-e.Start
		change.Replacements = append(change.Replacements, sarifReplacement{
			sarifRegion{ByteOffset: &start, ByteLength: &length}, sarifText{e.New}})
	}
	return sarifFix{sarifText{f.Title}, []sarifChange{change}}
}

// sarifURI returns the relative or absolute URI of a file.
func sarifURI(name string) string {
	if strings.Contains(name, "://") {
		return name
	}
	u := url.URL{Path: strings.ReplaceAll(name, `\`, "/")}
	if path.IsAbs(u.Path) {
		u.Scheme = "file"
	}
	return u.String()
}
