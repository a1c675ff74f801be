#!/usr/bin/env node
// Answers a query with DuckDB, for tests: reads SQL on standard input, and prints one
// JSON object a row. Names of files in the query are relative to the current folder.

import { readFileSync } from 'node:fs';
import { DuckDBInstance } from '@duckdb/node-api';

const connection = await (await DuckDBInstance.create(':memory:')).connect();
const reader = await connection.runAndReadAll(readFileSync(0, 'utf8'));
for (const row of reader.getRowObjectsJson()) {
  console.log(JSON.stringify(row));
}
