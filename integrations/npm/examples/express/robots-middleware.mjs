// Middleware for Express, or any server of Node with (req, res, next), that enforces a site's own robots.txt on robots that name themselves:
//
//   app.use(await robotsMiddleware({ robotsTxt: await readFile('public/robots.txt') }));
//
// People are never refused, and /robots.txt never is. `req.robots` has the robot and the match. A robot that poses as a browser is not
// recognised: `robots guard` of the same project does more. Copy this file: it needs only the package.

import { load } from '@robotsexclusion/robots/whole';

const mostHeaders = 10_000; // whose robots are remembered

/**
 * Returns the middleware.
 *
 * `robotsTxt` is the text of robots.txt, best as bytes. With `observe`, nothing is refused, and `req.robots` says what would be.
 */
export async function robotsMiddleware({ robotsTxt, observe = false }) {
  const robots = await load();
  const policy = robots.parse(robotsTxt);
  const known = new Map(); // the robots of headers, or null for the programs of people

  /** The robot that a User-Agent header names, or null. */
  function robotOf(header) {
    let robot = known.get(header);
    if (robot === undefined) {
      const found = robots.lookup(header.slice(0, 1024), { unknown: true });
      robot = found.facts.kind === 'robot' ? found : null;
      if (known.size >= mostHeaders) {
        known.clear(); // strangers write headers, and must not fill the memory
      }
      known.set(header, robot);
    }
    return robot;
  }

  return function middleware(req, res, next) {
    const header = req.headers['user-agent'] ?? '';
    const robot = robotOf(header);
    if (robot === null) {
      next();
      return;
    }
    // Express cuts req.url where middleware is mounted at a path, and many servers read two slashes as one.
    const target = (req.originalUrl ?? req.url).replace(/^\/+/, '/');
    let match;
    try {
      match = policy.match(target, robot);
    } catch {
      next(); // the target of the request is not a path, such as that of OPTIONS *
      return;
    }
    req.robots = { robot, match };
    if (match.allowed || observe) {
      next();
      return;
    }
    // The rule is the site's own, the name the robot's: JSON escapes both, and a plain text is no page.
    const message = `403 Forbidden\n\nThis site's robots.txt disallows ${JSON.stringify(target)} to the robot ${JSON.stringify(robot.facts.token)}: line ${match.line}, ${JSON.stringify(match.rule)}. The rules are at /robots.txt on this host.\n`;
    res.statusCode = 403;
    res.setHeader('Content-Type', 'text/plain; charset=utf-8');
    res.setHeader('X-Content-Type-Options', 'nosniff');
    res.setHeader('Cache-Control', 'no-store');
    res.setHeader('Vary', 'User-Agent');
    res.end(message);
  };
}
