// What the package exports in every environment for the whole engine, beside `load`.

export * from './core.js';
export { WholeRobots } from './whole-robots.js';
export type * from './answers.js';
