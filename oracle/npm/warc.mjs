#!/usr/bin/env node
// Reads and writes web archives with the npm package warcio, for tests.
//
//   warc.mjs read FILE...   one JSON object a record: file, offset, length, version,
//                           header as pairs, size and SHA-256 of the block, and SHA-1
//                           of the payload where the record has one
//   warc.mjs index FILE...  the index in CDXJ
//   warc.mjs write FILE     reads records on standard input, one JSON object a line:
//                           version, type, url, date, header, statusline, http and
//                           payload in base64; and writes them as gzip members

import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { basename } from 'node:path';
import { createInterface } from 'node:readline';
import { CDXIndexer, WARCParser, WARCRecord, WARCSerializer } from 'warcio';

const hex = (algorithm, data) => createHash(algorithm).update(data).digest('hex');

// read prints the records of a file. It goes through it twice: what the block is
// cannot be seen any more once its HTTP header has been parsed.
async function read(file) {
  const records = [];
  for (const parseHttp of [false, true]) {
    const parser = new WARCParser(createReadStream(file), { keepHeadersCase: true, parseHttp });
    let n = 0;
    for await (const record of parser) {
      const data = await record.readFully(false);
      if (parseHttp) {
        if (record.httpHeaders) {
          records[n].payload = hex('sha1', data);
        }
      } else {
        await record.skipFully();
        records.push({
          file: basename(file),
          offset: parser.offset,
          version: record.warcHeaders.statusline,
          header: [...record.warcHeaders.headers],
          size: data.length,
          block: hex('sha256', data),
        });
      }
      n++;
    }
  }
  for (const record of records) {
    console.log(JSON.stringify(record));
  }
}

async function index(files) {
  const indexer = new CDXIndexer({ format: 'cdxj' });
  const sources = files.map((file) => ({ filename: basename(file), reader: createReadStream(file) }));
  await indexer.writeAll(sources, process.stdout);
}

async function write(file) {
  const out = createWriteStream(file);
  for await (const line of createInterface({ input: process.stdin })) {
    const { version, type, url, date, header, statusline, http, payload } = JSON.parse(line);
    const record = WARCRecord.create(
      { warcVersion: version, type, url, date, warcHeaders: header, statusline, httpHeaders: http },
      [Buffer.from(payload, 'base64')],
    );
    out.write(await WARCSerializer.serialize(record, { gzip: true, digest: { algo: 'sha-1', prefix: 'sha1:', base32: true } }));
  }
  await new Promise((resolve) => out.end(resolve));
}

const [verb, ...files] = process.argv.slice(2);
switch (verb) {
  case 'read':
    for (const file of files) {
      await read(file);
    }
    break;
  case 'index':
    await index(files);
    break;
  case 'write':
    await write(files[0]);
    break;
  default:
    console.error('usage: warc.mjs read|index FILE... or warc.mjs write FILE');
    process.exitCode = 2;
}
