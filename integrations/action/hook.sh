#!/usr/bin/env bash
#
# hook.sh VERB [ARGUMENT…] runs robots for pre-commit. For hooks in Go, pre-commit downloads and compiles all of a module;
# this script compiles only the command robots, once, into the folder in which pre-commit keeps this repository.
#
# pre-commit adds names of files at the end of the arguments. lint and fmt leave out a robots.txt that 'robots build' makes from fragments
# in this repository: its mistakes are those of the fragments, which are checked themselves, and the next build would undo other changes. A
# file that only says so is checked.

set -euo pipefail
source=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
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

# checked matches the fragments that the hooks check themselves, as .pre-commit-hooks.yaml says.
checked='(^|/)(([^/]*[.-])?robots\.txt|robots\.d/[^/]+\.txt)$'

# built VERB FILE succeeds if the file is what 'robots build' makes of the fragments and options that its head names, and lint has
# nothing to find in it that it does not find in the fragments.
built() {
	local line list=fragments fragments=() options=() whole=false
	{
		IFS= read -r line && [[ $line == "# Built by 'robots build', from:" ]] || return 1
		while IFS= read -r line; do
			case $list:$line in
			"fragments:# with:") list=options ;;
			"fragments:#   "[!-]*) fragments+=("${line#'#   '}") ;;
			"options:#   --block "* | "options:#   --allow "*)
				line=${line#'#   '}
				options+=("${line%% *}=${line#* }")
				;;
			*:"# Change these, and build it again.")
				whole=true
				break
				;;
			*) return 1 ;;
			esac
		done
	} <"$2"
	[[ $whole == true && ${#fragments[@]} -gt 0 ]] || return 1
	for line in "${fragments[@]}"; do
		[[ -f $line && ($1 != lint || $line =~ $checked) ]] || return 1
	done
	"$program" build --check --unknown ${options[@]+"${options[@]}"} --output="$2" -- "${fragments[@]}" </dev/null >/dev/null 2>&1
}

arguments=() files=0 left_out=0
for argument; do
	if [[ $argument == *.txt && -f $argument ]]; then
		files=$((files + 1))
		if [[ $1 == lint || $1 == fmt ]] && built "$1" "$argument"; then
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
exec "$program" "${arguments[@]}"
