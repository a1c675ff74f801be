// Browsers, and bundlers for them. The function answers at once, so the engine is loaded while the program is.

import { compile } from './load.js';
import { parserOf, type RobotsParser } from './robots-parser.js';

const module = await compile(fetch(new URL('./core.wasm', import.meta.url)));
const parse = parserOf(() => module);

/**
 * The function of the package robots-parser: reads the robots.txt of a site, and answers for URLs of the site's origin.
 *
 * @param url where the robots.txt is
 * @param robotstxt its text
 */
export default function robotsParser(url: string, robotstxt: string): RobotsParser {
  return parse(url, robotstxt);
}

export type { RobotsParser, RobotsParser as Robot };
