package api

// A LintQuestion is the body of POST /v1/lint. Its text is Robots or RobotsBase64.
type LintQuestion struct {
	Robots       *string  `json:"robots,omitempty" doc:"the text of robots.txt" maxBytes:"512000"`
	RobotsBase64 []byte   `json:"robots_base64,omitempty" doc:"the text, if it is not UTF-8" maxBytes:"512000"`
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

// A DiffQuestion is the body of POST /v1/diff.
type DiffQuestion struct {
	Before       *string  `json:"before,omitempty" doc:"the old text of robots.txt" maxBytes:"512000"`
	BeforeBase64 []byte   `json:"before_base64,omitempty" doc:"the old text, if it is not UTF-8" maxBytes:"512000"`
	After        *string  `json:"after,omitempty" doc:"the new text of robots.txt" maxBytes:"512000"`
	AfterBase64  []byte   `json:"after_base64,omitempty" doc:"the new text, if it is not UTF-8" maxBytes:"512000"`
	Agents       []string `json:"agents,omitempty" doc:"the robots to ask about, by any of their names, as for /v1/match; without them, all robots that a text names, and all others" maxItems:"100"`
	Unknown      bool     `json:"unknown,omitempty" doc:"accept names of robots that are not known"`
	Dialect      string   `json:"dialect,omitempty" doc:"the document by which both texts are read" enum:"rfc9309,google,koster1994,koster1996,kollar1996"`
}

// A Difference is the answer to POST /v1/diff.
type Difference struct {
	Equal     bool           `json:"equal" doc:"it is proven that all robots get the same answer for every path"`
	Decided   bool           `json:"decided" doc:"false if a search took too many cases: then there may be more changes"`
	Agents    []string       `json:"agents,omitempty" doc:"the robots asked about, if the question names some"`
	Changes   []Change       `json:"changes" doc:"the changes of answers"`
	Records   []RecordChange `json:"records" doc:"the changes of records beside the rules"`
	Undecided []string       `json:"undecided,omitempty" doc:"the robots for which not all is decided"`
}

// A Change is a change of answers to robots, with a path as its witness.
type Change struct {
	Agents    []string `json:"agents" doc:"the robots, by their groups"`
	Followers []string `json:"followers,omitempty" doc:"robots without a group of their own that obey one of these"`
	Direction string   `json:"direction" doc:"whether paths were closed or opened" enum:"closed,opened"`
	Patterns  []string `json:"patterns" doc:"patterns that cover the changed paths"`
	Witness   string   `json:"witness" doc:"a path whose answer changed"`
	Before    Verdict  `json:"before" doc:"the old answer for the witness"`
	After     Verdict  `json:"after" doc:"the new answer for the witness"`
	Regions   []Region `json:"regions" doc:"the changed paths, one region for each deciding rule"`
}

// A Region is the paths that changed because of one rule.
type Region struct {
	Pattern string  `json:"pattern" doc:"the pattern of the rule"`
	Witness string  `json:"witness" doc:"a path of the region"`
	Before  Verdict `json:"before" doc:"the old answer for the witness"`
	After   Verdict `json:"after" doc:"the new answer for the witness"`
}

// A RecordChange is a record other than a rule that was added or removed.
type RecordChange struct {
	Agents []string `json:"agents,omitempty" doc:"the robots, unless the record is for the whole file"`
	Field  string   `json:"field" doc:"the name of the record"`
	Value  string   `json:"value" doc:"its value"`
	Line   int      `json:"line" doc:"the number of its line"`
	Added  bool     `json:"added" doc:"whether it was added, or removed"`
}

// A ProveQuestion is the body of POST /v1/prove.
type ProveQuestion struct {
	Robots       *string `json:"robots,omitempty" doc:"the text of robots.txt" maxBytes:"512000"`
	RobotsBase64 []byte  `json:"robots_base64,omitempty" doc:"the text, if it is not UTF-8" maxBytes:"512000"`
	Claims       string  `json:"claims" doc:"the claims, 1,000 at most, one a line, such as: Googlebot may fetch /products/"`
	Unknown      bool    `json:"unknown,omitempty" doc:"accept names of robots that are not known"`
	Dialect      string  `json:"dialect,omitempty" doc:"the document by which the text is read" enum:"rfc9309,google,koster1994,koster1996,kollar1996"`
}

// Proofs is the answer to POST /v1/prove.
type Proofs struct {
	Claims []Proof `json:"claims" doc:"the claims, in their order"`
}

// A Proof says whether a claim holds for all paths.
type Proof struct {
	Line    int      `json:"line" doc:"the number of the line of the claim"`
	Text    string   `json:"text" doc:"the claim"`
	Holds   bool     `json:"holds" doc:"it is proven that the claim holds"`
	Decided bool     `json:"decided" doc:"false if the proof took too many cases; holds is false then"`
	Agent   string   `json:"agent,omitempty" doc:"a robot for which the claim does not hold"`
	Witness string   `json:"witness,omitempty" doc:"a path for which the claim does not hold"`
	Match   *Verdict `json:"match,omitempty" doc:"the answer for the witness"`
}

// A MinimizeQuestion is the body of POST /v1/minimize.
type MinimizeQuestion struct {
	Robots       *string `json:"robots,omitempty" doc:"the text of robots.txt" maxBytes:"512000"`
	RobotsBase64 []byte  `json:"robots_base64,omitempty" doc:"the text, if it is not UTF-8" maxBytes:"512000"`
}

// A Minimized is the answer to POST /v1/minimize: a text without the lines that change no answer.
type Minimized struct {
	LeftOut         []LeftOut `json:"left_out" doc:"the lines that are not in the new text, or not in their place"`
	Minimized       int       `json:"minimized" doc:"the size of the new text in bytes"`
	Bytes           int       `json:"bytes" doc:"the size of the old text in bytes"`
	Shifts          []Shift   `json:"shifts" doc:"other readers that answer otherwise afterwards"`
	ShiftsUndecided bool      `json:"shifts_undecided" doc:"there may be more shifts"`
	Undecided       bool      `json:"undecided" doc:"more lines might be left out, but this could not be proven"`
	Text            *string   `json:"text,omitempty" doc:"the new text, if it is UTF-8"`
	TextBase64      []byte    `json:"text_base64,omitempty" doc:"the new text, if it is not UTF-8"`
}

// A LeftOut is a line that changes no answer.
type LeftOut struct {
	Line int    `json:"line" doc:"the number of the line"`
	Text string `json:"text" doc:"the line"`
	Why  string `json:"why" doc:"why the line changes nothing"`
}

// A Shift is a reader of robots.txt whose answer differs for the new text.
type Shift struct {
	Agent   string  `json:"agent" doc:"a robot"`
	Reader  string  `json:"reader" doc:"the reader"`
	Witness string  `json:"witness" doc:"a path whose answer changes"`
	Before  Verdict `json:"before" doc:"the old answer"`
	After   Verdict `json:"after" doc:"the new answer"`
}
