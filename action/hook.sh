#!/usr/bin/env bash
#
# hook.sh VERB [ARGUMENT…] runs robots for pre-commit. For hooks in Go, pre-commit downloads and compiles all of a module;
# this script compiles only the command robots, once, into the folder in which pre-commit keeps this repository.

set -euo pipefail
source=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
program=$source/.hook/robots

if [[ ! -x $program ]]; then
	if ! command -v go >/dev/null; then
		echo "robots is compiled when its hook runs first, and there is no Go: install Go, or let the hook run an installed robots, with \"language: system\" and \"entry: robots $1\"" >&2
		exit 2
	fi
	mkdir -p "$source/.hook"
	new=$(mktemp -d "$source/.hook/new.XXXXXX")
	trap 'rm -rf "$new"' EXIT
	(cd "$source" && go build -buildvcs=false -o "$new/robots" ./cmd/robots) >&2
	mv "$new/robots" "$program" # at once: other hooks may run now
	rm -r "$new"
	trap - EXIT
fi
exec "$program" "$@"
