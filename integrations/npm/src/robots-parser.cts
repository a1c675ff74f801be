// For require, which Node 20.19, 22.12 and later have for modules too.

import type { RobotsParser } from './robots-parser.js' with { 'resolution-mode': 'import' };

const { default: robotsParser } = require('./robots-parser.node.js') as { default: (url: string, robotstxt: string) => RobotsParser };

export = robotsParser;
