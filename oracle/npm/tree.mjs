#!/usr/bin/env node
// Reads pages with parse5, an HTML parser that builds the tree of the standard: one JSON
// object a line on standard input, {"html": text}, is answered by one line on standard
// output that lists what of the tree matters to robots, each thing with the offset of its
// tag in the text:
//
//   {"metas": [[offset, content]], "links": [[offset, element, address]], "canonicals": [[offset, address]], "base": address}
//
// Scripts do not run. What is in a template is not listed.

import { createInterface } from 'node:readline';
import { createRequire } from 'node:module';

const { parse } = createRequire(import.meta.url)('parse5');

const html = 'http://www.w3.org/1999/xhtml';
const svg = 'http://www.w3.org/2000/svg';

// attribute returns the value of an attribute, or undefined.
function attribute(node, name) {
  return node.attrs.find((a) => (a.prefix ? `${a.prefix}:${a.name}` : a.name) === name)?.value;
}

// look adds what one element says.
function look(node, found) {
  const at = node.sourceCodeLocation?.startOffset;
  if (at === undefined) {
    return; // a copy that the adoption agency algorithm has made of an element
  }
  if (node.namespaceURI === svg && node.tagName === 'a') {
    found.links.push([at, 'a', attribute(node, 'href') ?? attribute(node, 'xlink:href') ?? '']);
  }
  if (node.namespaceURI !== html) {
    return;
  }
  const href = attribute(node, 'href') ?? '';
  switch (node.tagName) {
    case 'meta':
      if (attribute(node, 'name')?.trim().toLowerCase() === 'robots') {
        found.metas.push([at, attribute(node, 'content') ?? '']);
      }
      break;
    case 'base':
      found.base ||= href.trim();
      break;
    case 'link':
      if ((attribute(node, 'rel') ?? '').toLowerCase().split(/[\t\n\f\r ]+/).includes('canonical') && inHead(node)) {
        found.canonicals.push([at, href]);
      }
      found.links.push([at, 'link', href]);
      break;
    case 'a':
    case 'area':
      found.links.push([at, node.tagName, href]);
      break;
    case 'frame':
    case 'iframe':
      found.links.push([at, node.tagName, attribute(node, 'src') ?? '']);
  }
}

// inHead reports whether an element is in the head of the page.
function inHead(node) {
  for (let n = node; n; n = n.parentNode) {
    if (n.tagName === 'head') {
      return true;
    }
  }
  return false;
}

for await (const line of createInterface({ input: process.stdin, crlfDelay: Infinity })) {
  const found = { metas: [], links: [], canonicals: [], base: '' };
  const nodes = [parse(JSON.parse(line).html, { scriptingEnabled: false, sourceCodeLocationInfo: true })];
  while (nodes.length > 0) {
    const node = nodes.pop();
    if (node.tagName) {
      look(node, found);
    }
    nodes.push(...(node.childNodes ?? []).toReversed()); // not what is in a template
  }
  process.stdout.write(JSON.stringify(found) + '\n');
}
