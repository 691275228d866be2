/**
 * Runs compiled tests that load most of what others do, and keeps the compiled code of the bundles of bundle-tests.mjs. It does so in two turns: some tests run
 * before better-sqlite3 is compiled, see needs-addon.ts.
 */
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const KEEP_CODE = new URL('keep-code.mjs', import.meta.url).href;
const USUAL_TESTS = {
  first: ['vfs/system-fs', 'resolvers/scratchpad', 'ingest/extract/endpoints', 'ingest/extract/events'],
  rest: ['app/open-app', 'resolvers/graph', 'memory/names'],
};

const fromHere = (path) => fileURLToPath(new URL(path, import.meta.url));

function run(...args) {
  // A failure in a test shows when all are run.
  spawnSync(process.execPath, ['--import', KEEP_CODE, ...args], { stdio: 'ignore' });
}

const turn = process.argv[2];
if (turn === 'first') run(fromHere('compile-bundles.mjs'), fromHere('../../build/src/parts/'));
for (const test of USUAL_TESTS[turn]) run(fromHere(`../../build/test/${test}.test.js`));
