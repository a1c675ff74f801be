#!/usr/bin/env node
// Holds OpenAPI documents to the schema of their version, as the npm package
// @seriousme/openapi-schema-validator has it: node openapi.mjs FILE... prints what is wrong with
// each, and exits with status 1 if anything is.

import { readFileSync } from 'node:fs';
import { Validator } from '@seriousme/openapi-schema-validator';

for (const file of process.argv.slice(2)) {
  const validator = new Validator();
  const result = await validator.validate(JSON.parse(readFileSync(file, 'utf8')));
  if (result.valid && validator.version === '3.1') {
    validator.resolveRefs(); // throws where a reference leads nowhere
    continue;
  }
  process.exitCode = 1;
  console.log(`${file}: OpenAPI ${validator.version}: ${JSON.stringify(result.errors, null, 1)}`);
}
