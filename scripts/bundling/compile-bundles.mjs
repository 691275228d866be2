/** Compiles what is compiled of each bundle in a folder on loading, and runs none of it: for `node --import ./keep-code.mjs`. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { compileBundle } from '../../dist/core/bundle.js';

const folder = process.argv[2];

for (const name of readdirSync(folder)) {
  if (name.endsWith('.cjs')) compileBundle(join(folder, name));
}
