import type { Reason } from './policy.js';

/** A verdict of `matchAll`. */
export interface Verdict {
  readonly allowed: boolean;
  readonly reason: Reason | 'not-a-url';
  /** The number of the deciding line, from 1 on, or 0 if no rule decides. */
  readonly line: number;
}

/** The verdicts of many URLs and robots. */
export class Verdicts {
  /**
   * A number for each verdict, first those of all robots on the first URL: bit 0 is whether the robot may fetch the URL, bits 1 to 3 are the place of
   * the reason in `reasons`, and those above are the number of the deciding line, or 0.
   */
  readonly codes: Uint32Array;
  readonly urls: number;
  readonly robots: number;
  readonly reasons: readonly string[];

  /** @internal */
  constructor(codes: Uint32Array, urls: number, robots: number, reasons: readonly string[]) {
    this.codes = codes;
    this.urls = urls;
    this.robots = robots;
    this.reasons = reasons;
  }

  /** The verdict on a URL and a robot, by their places in the lists of the question. */
  at(url: number, robot = 0): Verdict {
    const code = this.#code(url, robot);
    return { allowed: (code & 1) !== 0, reason: this.reasons[(code >>> 1) & 7] as Verdict['reason'], line: code >>> 4 };
  }

  /** Whether a robot may fetch a URL, by their places. */
  allowed(url: number, robot = 0): boolean {
    return (this.#code(url, robot) & 1) !== 0;
  }

  #code(url: number, robot: number): number {
    const code = robot >= 0 && robot < this.robots ? this.codes[url * this.robots + robot] : undefined;
    if (code === undefined) {
      throw new RangeError(`there is no verdict for URL ${url} and robot ${robot}: there are ${this.urls} URLs and ${this.robots} robots`);
    }
    return code;
  }
}
