#!/bin/sh
# Asks "robots serve" with curl whether a robot may fetch URLs:
#
#   sh ask.sh http://127.0.0.1:8010 ExampleBot https://example.com/ https://example.com/private/
#
# A line is "yes URL" or "no URL". The exit status is 0 if all are allowed, 1 if one is not, and 2 if a
# question has no answer. ROBOTS_TOKEN may have a bearer token.
if [ $# -lt 3 ]; then
	echo "usage: sh ask.sh SERVICE ROBOT URL..." >&2
	exit 2
fi
service=$1 robot=$2
shift 2

# The token goes through a pipe: other users of the machine can read arguments.
token() { [ -z "${ROBOTS_TOKEN:-}" ] || printf 'Authorization: Bearer %s\n' "$ROBOTS_TOKEN"; }

status=0
for url; do
	# --retry repeats the question when the service is busy, as late as Retry-After says.
	answer=$(token | curl --silent --show-error --max-time 60 --retry 3 --header @- \
		--get --data-urlencode "url=$url" --data-urlencode "agent=$robot" "$service/v1/match") || exit 2
	# Quotes in the strings of an answer are escaped, so no URL can look like this member.
	case $answer in
	*'"allowed":true'*) echo "yes $url" ;;
	*'"allowed":false'*) status=1; echo "no $url" ;;
	*)
		printf '%s: %s\n' "$url" "$answer" >&2 # problem details
		exit 2
		;;
	esac
done
exit $status
