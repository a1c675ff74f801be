#!/usr/bin/env node
// Holds documents of SARIF 2.1.0 to the JSON schema of the standard, as the npm
// package @microsoft/jest-sarif has it: node sarif.mjs FILE... prints what is wrong
// with each, and exits with status 1 if anything is.

import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);

// The package exports no more than its matchers for Jest, so the schema is found
// beside them.
const schema = '@microsoft/jest-sarif/lib/schemas/sarif-2.1.0-rtm.5.json';

const Ajv = require('ajv');
const ajv = new Ajv({ schemaId: 'id', meta: false, format: 'full', allErrors: true });
ajv.addMetaSchema(require('ajv/lib/refs/json-schema-draft-04.json'));
const validate = ajv.compile(JSON.parse(readFileSync(require.resolve(schema), 'utf8')));

for (const file of process.argv.slice(2)) {
  if (validate(JSON.parse(readFileSync(file, 'utf8')))) {
    continue;
  }
  process.exitCode = 1;
  for (const err of validate.errors.slice(0, 10)) {
    console.log(`${file}: ${err.dataPath}: ${err.message}`);
  }
}
