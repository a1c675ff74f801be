#!/usr/bin/env bash
#
# install.sh FILE writes the command robots to FILE. If this action is a release, it downloads the
# archive of the release, compares its checksum with checksums.txt beside it, and lets the command gh check that the workflow of
# releases built it, if there is a gh that may ask GitHub. Else, or if there is no
# archive for this system, it builds the command from the source beside this file, with Go.
#
# install.sh --plan installs nothing and prints two outputs for a workflow: build=true or build=false, whether the command will
# be built, and sum=NUMBER, which changes with the modules that a build downloads.
#
# ROBOTS_REF is the version of the action, such as v0.1.0 or main. ROBOTS_RELEASES may name another place
# for releases, and ROBOTS_CACHE a folder to build in.

set -euo pipefail

target=$1
source=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
ref=${ROBOTS_REF:-}
version='' # of the release, if the action is one
if [[ $ref =~ ^v([0-9]+\.[0-9]+\.[0-9]+(-[0-9A-Za-z.]+)?)$ ]]; then
	version=${BASH_REMATCH[1]}
fi

if [[ $target == --plan ]]; then
	[[ -n $version ]] && build=false || build=true
	echo "build=$build"
	echo "sum=$(cksum <"$source/go.sum" | tr -d ' ')"
	exit
fi

releases=${ROBOTS_RELEASES:-https://github.com/robotsexclusion/robots/releases/download}
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

# archive prints the name of the archive of a version for this system.
archive() {
	local os arch kind=tar.gz
	case $(uname -s) in
	Linux) os=linux ;;
	Darwin) os=darwin ;;
	FreeBSD) os=freebsd ;;
	MINGW* | MSYS* | CYGWIN*) os=windows kind=zip ;;
	*) return 1 ;;
	esac
	case $(uname -m) in
	x86_64 | amd64) arch=amd64 ;;
	aarch64 | arm64) arch=arm64 ;;
	*) return 1 ;;
	esac
	echo "robots_${1}_${os}_$arch.$kind"
}

# get URL FILE downloads a file.
get() {
	curl --fail --silent --show-error --location --retry 3 --max-time 120 --output "$2" "$1"
}

# checksum FILE prints the SHA-256 of a file.
checksum() {
	if command -v sha256sum >/dev/null; then
		sha256sum "$1"
	else
		shasum -a 256 "$1"
	fi | cut -d ' ' -f 1
}

# attested FILE VERSION ends this script if the workflow of releases did not build a file from the tag of a version. It says which checks were made.
attested() {
	local name flags help
	name=$(basename "$1")
	flags=(--repo robotsexclusion/robots --signer-workflow robotsexclusion/robots/.github/workflows/release.yml)
	if ! help=$(gh attestation verify --help 2>/dev/null); then
		echo "$name has the checksum of the release; its attestation was not checked, because there is no gh that can"
		return
	fi
	if [[ ${GITHUB_SERVER_URL:-https://github.com} != https://github.com ]] || ! gh auth token --hostname github.com >/dev/null 2>&1; then
		echo "$name has the checksum of the release; its attestation was not checked, because gh has no token for github.com (GH_TOKEN)"
		return
	fi
	if [[ $help == *--source-ref* ]]; then
		flags+=(--source-ref "refs/tags/v$2")
	fi
	if ! gh attestation verify "$1" "${flags[@]}" >&2; then
		echo "$name has no attestation of the workflow of releases, or it cannot be checked: the file is not used" >&2
		exit 1
	fi
	echo "$name has the checksum of the release, and its attestation"
}

# download VERSION installs a release. It fails without a message for people if there is none, and ends
# this script if an archive is not what its checksum says.
download() {
	local version=$1 name want got
	name=$(archive "$version") || return 1
	get "$releases/v$version/checksums.txt" "$scratch/checksums.txt" || return 1
	want=$(awk -v name="$name" '$2 == name { print $1 }' "$scratch/checksums.txt")
	[[ $want =~ ^[0-9a-f]{64}$ ]] || return 1
	get "$releases/v$version/$name" "$scratch/$name" || return 1
	got=$(checksum "$scratch/$name")
	if [[ $got != "$want" ]]; then
		echo "$name has the checksum $got, and checksums.txt says $want: it is not used" >&2
		exit 1
	fi
	attested "$scratch/$name" "$version"
	case $name in
	*.zip) unzip -q -o -j "$scratch/$name" '*/robots.exe' -d "$scratch" && mv "$scratch/robots.exe" "$target" ;;
	*) tar -xzf "$scratch/$name" -C "$scratch" --strip-components 1 "${name%.tar.gz}/robots" && mv "$scratch/robots" "$target" ;;
	esac
}

if [[ -n $version ]] && download "$version"; then
	echo "robots $ref was downloaded"
	exit
fi
if ! command -v go >/dev/null; then
	echo "there is no release of robots for ${ref:-this version} and this system, and no Go to build it with: use a released version, or add actions/setup-go before this step" >&2
	exit 1
fi
echo "robots is built from source, because ${ref:-this version} is not a release for this system"
cd "$source"
if [[ -n ${ROBOTS_CACHE:-} ]]; then
	export GOCACHE=$ROBOTS_CACHE/build GOMODCACHE=$ROBOTS_CACHE/modules
fi
go build -buildvcs=false -o "$target" ./cmd/robots
