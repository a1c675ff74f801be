# A spider on mechanize, which asks robots.txt by itself. It follows every link.
# Arguments: the seconds between requests, and a User-Agent header.
import os
import sys
import time

import mechanize

browser = mechanize.Browser()
if len(sys.argv) > 2:
    browser.addheaders = [("User-agent", sys.argv[2]), ("From", "trial@example.org")]
queue = [os.environ["START"]]
seen = set(queue)
for url in queue:
    try:
        browser.open(url, timeout=15)
        if browser.viewing_html():
            for link in browser.links():
                target = link.absolute_url.split("#")[0]
                if link.tag == "a" and target.startswith("http") and target not in seen:
                    seen.add(target)
                    queue.append(target)
    except Exception as error:
        print(url, repr(error), flush=True)
    browser.clear_history()
    if len(sys.argv) > 1:
        time.sleep(float(sys.argv[1]))
