package lsp

import (
	"encoding/json"

	"github.com/creachadair/jrpc2"
)

// The used parts of the Language Server Protocol 3.17. Names follow the specification unless a
// comment gives the name there.

// Error codes of the protocol, in addition to those of JSON-RPC.
const (
	serverNotInitialized jrpc2.Code = -32002
	requestFailed        jrpc2.Code = -32803
	requestCancelled     jrpc2.Code = -32800
	contentModified      jrpc2.Code = -32801
)

// A documentID names a document (TextDocumentIdentifier), or a version of it
// (VersionedTextDocumentIdentifier).
type documentID struct {
	URI     string `json:"uri"`
	Version *int   `json:"version,omitempty"`
}

// didOpenParams are those of textDocument/didOpen.
type didOpenParams struct {
	Document struct {
		URI     string   `json:"uri"`
		Version int      `json:"version"`
		Text    verbatim `json:"text"`
	} `json:"textDocument"`
}

// didChangeParams are those of textDocument/didChange.
type didChangeParams struct {
	Document documentID `json:"textDocument"`
	Changes  []change   `json:"contentChanges"`
}

// documentParams are those of requests about a whole document.
type documentParams struct {
	Document documentID `json:"textDocument"`
}

// placeParams are those of requests about a place (TextDocumentPositionParams).
type placeParams struct {
	Document documentID `json:"textDocument"`
	Position position   `json:"position"`
}

// rangeParams are those of requests about a part of a document.
type rangeParams struct {
	Document documentID `json:"textDocument"`
	Range    span       `json:"range"`
}

// renameParams are those of textDocument/rename.
type renameParams struct {
	Document documentID `json:"textDocument"`
	Position position   `json:"position"`
	NewName  string     `json:"newName"`
}

// A renameRange is the answer of textDocument/prepareRename.
type renameRange struct {
	Range       span   `json:"range"`
	Placeholder string `json:"placeholder"`
}

// codeActionParams are those of textDocument/codeAction.
type codeActionParams struct {
	Document documentID `json:"textDocument"`
	Range    span       `json:"range"`
	Context  struct {
		Only []string `json:"only"`
	} `json:"context"`
}

// pullParams are those of textDocument/diagnostic.
type pullParams struct {
	Document documentID `json:"textDocument"`
	Previous string     `json:"previousResultId"`
}

// A documentDiagnosticReport is a DocumentDiagnosticReport: full, or unchanged and without items.
type documentDiagnosticReport struct {
	Kind     string        `json:"kind"`
	ResultID string        `json:"resultId"`
	Items    *[]diagnostic `json:"items,omitempty"`
}

// A publishDiagnosticsParams is the PublishDiagnosticsParams of a document.
type publishDiagnosticsParams struct {
	URI         string       `json:"uri"`
	Version     *int         `json:"version,omitempty"`
	Diagnostics []diagnostic `json:"diagnostics"`
}

// A diagnostic is a Diagnostic.
type diagnostic struct {
	Range       span                 `json:"range"`
	Severity    int                  `json:"severity"`
	Code        string               `json:"code,omitempty"`
	Description *codeDescription     `json:"codeDescription,omitempty"`
	Source      string               `json:"source"`
	Message     string               `json:"message"`
	Tags        []int                `json:"tags,omitempty"`
	Related     []relatedInformation `json:"relatedInformation,omitempty"`
	Data        *fixData             `json:"data,omitempty"`
}

// The values of DiagnosticSeverity.
const (
	severityError = iota + 1
	severityWarning
	severityInformation
)

// The values of DiagnosticTag.
const (
	tagUnnecessary = iota + 1
	tagDeprecated
)

type codeDescription struct {
	Href string `json:"href"`
}

// A relatedInformation is a DiagnosticRelatedInformation.
type relatedInformation struct {
	Location location `json:"location"`
	Message  string   `json:"message"`
}

type location struct {
	URI   string `json:"uri"`
	Range span   `json:"range"`
}

// A fixData describes the fix of a diagnostic: its effect, also on the answers for robots, and
// whether it is safe.
type fixData struct {
	Title  string `json:"title"`
	Effect string `json:"effect"`
	Safe   bool   `json:"safe"`
}

// A markup is a MarkupContent.
type markup struct {
	Kind  string `json:"kind"`
	Value string `json:"value"`
}

type hover struct {
	Contents markup `json:"contents"`
	Range    span   `json:"range"`
}

// A completionList is complete: clients filter it while the user types, and need not ask again.
type completionList struct {
	IsIncomplete bool             `json:"isIncomplete"`
	Items        []completionItem `json:"items"`
}

type completionItem struct {
	Label         string   `json:"label"`
	Kind          int      `json:"kind"`
	Detail        string   `json:"detail,omitempty"`
	Documentation *markup  `json:"documentation,omitempty"`
	SortText      string   `json:"sortText,omitempty"`
	FilterText    string   `json:"filterText,omitempty"`
	Edit          textEdit `json:"textEdit"`
}

// The values of CompletionItemKind that are used.
const (
	kindProperty = 10
	kindValue    = 12
	kindKeyword  = 14
)

type textEdit struct {
	Range   span   `json:"range"`
	NewText string `json:"newText"`
}

type codeAction struct {
	Title       string        `json:"title"`
	Kind        string        `json:"kind"`
	Diagnostics []diagnostic  `json:"diagnostics,omitempty"`
	IsPreferred bool          `json:"isPreferred,omitempty"`
	Edit        workspaceEdit `json:"edit"`
}

// The kinds of code actions that are used.
const (
	kindQuickFix = "quickfix"
	kindFixAll   = "source.fixAll.robots"
)

// A workspaceEdit changes one document, in a form that the client supports.
type workspaceEdit struct {
	Changes         map[string][]textEdit `json:"changes,omitempty"`
	DocumentChanges []documentEdit        `json:"documentChanges,omitempty"`
}

// A documentEdit is a TextDocumentEdit.
type documentEdit struct {
	Document documentID `json:"textDocument"`
	Edits    []textEdit `json:"edits"`
}

type documentSymbol struct {
	Name           string           `json:"name"`
	Kind           int              `json:"kind"`
	Range          span             `json:"range"`
	SelectionRange span             `json:"selectionRange"`
	Children       []documentSymbol `json:"children,omitempty"`
}

// A symbolInformation replaces [documentSymbol] for old clients.
type symbolInformation struct {
	Name      string   `json:"name"`
	Kind      int      `json:"kind"`
	Location  location `json:"location"`
	Container string   `json:"containerName,omitempty"`
}

// The values of SymbolKind that are used.
const (
	symbolNamespace = 3
	symbolProperty  = 7
	symbolKey       = 20
)

type foldingRange struct {
	StartLine int    `json:"startLine"`
	EndLine   int    `json:"endLine"`
	Kind      string `json:"kind,omitempty"`
}

type documentHighlight struct {
	Range span `json:"range"`
	Kind  int  `json:"kind"` // 1 is text
}

type documentLink struct {
	Range  span   `json:"range"`
	Target string `json:"target"`
}

// A messageParams is what window/showMessage and window/logMessage say.
type messageParams struct {
	Type    int    `json:"type"`
	Message string `json:"message"`
}

// The values of MessageType that are used.
const (
	messageError = iota + 1
	messageWarning
	messageInfo
)

// initializeParams are those of initialize.
type initializeParams struct {
	Locale       string          `json:"locale"`
	Options      json.RawMessage `json:"initializationOptions"`
	Capabilities struct {
		General struct {
			PositionEncodings []string `json:"positionEncodings"`
		} `json:"general"`
		Workspace struct {
			WorkspaceEdit struct {
				DocumentChanges bool `json:"documentChanges"`
			} `json:"workspaceEdit"`
			Diagnostics struct {
				RefreshSupport bool `json:"refreshSupport"`
			} `json:"diagnostics"`
			CodeLens struct {
				RefreshSupport bool `json:"refreshSupport"`
			} `json:"codeLens"`
		} `json:"workspace"`
		Document struct {
			Publish struct {
				Related         bool `json:"relatedInformation"`
				CodeDescription bool `json:"codeDescriptionSupport"`
				Data            bool `json:"dataSupport"`
				Tags            struct {
					ValueSet []int `json:"valueSet"`
				} `json:"tagSupport"`
			} `json:"publishDiagnostics"`
			Diagnostic *struct {
				Related         bool `json:"relatedInformation"`
				CodeDescription bool `json:"codeDescriptionSupport"`
				Data            bool `json:"dataSupport"`
				Tags            struct {
					ValueSet []int `json:"valueSet"`
				} `json:"tagSupport"`
			} `json:"diagnostic"`
			Hover struct {
				Formats []string `json:"contentFormat"`
			} `json:"hover"`
			Completion struct {
				Item struct {
					Formats []string `json:"documentationFormat"`
				} `json:"completionItem"`
			} `json:"completion"`
			CodeAction struct {
				Literals *struct{} `json:"codeActionLiteralSupport"`
			} `json:"codeAction"`
			Rename struct {
				Prepare bool `json:"prepareSupport"`
			} `json:"rename"`
			Tokens struct {
				Formats []string `json:"formats"`
			} `json:"semanticTokens"`
			Symbol struct {
				Hierarchical bool `json:"hierarchicalDocumentSymbolSupport"`
			} `json:"documentSymbol"`
		} `json:"textDocument"`
	} `json:"capabilities"`
}
