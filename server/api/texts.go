package api

// A LintQuestion is the body of POST /v1/lint. Its text is Robots or RobotsBase64.
type LintQuestion struct {
	Robots       *string  `json:"robots,omitempty" doc:"the text of robots.txt"`
	RobotsBase64 []byte   `json:"robots_base64,omitempty" doc:"the text, if it is not UTF-8"`
	Profile      string   `json:"profile,omitempty" doc:"a choice of checks; without it, recommended" enum:"recommended,strict,seo,historic"`
	Enable       []string `json:"enable,omitempty" doc:"names of checks that run too"`
	Disable      []string `json:"disable,omitempty" doc:"names of checks that do not run"`
	Language     string   `json:"language,omitempty" doc:"the language of messages; without it, English" enum:"en,es,ko,ru"`
}

// A Report is the answer to POST /v1/lint.
type Report struct {
	File        string         `json:"file" doc:"always robots.txt"`
	Diagnostics []Diagnostic   `json:"diagnostics" doc:"the mistakes, in the order of the file"`
	Omitted     map[string]int `json:"omitted,omitempty" doc:"by check, the number of further mistakes"`
}

// A Diagnostic is a mistake in a text. Columns count bytes, starting at 1.
type Diagnostic struct {
	Line      int       `json:"line" doc:"the number of the line, starting at 1; 0 for the whole file"`
	Column    int       `json:"column" doc:"the first byte"`
	EndColumn int       `json:"end_column" doc:"the byte after the last one"`
	Severity  string    `json:"severity" doc:"how bad the mistake is" enum:"error,warning,info"`
	Check     string    `json:"check" doc:"the name of the check"`
	Message   string    `json:"message" doc:"what is wrong, and why"`
	Related   []Related `json:"related,omitempty" doc:"other lines that belong to the mistake"`
	Fix       *Fix      `json:"fix" doc:"a change that repairs the mistake, or null"`
}

// A Related is another line that belongs to a mistake.
type Related struct {
	Line    int    `json:"line" doc:"the number of the line"`
	Message string `json:"message" doc:"what the line has to do with the mistake"`
}

// A Fix repairs a mistake.
type Fix struct {
	Title  string `json:"title" doc:"what the fix does"`
	Safe   bool   `json:"safe" doc:"whether the fix may be applied unseen"`
	Effect string `json:"effect" doc:"how the fix changes the answers to robots" enum:"keeps,closes,opens,changes"`
	Edits  []Edit `json:"edits" doc:"the changes of the text"`
}

// An Edit replaces bytes of a text.
type Edit struct {
	Start int    `json:"start" doc:"the offset of the first byte"`
	End   int    `json:"end" doc:"the offset after the last byte"`
	New   string `json:"new" doc:"the new bytes"`
}
