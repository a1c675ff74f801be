// Runs Lighthouse on a page with a Chromium of its own, and prints the points, the audits that failed, the figures behind the points for performance in
// milliseconds (and the shift of the layout), and how fast the machine was (a quiet one has 1,000 or more). "processor" is the total blocking time again, of processor time: other programs change it less. node lighthouse.mjs MODULE CHROMIUM
// FOLDER URL mobile|desktop

import { spawn } from 'node:child_process';
import { pathToFileURL } from 'node:url';

const [module, chromium, folder, url, preset] = process.argv.slice(2);
const { default: lighthouse, desktopConfig } = await import(pathToFileURL(module));
const browser = spawn(chromium, ['--headless=new', '--no-sandbox', '--remote-debugging-port=0', `--user-data-dir=${folder}`, 'about:blank'], { stdio: ['ignore', 'ignore', 'pipe'] });
const ended = new Promise((resolve) => browser.on('exit', resolve));
try {
  const port = await new Promise((resolve, reject) => {
    let said = '';
    browser.stderr.on('data', (text) => {
      said += text;
      const found = /ws:\/\/[^/]*:(\d+)\//.exec(said);
      if (found) resolve(Number(found[1]));
    });
    browser.on('exit', () => reject(new Error(`the browser ended: ${said}`)));
  });
  const options = { port, logLevel: 'error', onlyCategories: ['performance', 'accessibility', 'best-practices'] };
  const { lhr, artifacts } = await lighthouse(url, options, preset === 'desktop' ? desktopConfig : undefined);
  const categories = Object.values(lhr.categories);
  const failed = categories.flatMap((c) => c.auditRefs.filter(({ id, weight }) => weight > 0 && lhr.audits[id].score !== null && lhr.audits[id].score < 0.9).map(({ id }) => `${id}: ${lhr.audits[id].displayValue ?? lhr.audits[id].title}`));
  const figures = Object.fromEntries(['first-contentful-paint', 'largest-contentful-paint', 'speed-index', 'total-blocking-time', 'cumulative-layout-shift'].map((id) => [id, Number(lhr.audits[id].numericValue.toPrecision(3))]));
  figures.processor = blocking(artifacts.Trace.traceEvents, url, preset === 'desktop' ? 1 : 4);
  console.log(JSON.stringify({ figures, machine: lhr.environment.benchmarkIndex, scores: Object.fromEntries(categories.map((c) => [c.id, Math.round(c.score * 100)])), failed }));
} finally {
  browser.kill();
  await ended;
}

// blocking returns the milliseconds by which tasks of the page's thread, on a slower processor, are longer than 50, after the first picture.
function blocking(events, url, slower) {
  const { pid, ts: start } = events.findLast((e) => e.name === 'navigationStart' && e.args.data?.documentLoaderURL === url);
  const { tid } = events.find((e) => e.pid === pid && e.name === 'thread_name' && e.args.name === 'CrRendererMain');
  const picture = events.find((e) => e.pid === pid && e.name === 'firstContentfulPaint' && e.ts >= start).ts;
  const tasks = events.filter((e) => e.pid === pid && e.tid === tid && e.ts >= picture && /^(ThreadControllerImpl::)?RunTask$/.test(e.name));
  return Math.round(tasks.reduce((sum, { tdur = 0 }) => sum + Math.max((tdur / 1000) * slower - 50, 0), 0));
}
