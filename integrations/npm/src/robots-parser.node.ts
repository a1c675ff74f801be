import { readFileSync } from 'node:fs';

import { parserOf, type RobotsParser } from './robots-parser.js';

const parse = parserOf(() => new WebAssembly.Module(readFileSync(new URL('./core.wasm', import.meta.url))));

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
