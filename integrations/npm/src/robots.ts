import { Engine } from './engine.js';
import { RobotsError } from './errors.js';
import { Policy, type Dialect } from './policy.js';

/** How a text is read. */
export interface ParseOptions {
  /** The document by which the text is read; without it, RFC 9309. */
  readonly dialect?: Dialect;
}

/** Reads robots.txt, and answers. */
export class Robots {
  /** @internal */
  protected readonly engine: Engine;

  /** @internal */
  constructor(engine: Engine) {
    this.engine = engine;
  }

  /**
   * Reads a text of robots.txt. Every text is a policy. Bytes are taken as they are, as robots should; in a string, half a surrogate pair becomes
   * U+FFFD. A text of more than 16 MiB throws `too-large`.
   */
  parse(robotsTxt: string | Uint8Array, options: ParseOptions = {}): Policy {
    const dialect = this.engine.about.dialects.indexOf(options.dialect ?? 'rfc9309');
    if (dialect < 0) {
      throw new RobotsError('bad-value', `there is no dialect ${JSON.stringify(options.dialect)}: there are ${this.engine.about.dialects.join(', ')}`);
    }
    if (typeof robotsTxt !== 'string' && !(robotsTxt instanceof Uint8Array)) {
      throw new RobotsError('bad-value', 'the robots.txt is neither a string nor a Uint8Array: await the text of a response');
    }
    if (robotsTxt.length > this.engine.about.max_text) {
      throw new RobotsError('too-large', `the text has ${robotsTxt.length} bytes, more than ${this.engine.about.max_text}: robots read 500 KiB, so cut it after that`);
    }
    const size = typeof robotsTxt === 'string' ? this.engine.putText(robotsTxt) : this.engine.put(robotsTxt);
    const policy = new Policy(this.engine, this.engine.call('parse', size, dialect), options.dialect);
    this.engine.rest(size);
    return policy;
  }

  /** Returns the policy of a site that has no robots.txt: every URL is allowed (RFC 9309, section 2.3.1.3). */
  allowAll(): Policy {
    return new Policy(this.engine, this.engine.call('fixed', 0));
  }

  /** Returns the policy of a site whose robots.txt is unreachable: no URL is allowed but /robots.txt (section 2.3.1.4). */
  disallowAll(): Policy {
    return new Policy(this.engine, this.engine.call('fixed', 1));
  }

  /** The bytes of memory that the engine has. It never shrinks: what is freed is used again. */
  get memory(): number {
    return this.engine.memory;
  }

  /** The number of policies that are kept. */
  get kept(): number {
    return this.engine.call('kept');
  }
}
