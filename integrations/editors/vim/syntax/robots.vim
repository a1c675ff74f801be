" Vim syntax file
" Language: robots.txt (RFC 9309)
"
" The file of the same name that Vim has knows User-agent and Disallow only. The groups of fields are those of
" integrations/editors/vscode/syntaxes/robots.tmLanguage.json.

if exists('b:current_syntax')
  finish
endif

syntax case ignore

syntax match robotsUnknown /^\s*[^ \t:#][^:#]\{-}\ze\s*:/ nextgroup=robotsSkipped skipwhite
syntax match robotsAgentField /^\s*user-agent\ze\s*:/ nextgroup=robotsAgentColon skipwhite
syntax match robotsRuleField /^\s*\%(allow\|disallow\)\ze\s*:/ nextgroup=robotsRuleColon skipwhite
syntax match robotsAddressField /^\s*\%(sitemap\|license\|agentmap\|schemamap\)\ze\s*:/ nextgroup=robotsAddressColon skipwhite
syntax match robotsNumberField /^\s*\%(crawl-delay\|request-rate\|visit-time\|cache-delay\|revisit-after\|robot-version\)\ze\s*:/ nextgroup=robotsNumberColon skipwhite
syntax match robotsRecordField /^\s*\%(content-usage\|content-signal\|clean-param\|host\|noindex\|nofollow\|noarchive\|comment\|domain\)\ze\s*:/ nextgroup=robotsRecordColon skipwhite

syntax match robotsSkipped /:/ contained
syntax match robotsAgentColon /:/ contained nextgroup=robotsEveryone,robotsToken skipwhite
syntax match robotsRuleColon /:/ contained nextgroup=robotsPath skipwhite
syntax match robotsAddressColon /:/ contained nextgroup=robotsAddress skipwhite
syntax match robotsNumberColon /:/ contained nextgroup=robotsNumbers skipwhite
syntax match robotsRecordColon /:/ contained nextgroup=robotsValue skipwhite

syntax match robotsToken /[^ \t#\/]\+/ contained nextgroup=robotsValue skipwhite
syntax match robotsEveryone /\*\ze\s*\%(#\|$\)/ contained
syntax match robotsPath /[^#]\+/ contained contains=robotsWildcard,robotsEnd,robotsEscape,robotsBadEscape
syntax match robotsWildcard /\*/ contained
syntax match robotsEnd /\$\ze\s*\%(#\|$\)/ contained
syntax match robotsBadEscape /%/ contained
syntax match robotsEscape /%\x\x/ contained
syntax match robotsAddress /[^ \t#]\+/ contained
syntax match robotsNumbers /[^#]\+/ contained contains=robotsNumber
syntax match robotsNumber /\d\+\%(\.\d\+\)\?/ contained
syntax match robotsValue /[^#]\+/ contained
syntax match robotsComment /#.*/

highlight default link robotsComment Comment
highlight default link robotsAgentField Keyword
highlight default link robotsRuleField Keyword
highlight default link robotsAddressField Keyword
highlight default link robotsNumberField Keyword
highlight default link robotsRecordField Keyword
highlight default link robotsUnknown Identifier
highlight default link robotsToken Type
highlight default link robotsEveryone Constant
highlight default link robotsPath String
highlight default link robotsValue String
highlight default link robotsNumbers String
highlight default link robotsWildcard Operator
highlight default link robotsEnd Operator
highlight default link robotsEscape SpecialChar
highlight default link robotsBadEscape Error
highlight default link robotsAddress Underlined
highlight default link robotsNumber Number

let b:current_syntax = 'robots'
