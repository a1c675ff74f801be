// What the package exports in every environment, beside `load`.

export { RobotsError, type Code } from './errors.js';
export { Policy, type Address, type Candidate, type Dialect, type Explanation, type Facts, type Match, type Reason, type Robot } from './policy.js';
export { Robots, type ParseOptions } from './robots.js';
export { Verdicts, type Verdict } from './verdicts.js';
export type { LoadOptions } from './load.js';
