#!/usr/bin/env bash
#
# hook.sh VERB [ARGUMENT…] runs robots for pre-commit. For hooks in Go, pre-commit downloads and compiles all of a module;
# this script compiles only the command robots, once, into the folder in which pre-commit keeps this repository.
#
# pre-commit adds names of files at the end of the arguments. lint and fmt leave out a robots.txt that 'robots build' made from fragments
# in this repository: its mistakes are those of the fragments, which are checked themselves, and the next build would undo other changes.

set -euo pipefail
source=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
program=$source/.hook/robots

# built FILE succeeds if the file says that it was built, and the first fragment that it names is there.
built() {
	local head from
	{ IFS= read -r head && IFS= read -r from; } <"$1" || return 1
	[[ $head == "# Built by 'robots build', from:" && $from == '#   '* && -f ${from#'#   '} ]]
}

arguments=() files=0 left_out=0
for argument; do
	if [[ $argument == *.txt && -f $argument ]]; then
		files=$((files + 1))
		if [[ $1 == lint || $1 == fmt ]] && built "$argument"; then
			left_out=$((left_out + 1))
			continue
		fi
		# A file may have a name that begins like an option, such as --profile=none.robots.txt.
		if [[ $argument == -* ]]; then
			argument=./$argument
		fi
	fi
	arguments+=("$argument")
done
if ((files > 0 && files == left_out)); then
	exit 0
fi

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
exec "$program" "${arguments[@]}"
