"""Asks "robots serve" whether a robot may fetch URLs, with the standard library:

    python3 ask.py http://127.0.0.1:8010 ExampleBot https://example.com/ https://example.com/private/

A line is "yes URL" or "no URL". The exit status is 0 if all are allowed, 1 if one is not, and 2 if a
question has no answer. ROBOTS_TOKEN may have a bearer token.
"""

import http.client
import json
import os
import sys
import time
import urllib.error
import urllib.parse
import urllib.request

RETRIES = 3


def may_fetch(service, robot, url):
    """Whether the robot may fetch the URL. Raises an error if there is no answer."""
    query = urllib.parse.urlencode({"url": url, "agent": robot})
    request = urllib.request.Request(f"{service}/v1/match?{query}")
    if token := os.environ.get("ROBOTS_TOKEN"):
        request.add_header("Authorization", f"Bearer {token}")
    for attempt in range(RETRIES + 1):
        try:
            with urllib.request.urlopen(request, timeout=60) as answer:
                results = json.load(answer)["results"]
                return results[0]["allowed"] is True
        except urllib.error.HTTPError as error:
            with error:
                wait = error.headers.get("Retry-After", "")
                if attempt < RETRIES and error.code in (429, 503) and wait.isdecimal():
                    time.sleep(min(int(wait), 60))
                    continue
                # Problem details (RFC 9457). json.dumps escapes what could harm a terminal.
                raise ValueError(json.dumps(json.load(error))) from None


def main(service, robot, *urls):
    status = 0
    for url in urls:
        try:
            allowed = may_fetch(service, robot, url)
        except (OSError, ValueError, LookupError, http.client.HTTPException) as error:
            print(f"{url}: {error}", file=sys.stderr)
            return 2
        print("yes" if allowed else "no", url)
        if not allowed:
            status = 1
    return status


if __name__ == "__main__":
    if len(sys.argv) < 4:
        print("usage: python3 ask.py SERVICE ROBOT URL...", file=sys.stderr)
        sys.exit(2)
    sys.exit(main(*sys.argv[1:]))
