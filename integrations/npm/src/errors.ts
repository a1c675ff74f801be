/**
 * What is wrong, for programs:
 *
 * - `too-large`: a text, or the number of verdicts
 * - `too-many`: policies that are kept, or robots
 * - `no-policy`: the policy was freed, or is of another engine
 * - `bad-url`: the text is not a URL
 * - `bad-value`: another argument
 * - `undecided`: the answer takes too many cases
 * - `fault`: of this package
 */
export type Code = 'too-large' | 'too-many' | 'no-policy' | 'bad-url' | 'bad-value' | 'undecided' | 'fault';

/** An error of this package. The message says what is wrong, and what to do. */
export class RobotsError extends Error {
  readonly code: Code;

  constructor(code: Code, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'RobotsError';
    this.code = code;
  }
}
