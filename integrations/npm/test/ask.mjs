// Answers questions of the ask protocol (package conformance of the repository) with the built package: one question a line on standard input, one answer
// a line on standard output. With --batch, consecutive questions about one text are asked with matchAll.

import { once } from 'node:events';

import { load, RobotsError } from '../dist/core.node.js';

const robots = await load();
const batch = process.argv.includes('--batch');
let policy = robots.parse('');
let text;
let dialect;

/** Reads a question, and makes its text the current one. */
function read(line) {
  const question = JSON.parse(line);
  const given = question.robots ?? question.robots_base64;
  if ((given !== undefined && given !== text) || question.dialect !== dialect) {
    text = given ?? text;
    dialect = question.dialect;
    policy.free();
    policy = robots.parse(question.robots_base64 === undefined ? text : Buffer.from(text, 'base64'), { dialect });
  }
  return question;
}

function answer({ id, agent = '*', url }) {
  try {
    return { id, ...policy.match(url, agent) };
  } catch (error) {
    if (error instanceof RobotsError) {
      return { id, error: error.message };
    }
    throw error;
  }
}

/** Answers questions about one policy with matchAll. It throws for all of them if one names several robots. */
function* answersAtOnce(questions) {
  const agents = [...new Set(questions.map(({ agent = '*' }) => agent))];
  const all = policy.matchAll(
    questions.map(({ url }) => url),
    agents,
  );
  for (const [i, { id, agent = '*' }] of questions.entries()) {
    const { allowed, reason, line } = all.at(i, agents.indexOf(agent));
    yield reason === 'not-a-url' ? { id, error: reason } : line > 0 ? { id, allowed, reason, line } : { id, allowed, reason };
  }
}

/** Answers lines of which each has the text of the one before, or a text of its own. */
function* answers(lines) {
  let same = []; // questions about one policy
  const flush = function* () {
    if (same.length > 0) {
      try {
        yield* answersAtOnce(same);
      } catch (error) {
        if (!(error instanceof RobotsError)) {
          throw error;
        }
        yield* same.map(answer); // each by itself
      }
      same = [];
    }
  };
  for (const line of lines) {
    if (!batch) {
      yield answer(read(line));
    } else {
      if (/"robots(_base64)?":|"dialect":/.test(line)) {
        yield* flush();
      }
      same.push(read(line));
    }
  }
  yield* flush();
}

let rest = Buffer.alloc(0);
for await (const chunk of process.stdin) {
  rest = Buffer.concat([rest, chunk]);
  const end = rest.lastIndexOf(10) + 1;
  const lines = rest.subarray(0, end).toString().split('\n').slice(0, -1);
  rest = rest.subarray(end);
  const out = [...answers(lines)].map((reply) => JSON.stringify(reply) + '\n').join('');
  if (!process.stdout.write(out)) {
    await once(process.stdout, 'drain');
  }
}
