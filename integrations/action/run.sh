#!/usr/bin/env bash
#
# The GitHub action: lints robots.txt files, proves claims about them, and shows
# what a change means. action.yml hands its inputs over as INPUT_…; ROBOTS may
# name the command. Else integrations/action/install.sh gets it.
#
# Nothing that stands in a robots.txt is read as a command of the workflow: what
# may be one is printed by 'robots lint --format github', which escapes it, and
# all else while commands are stopped.

set -euo pipefail

fail() {
	echo "::error title=robots::$*"
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
	echo "::$token::"
	return "$status"
}

robots=${ROBOTS:-}
if [[ -z $robots ]]; then
	robots=${RUNNER_TEMP:?}/robots
	"${GITHUB_ACTION_PATH:?}/action/install.sh" "$robots" || fail "the command robots could not be installed: see the log"
fi

# A pattern of bash stands for the files that match it; ** for folders of any depth.
shopt -s globstar nullglob
read -r -d '' -a patterns <<<"${INPUT_FILES:-robots.txt}" || true
((${#patterns[@]})) || fail "the input files names no file"
files=()
for pattern in "${patterns[@]}"; do
	shown=${pattern//[^[:alnum:].\/_*?[-]/ }
	IFS=
	# shellcheck disable=SC2206 # the pattern is meant to match
	matches=($pattern)
	unset IFS
	((${#matches[@]})) || fail "no file matches $shown: name robots.txt files in the input files"
	for file in "${matches[@]}"; do
		[[ -f $file && $file != -* ]] || fail "there is no file ${file//[^[:alnum:].\/_-]/?}: name robots.txt files in the input files"
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

if yes lint "${INPUT_LINT:-true}"; then
	status=0
	"$robots" lint --format github --profile "${INPUT_PROFILE:-recommended}" --fail-on "${INPUT_FAIL_ON:-warning}" "${files[@]}" || status=$?
	took "$status"
	if ((status < 2)); then
		"$robots" lint --format markdown --profile "${INPUT_PROFILE:-recommended}" "${files[@]}" >>"${GITHUB_STEP_SUMMARY:-/dev/null}" || true
	fi
	if [[ -n ${INPUT_SARIF:-} ]]; then
		status=0
		"$robots" lint --format sarif --profile "${INPUT_PROFILE:-recommended}" "${files[@]}" >"$INPUT_SARIF" || status=$?
		((status < 2)) || took "$status"
	fi
fi

if yes fmt "${INPUT_FMT:-false}"; then
	status=0
	quietly "$robots" fmt --check --diff "${files[@]}" || status=$?
	took "$status"
	((status != 1)) || echo "::error title=robots fmt::run 'robots fmt --write ${files[*]}'"
fi

if [[ -n ${INPUT_CLAIMS:-} ]]; then
	[[ -f $INPUT_CLAIMS ]] || fail "there is no file of claims where the input claims says"
	for file in "${files[@]}"; do
		status=0
		quietly "$robots" prove --claims "$INPUT_CLAIMS" "$file" || status=$?
		took "$status"
		((status == 0)) || echo "::error file=$file,title=robots prove::a claim does not hold, or was not decided: see the log"
	done
fi

# compare prints the change of a file since the base. A file that was not there
# asked nothing.
compare() {
	local file=$1 old=$scratch/old status=0 path
	path=$(git ls-files --full-name -- "$file")
	if [[ -z $path ]] || ! git show "$base:$path" >"$old" 2>/dev/null; then
		: >"$old"
	fi
	"$robots" diff --json --fail-on any "$old" "$file" >/dev/null || status=$?
	case $status in
	0) ;;
	1) changed=true ;;
	*) [[ $changed == true ]] || changed=unknown ;;
	esac
	{
		printf '## \x60%s\x60\n\n' "${file//\`/}"
		"$robots" diff --markdown "$old" "$file" || true
		echo
	} >>"${GITHUB_STEP_SUMMARY:-/dev/null}"
	[[ ${INPUT_FAIL_ON_DIFF:-none} != none ]] || return 0
	status=0
	quietly "$robots" diff --fail-on "$INPUT_FAIL_ON_DIFF" "$old" "$file" || status=$?
	took "$status"
	((status == 0)) || echo "::error file=$file,title=robots diff::paths were $INPUT_FAIL_ON_DIFF, or it was not decided: see the log"
}

changed=unknown
if yes diff "${INPUT_DIFF:-true}"; then
	base=${INPUT_BASE:-}
	scratch=$(mktemp -d)
	trap 'rm -rf "$scratch"' EXIT
	if [[ $base =~ ^0*$ ]]; then
		echo "::notice title=robots diff::there is no commit to compare with: name one in the input base"
	elif [[ ! $base =~ ^[0-9A-Za-z][0-9A-Za-z._/~^-]*$ ]]; then
		fail "the input base is not the name of a commit"
	elif ! git cat-file -e "$base^{commit}" 2>/dev/null && ! git fetch --quiet --depth=1 origin "$base" 2>/dev/null; then
		echo "::warning title=robots diff::the commit to compare with is not there: let actions/checkout fetch it (fetch-depth: 0)"
	else
		git cat-file -e "$base^{commit}" 2>/dev/null || base=FETCH_HEAD
		changed=false
		for file in "${files[@]}"; do
			compare "$file"
		done
	fi
fi
echo "changed=$changed" >>"${GITHUB_OUTPUT:-/dev/null}"

exit "$worst"
