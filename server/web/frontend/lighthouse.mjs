// Runs Lighthouse on a page with a Chromium of its own, and prints the points, and the audits that failed: node lighthouse.mjs MODULE CHROMIUM
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
  const { lhr } = await lighthouse(url, options, preset === 'desktop' ? desktopConfig : undefined);
  const categories = Object.values(lhr.categories);
  const failed = categories.flatMap((c) => c.auditRefs.filter(({ id, weight }) => weight > 0 && lhr.audits[id].score !== null && lhr.audits[id].score < 0.9).map(({ id }) => `${id}: ${lhr.audits[id].displayValue ?? lhr.audits[id].title}`));
  console.log(JSON.stringify({ scores: Object.fromEntries(categories.map((c) => [c.id, Math.round(c.score * 100)])), failed }));
} finally {
  browser.kill();
  await ended;
}
