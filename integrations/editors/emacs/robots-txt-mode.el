;;; robots-txt-mode.el --- Major mode for robots.txt  -*- lexical-binding: t; -*-

;; SPDX-License-Identifier: Apache-2.0
;; Version: 0.1.0
;; Package-Requires: ((emacs "26.1"))
;; Keywords: languages
;; URL: https://github.com/robotsexclusion/robots

;;; Commentary:

;; Colours for robots.txt (RFC 9309).  Diagnostics, completion and the rest come from the language
;; server `robots lsp' with Eglot or lsp-mode.

;;; Code:

(defconst robots-txt-fields
  '("user-agent" "allow" "disallow" "sitemap" "license" "agentmap" "schemamap" "crawl-delay" "request-rate"
    "visit-time" "cache-delay" "revisit-after" "robot-version" "content-usage" "content-signal" "clean-param"
    "host" "noindex" "nofollow" "noarchive" "comment" "domain")
  "The known fields.")

(defconst robots-txt-font-lock-keywords
  `((,(concat "^[ \t]*\\(" (regexp-opt robots-txt-fields) "\\)[ \t]*:") 1 font-lock-keyword-face)
    ("^[ \t]*\\([^ \t\n:#][^\n:#]*?\\)[ \t]*:" 1 font-lock-variable-name-face)
    ("^[ \t]*user-agent[ \t]*:[ \t]*\\([^ \t\n#/]+\\)" 1 font-lock-type-face)
    ("^[ \t]*\\(?:dis\\)?allow[ \t]*:[ \t]*" ("\\(\\*\\|%[0-9a-f][0-9a-f]\\)\\|\\(\\$\\)[ \t]*\\(?:#\\|$\\)" nil nil
      (1 font-lock-builtin-face nil t) (2 font-lock-builtin-face nil t)))
    ("^[ \t]*\\(?:sitemap\\|license\\)[ \t]*:[ \t]*\\([^ \t\n#]+\\)" 1 'link))
  "The colours of robots.txt.")

;;;###autoload
(define-derived-mode robots-txt-mode prog-mode "robots.txt"
  "Major mode for robots.txt."
  :syntax-table (let ((table (make-syntax-table)))
                  (modify-syntax-entry ?# "<" table)
                  (modify-syntax-entry ?\n ">" table)
                  (modify-syntax-entry ?\" "." table)
                  (modify-syntax-entry ?\' "." table)
                  table)
  (setq-local comment-start "# ")
  (setq-local comment-start-skip "#+ *")
  (setq-local font-lock-defaults '(robots-txt-font-lock-keywords nil t)))

;;;###autoload
(add-to-list 'auto-mode-alist '("/robots\\.txt\\'" . robots-txt-mode))

(provide 'robots-txt-mode)
;;; robots-txt-mode.el ends here
