#!/usr/bin/env bash
#
# The GitHub action: lints robots.txt files, proves claims about them, and shows
# what a change means. action.yml hands its inputs over as INPUT_…; ROBOTS may
# name the command. Else integrations/action/install.sh gets it.
#
# Nothing that stands in a robots.txt, or in the name of a file, is read as a command of the workflow: what
# may be one is printed by 'robots lint --format github', which escapes it, by annotate,
# which does too, and all else while commands are stopped.

set -euo pipefail

# data prints a text in one line, for the message of a workflow command. Characters that move the cursor of a
# terminal become "?".
data() {
	local text=${1//'%'/%25}
	text=${text//$'\r'/%0D}
	text=${text//$'\n'/%0A}
	printf '%s' "${text//[[:cntrl:]]/?}"
}

# property prints a text for the value of a property of a workflow command.
property() {
	local text
	text=$(data "$1")
	text=${text//:/%3A}
	printf '%s' "${text//,/%2C}"
}

# code prints a text as code of Markdown in one line.
code() {
	local text=${1//\`/ˋ}
	text=${text//$'\r'/\\r}
	text=${text//$'\n'/\\n}
	printf '\x60%s\x60' "${text//[[:cntrl:]]/?}"
}

# annotate KIND TITLE MESSAGE [FILE] prints an annotation: an error, a warning or a notice.
annotate() {
	local file=''
	[[ -z ${4:-} ]] || file=file=$(property "$4"),
	printf '::%s %stitle=%s::%s\n' "$1" "$file" "$(property "$2")" "$(data "$3")"
}

fail() {
	annotate error robots "$*"
	exit 2
}

yes() {
	case $2 in
	true) return 0 ;;
	false) return 1 ;;
	*) fail "the input $1 is neither true nor false" ;;
	esac
}

# quietly runs a command whose output is not to be read as commands of the workflow.
quietly() {
	local token status=0
	token=$(od -An -N16 -tx1 /dev/urandom | tr -d ' \n')
	echo "::stop-commands::$token"
	"$@" || status=$?
	printf '\n::%s::\n' "$token" # on a line of its own, whatever the command ended with
	return "$status"
}

robots=${ROBOTS:-}
if [[ -z $robots ]]; then
	robots=${RUNNER_TEMP:?}/robots
	"$(dirname "${BASH_SOURCE[0]}")/install.sh" "$robots" || fail "the command robots could not be installed: see the log"
fi

# A pattern of bash stands for the files that match it; ** for folders of any depth, also those that begin with a dot.
shopt -s globstar nullglob dotglob
read -r -d '' -a patterns <<<"${INPUT_FILES:-robots.txt}" || true
((${#patterns[@]})) || fail "the input files names no file"
files=()
for pattern in "${patterns[@]}"; do
	IFS=
	# shellcheck disable=SC2206 # the pattern is meant to match
	found=($pattern)
	unset IFS
	matches=()
	for file in "${found[@]}"; do
		[[ /$file == */.git/* && $file != "$pattern" ]] || matches+=("$file") # git has a file for a branch of this name
	done
	# A name with brackets may be a pattern that matches other files, or none.
	literal=$pattern
	for file in "${matches[@]}"; do
		[[ $file != "$pattern" ]] || literal=''
	done
	[[ ! -f $literal ]] || matches+=("$literal")
	((${#matches[@]})) || fail "no file matches $pattern: name robots.txt files in the input files"
	for file in "${matches[@]}"; do
		[[ $file != -* ]] || file=./$file # no option
		[[ -f $file ]] || fail "there is no file $file: name robots.txt files in the input files"
		files+=("$file")
	done
done
case ${INPUT_FAIL_ON_DIFF:-none} in
closed | opened | any | none) ;;
*) fail "the input fail-on-diff is none of closed, opened, any and none" ;;
esac

worst=0

# took notes how a command ended: 0 is well, 1 is a finding, and more is an error.
took() {
	(($1 <= worst)) || worst=$1
}

# What no input says, .robots.ini may say.
profile=(${INPUT_PROFILE:+--profile "$INPUT_PROFILE"})
fail_on=(${INPUT_FAIL_ON:+--fail-on "$INPUT_FAIL_ON"})

if yes lint "${INPUT_LINT:-true}"; then
	status=0
	"$robots" lint --format github ${profile[@]+"${profile[@]}"} ${fail_on[@]+"${fail_on[@]}"} "${files[@]}" || status=$?
	took "$status"
	if ((status < 2)); then
		"$robots" lint --format markdown ${profile[@]+"${profile[@]}"} "${files[@]}" >>"${GITHUB_STEP_SUMMARY:-/dev/null}" || true
	fi
	if [[ -n ${INPUT_SARIF:-} ]]; then
		status=0
		"$robots" lint --format sarif ${profile[@]+"${profile[@]}"} "${files[@]}" >"$INPUT_SARIF" || status=$?
		((status < 2)) || took "$status"
	fi
fi

if yes fmt "${INPUT_FMT:-false}"; then
	status=0
	quietly "$robots" fmt --check --diff "${files[@]}" || status=$?
	took "$status"
	((status != 1)) || annotate error "robots fmt" "run 'robots fmt --write' with ${files[*]@Q}"
fi

if [[ -n ${INPUT_CLAIMS:-} ]]; then
	[[ -f $INPUT_CLAIMS ]] || fail "there is no file of claims where the input claims says"
	for file in "${files[@]}"; do
		status=0
		ROBOTS_PROJECT=none quietly "$robots" prove --claims "$INPUT_CLAIMS" "$file" || status=$?
		took "$status"
		((status == 0)) || annotate error "robots prove" "a claim does not hold, or was not decided: see the log" "$file"
	done
fi

# read_base FILE writes what the file was at the base to $scratch/old: nothing if it was not there. It follows links as everything that reads
# the file does; names are never patterns. It fails, with the reason in $why, unless git says for certain what was there.
read_base() {
	local file=$1 top parts=() more=() path='' entry links=0
	why="git cannot read the commit to compare with"
	top=$(git rev-parse --show-toplevel) || return 1
	case $file in
	"$top"/*) file=${file#"$top"/} ;;
	/* | [A-Za-z]:[/\\]*) ;;
	*) file=$(git rev-parse --show-prefix)$file || return 1 ;;
	esac
	why="the file is not in this repository"
	case $file in
	/* | [A-Za-z]:[/\\]*) return 1 ;;
	esac
	if [[ $1 == */* && -d ${1%/*} && $(git -C "${1%/*}" rev-parse --show-toplevel) != "$top" ]]; then
		return 1
	fi
	: >"$scratch/old"
	IFS=/ read -r -d '' -a parts < <(printf '%s\0' "$file")
	while ((${#parts[@]})); do
		entry=${parts[0]} parts=("${parts[@]:1}")
		case $entry in
		'' | .) continue ;;
		..)
			[[ -n $path ]] || return 1
			path=/$path path=${path%/*} path=${path#/}
			continue
			;;
		esac
		path=${path:+$path/}$entry
		why="git cannot read the file in the commit to compare with"
		entry=$(git -C "$top" --literal-pathspecs ls-tree -z "$base" -- "$path" | tr -d '\0') || return 1
		[[ -n $entry ]] || return 0
		[[ $entry =~ ^([0-7]{6})\ [a-z]+\ ([0-9a-f]+) ]] || return 1
		case ${BASH_REMATCH[1]} in
		040000) ;;
		100*)
			((${#parts[@]} == 0)) || return 0 # it was a file, and is a folder
			git cat-file blob "${BASH_REMATCH[2]}" >"$scratch/old"
			return
			;;
		120000)
			((links++ < 40)) || return 0 # nobody could read it
			IFS=/ read -r -d '' -a more < <(git cat-file blob "${BASH_REMATCH[2]}" && printf '\0') || return 1
			why="the file is a link out of this repository"
			[[ -n ${more[0]:-} ]] || return 1
			parts=("${more[@]}" "${parts[@]}")
			path=/$path path=${path%/*} path=${path#/}
			;;
		*)
			why="the file was in a submodule"
			return 1
			;;
		esac
	done
}

# compare prints the change of a file since the base. A file that was not there
# asked nothing, and neither does one that is there no more.
compare() {
	local file=$1 old=$scratch/old new=$1 status=0 kind why
	if ! read_base "$file" 2>"$scratch/why"; then
		kind=error
		if [[ ${INPUT_FAIL_ON_DIFF:-none} == none && $why == *"not in this repository" ]]; then
			kind=warning # such as one that an earlier step made
		else
			took 2
		fi
		annotate "$kind" "robots diff" "$why, so that the change is not known: $(head -c 500 "$scratch/why")" "$file"
		[[ $changed == true ]] || changed=unknown
		return
	fi
	if [[ ! -e $file ]]; then
		new=$scratch/new
		: >"$new"
	fi
	# A change must not choose by .robots.ini for which robots it is judged.
	local -x ROBOTS_PROJECT=none
	"$robots" diff --json --fail-on any "$old" "$new" >/dev/null || status=$?
	case $status in
	0) ;;
	1) changed=true ;;
	*) [[ $changed == true ]] || changed=unknown ;;
	esac
	{
		printf '## %s\n\n' "$(code "$file")"
		"$robots" diff --markdown "$old" "$new" || true
		echo
	} >>"${GITHUB_STEP_SUMMARY:-/dev/null}"
	[[ ${INPUT_FAIL_ON_DIFF:-none} != none ]] || return 0
	status=0
	quietly "$robots" diff --fail-on "$INPUT_FAIL_ON_DIFF" "$old" "$new" || status=$?
	took "$status"
	((status == 0)) || annotate error "robots diff" "paths were $INPUT_FAIL_ON_DIFF, or it was not decided: see the log" "$file"
}

changed=unknown
if yes diff "${INPUT_DIFF:-true}"; then
	base=${INPUT_BASE:-}
	scratch=$(mktemp -d)
	trap 'rm -rf "$scratch"' EXIT
	if [[ $base =~ ^0*$ ]]; then
		annotate notice "robots diff" "there is no commit to compare with: name one in the input base"
	elif [[ ! $base =~ ^[0-9A-Za-z][0-9A-Za-z._/~^-]*$ ]]; then
		fail "the input base is not the name of a commit"
	elif ! git cat-file -e "$base^{commit}" 2>/dev/null && ! git fetch --quiet --depth=1 origin "$base" 2>/dev/null; then
		kind=warning
		if [[ ${INPUT_FAIL_ON_DIFF:-none} != none ]]; then
			kind=error
			took 2
		fi
		annotate "$kind" "robots diff" "the commit to compare with is not there: let actions/checkout fetch it (fetch-depth: 0)"
	else
		git cat-file -e "$base^{commit}" 2>/dev/null || base=FETCH_HEAD
		changed=false
		for file in "${files[@]}"; do
			compare "$file"
		done
		# Files that the patterns matched at the base, and that are gone.
		up=$(git rev-parse --show-cdup)
		for pattern in "${patterns[@]}"; do
			if [[ $pattern != *[*?[]* || $pattern == /* ]]; then
				continue
			fi
			git diff --no-renames --name-only -z --diff-filter=D "$base" -- ":(glob)$pattern" >"$scratch/gone" ||
				fail "git cannot compare $pattern with the base"
			while IFS= read -r -d '' file; do
				[[ -e $up$file ]] || compare "$up$file"
			done <"$scratch/gone"
		done
	fi
fi
echo "changed=$changed" >>"${GITHUB_OUTPUT:-/dev/null}"

exit "$worst"
