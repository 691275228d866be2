/** Compiles what is compiled of each bundle on loading, and runs none of it: for `node --import ./keep-code.mjs`. */
import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { compileBundle } from '../../dist/core/bundle.js';

const DIST = fileURLToPath(new URL('../../dist/', import.meta.url));

for (const name of readdirSync(DIST)) {
  if (name.endsWith('.cjs')) compileBundle(`${DIST}${name}`);
}
