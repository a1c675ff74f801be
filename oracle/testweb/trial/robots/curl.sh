#!/bin/bash
# The usual loop: fetch a page with curl, take the links out of the page, go on with the links.
# Arguments are options of curl. PAUSE is the time between requests. MAY is a program that says
# with its exit status whether the URL in its last argument may be fetched.
queue=("$START")
declare -A seen=(["$START"]=1)
for ((i = 0; i < ${#queue[@]} && i < 5000; i++)); do
	url=${queue[i]}
	origin=$(grep -oE '^https?://[^/?#]+' <<<"$url") || continue
	if [[ -n ${MAY:-} ]] && ! $MAY "$url" >/dev/null; then
		continue
	fi
	while read -r link; do
		case $link in
		http://* | https://*) ;;
		/*) link=$origin$link ;;
		*) continue ;;
		esac
		link=${link%%#*}
		if [[ -z ${seen[$link]:-} ]]; then
			seen[$link]=1
			queue+=("$link")
		fi
	done < <(curl -s "$@" -- "$url" | tr -d '\0' | grep -oE 'href="[^"]*"' | cut -d'"' -f2 | sed 's/&amp;/\&/g')
	sleep "${PAUSE:-0}"
done
