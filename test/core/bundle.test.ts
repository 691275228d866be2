import { execFileSync } from 'node:child_process';
import { truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import t, { type Test } from 'tap';
import { type Bundle, compileBundle, keptCodeFile, loadBundle } from '../../src/core/bundle.ts';

const [BEFORE, AFTER] = ['(function(module,require,__filename,__dirname,bundleUrl){', '})'];
const TEXT = `${BEFORE}
module.exports = {
  'some/program': async () => [require('node:path').basename(__filename), bundleUrl],
  'another/program': async () => require('./beside.json').answer,
};
${AFTER}`;

function bundleIn(t: Test): string {
  const folder = t.testdir({ 'beside.json': '{ "answer": 42 }', 'some-12345678.cjs': TEXT });
  return join(folder, 'some-12345678.cjs');
}

function resultOf(bundle: Bundle, program: string): Promise<unknown> | undefined {
  return new Map(Object.entries(bundle)).get(program)?.();
}

t.test('programs of a bundle are found by name, and find what lies beside it', async (t) => {
  const file = bundleIn(t);
  const url = pathToFileURL(file);
  const bundle = loadBundle(url);
  t.same(Object.keys(bundle), ['some/program', 'another/program']);
  t.same(await resultOf(bundle, 'some/program'), ['some-12345678.cjs', url.href]);
  t.equal(await resultOf(bundle, 'another/program'), 42);
});

const MODULE = new URL('../../src/core/bundle.js', import.meta.url).href;

/** In a process of its own: V8 compiles nothing twice in one. */
function printedBy(expression: string, file: string, ...flags: string[]): string {
  const script = `import { compileBundle, keptCodeFile } from '${MODULE}';
    const file = ${JSON.stringify(file)}; process.stdout.write(String(${expression}));`;
  return execFileSync(process.execPath, [...flags, '--input-type=module', '-e', script], {
    encoding: 'utf8',
  });
}

t.test('kept code is taken, and what is cut off is not', async (t) => {
  const file = bundleIn(t);
  const isRefused = () => printedBy('compileBundle(file).cachedDataRejected', file);
  t.equal(isRefused(), 'undefined', 'none is kept');
  writeFileSync(keptCodeFile(file), compileBundle(file).createCachedData());
  t.equal(isRefused(), 'false');
  truncateSync(keptCodeFile(file), 100);
  t.equal(isRefused(), 'true');
  t.equal(await resultOf(loadBundle(pathToFileURL(file)), 'another/program'), 42);
});

t.test('code is kept apart for each set of flags', async (t) => {
  const file = bundleIn(t);
  t.equal(printedBy('keptCodeFile(file)', file), keptCodeFile(file));
  t.not(printedBy('keptCodeFile(file)', file, '--max-lazy'), keptCodeFile(file));
});

t.test('what is wrong in a bundle is told with its file', async (t) => {
  const file = join(t.testdir({ 'broken.cjs': `${BEFORE}module.exports = {` }), 'broken.cjs');
  try {
    loadBundle(pathToFileURL(file));
    t.fail('it cannot be compiled');
  } catch (error) {
    t.match(error, { name: 'SyntaxError', stack: /broken\.cjs:/ });
  }
});

t.test('what is thrown in the first line of a bundle is told with its place there', async (t) => {
  const text = `${BEFORE}module.exports = { 'some/program': async () => { throw new Error('no'); } };${AFTER}`;
  const file = join(t.testdir({ 'throwing.cjs': text }), 'throwing.cjs');
  const bundle = loadBundle(pathToFileURL(file));
  try {
    await resultOf(bundle, 'some/program');
    t.fail('it throws');
  } catch (error) {
    t.match(error, { stack: new RegExp(`throwing\\.cjs:1:${text.indexOf('new Error') + 1}\\b`) });
  }
});
