// Asks "robots serve" whether a robot may fetch URLs, with fetch of Node 18 or later:
//
//   node ask.mjs http://127.0.0.1:8010 ExampleBot https://example.com/ https://example.com/private/
//
// A line is "yes URL" or "no URL". The exit status is 0 if all are allowed, 1 if one is not, and 2 if a
// question has no answer. ROBOTS_TOKEN may have a bearer token.

const retries = 3;

// mayFetch returns whether the robot may fetch the URL. It throws an error if there is no answer.
async function mayFetch(service, robot, url) {
  const question = `${service}/v1/match?${new URLSearchParams({ url, agent: robot })}`;
  const token = process.env.ROBOTS_TOKEN;
  const headers = token ? { Authorization: `Bearer ${token}` } : {};
  for (let attempt = 0; ; attempt++) {
    const answer = await fetch(question, { headers, signal: AbortSignal.timeout(60_000) });
    const body = await answer.json();
    if (answer.ok) {
      return body.results[0].allowed === true;
    }
    const wait = Number.parseInt(answer.headers.get("Retry-After"), 10);
    if (attempt === retries || ![429, 503].includes(answer.status) || Number.isNaN(wait)) {
      throw new Error(shown(body)); // problem details (RFC 9457)
    }
    await new Promise((resolve) => setTimeout(resolve, Math.min(wait, 60) * 1000));
  }
}

// shown returns JSON without characters that could harm a terminal.
function shown(value) {
  return JSON.stringify(value).replace(/[^ -~]/g, (c) => "\\u" + c.charCodeAt(0).toString(16).padStart(4, "0"));
}

const [service, robot, ...urls] = process.argv.slice(2);
process.exitCode = 0;
if (urls.length === 0) {
  console.error("usage: node ask.mjs SERVICE ROBOT URL...");
  process.exitCode = 2;
}
for (const url of urls) {
  try {
    const allowed = await mayFetch(service, robot, url);
    console.log(allowed ? "yes" : "no", url);
    if (!allowed) {
      process.exitCode = 1;
    }
  } catch (error) {
    console.error(`${url}: ${error.message}`);
    process.exitCode = 2;
    break;
  }
}
