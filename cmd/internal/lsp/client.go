package lsp

import "slices"

// A client has the capabilities that a client declares in initialize.
type client struct {
	encoding      encoding
	pulls         bool // it requests diagnostics
	refreshes     bool // it requests diagnostics again when the server asks for that
	related       bool // diagnostics may have related places
	descriptions  bool // diagnostics may have the URL of a documentation
	data          bool // diagnostics may have data
	tags          []int
	markdown      bool // in a hover
	markdownItems bool // in the documentation of a completion item
	versioned     bool // edits may name the version of a document
	actions       bool // code actions may be literals, not only commands
	nested        bool // symbols may have children
	prepares      bool // it asks what can be renamed
	colours       bool // it asks for semantic tokens
	lensesAgain   bool // it requests lenses again when the server asks for that
}

func newClient(p *initializeParams) *client {
	can := &p.Capabilities
	doc := &can.Document
	c := &client{
		encoding:      chooseEncoding(can.General.PositionEncodings),
		pulls:         doc.Diagnostic != nil,
		refreshes:     can.Workspace.Diagnostics.RefreshSupport,
		related:       doc.Publish.Related,
		descriptions:  doc.Publish.CodeDescription,
		data:          doc.Publish.Data,
		tags:          doc.Publish.Tags.ValueSet,
		markdown:      slices.Contains(doc.Hover.Formats, "markdown"),
		markdownItems: slices.Contains(doc.Completion.Item.Formats, "markdown"),
		versioned:     can.Workspace.WorkspaceEdit.DocumentChanges,
		actions:       doc.CodeAction.Literals != nil,
		nested:        doc.Symbol.Hierarchical,
		prepares:      doc.Rename.Prepare,
		lensesAgain:   can.Workspace.CodeLens.RefreshSupport,
		colours:       slices.Contains(doc.Tokens.Formats, "relative"),
	}
	if pull := doc.Diagnostic; pull != nil {
		c.related = c.related || pull.Related
		c.descriptions = c.descriptions || pull.CodeDescription
		c.data = c.data || pull.Data
		c.tags = append(slices.Clip(c.tags), pull.Tags.ValueSet...)
	}
	return c
}

// capabilities returns the capabilities of the server (ServerCapabilities) for a client.
func (c *client) capabilities() any {
	type object = map[string]any
	can := object{
		// Neovim 0.7 shows lenses and sends commands, and declares neither.
		"codeLensProvider":                object{"resolveProvider": true},
		"executeCommandProvider":          object{"commands": []string{explainCommand, matchCommand}},
		"positionEncoding":                c.encoding.String(),
		"textDocumentSync":                object{"openClose": true, "change": 2, "save": true},
		"hoverProvider":                   true,
		"completionProvider":              object{"triggerCharacters": []string{":", " ", "=", ","}},
		"documentHighlightProvider":       true,
		"documentSymbolProvider":          true,
		"documentLinkProvider":            object{},
		"referencesProvider":              true,
		"definitionProvider":              true,
		"renameProvider":                  true,
		"documentFormattingProvider":      true,
		"documentRangeFormattingProvider": true,
		"foldingRangeProvider":            true,
	}
	if c.prepares {
		can["renameProvider"] = object{"prepareProvider": true}
	}
	if c.colours {
		can["semanticTokensProvider"] = object{
			"legend": object{"tokenTypes": tokenTypes, "tokenModifiers": tokenModifiers},
			"range":  true,
			"full":   object{"delta": true},
		}
	}
	if c.actions {
		can["codeActionProvider"] = object{"codeActionKinds": []string{kindQuickFix, kindFixAll}}
	}
	if c.pulls {
		can["diagnosticProvider"] = object{"identifier": source, "interFileDependencies": false,
			"workspaceDiagnostics": false}
	}
	return can
}

// markupIn returns a text in the format that a client shows.
func markupIn(markdown bool, p *prose) markup {
	if markdown {
		return markup{"markdown", p.markdown.String()}
	}
	return markup{"plaintext", p.plain.String()}
}
