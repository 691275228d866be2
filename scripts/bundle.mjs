/**
 * Puts the compiled program together from a few dozen files: Node takes longer to find and read five hundred modules than most commands run. Plain
 * JavaScript, since nothing is compiled before it that could run it.
 */
import { readdirSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const DIST = fileURLToPath(new URL('../dist/', import.meta.url));

/** What has native code, and what is large and seldom used. */
const OUTSIDE = ['better-sqlite3', 'koffi', 'fuse-native', 'sqlite-vec', 'gpt-tokenizer', 'openai'];

/** zod says what is wrong in sixty languages, and nobody asks it for another one: they are half of it. */
const zodInEnglish = {
  name: 'zod-in-english',
  setup({ onLoad }) {
    const contents = "export { default as en } from './en.js';";
    onLoad({ filter: /\/zod\/v4\/locales\/index\.js$/ }, () => ({ contents }));
  },
};

/** Of yargs its parser is used: whatever else its helpers load asks for languages and widths of characters before a command begins. */
const parserOfYargs = {
  name: 'parser-of-yargs',
  setup({ onLoad }) {
    const contents = "export { default as Parser } from 'yargs-parser';";
    onLoad({ filter: /\/yargs\/helpers\/helpers\.mjs$/ }, ({ path }) => ({
      contents,
      resolveDir: dirname(path),
    }));
  },
};

const FORM = {
  absWorkingDir: DIST,
  platform: 'node',
  format: 'esm',
  target: 'node20',
  legalComments: 'inline',
  logLevel: 'warning',
  allowOverwrite: true,
};

/** @param external what is left outside besides, as it is written where it is imported */
function bundle(entryPoints, outdir, external = [], options = {}) {
  return build({
    ...FORM,
    entryPoints,
    outdir,
    bundle: true,
    minifySyntax: true,
    minifyWhitespace: true,
    sourcemap: true,
    sourcesContent: false,
    external: [...OUTSIDE, ...external],
    plugins: [zodInEnglish, parserOfYargs],
    // CommonJS packages within ask for modules of Node.
    banner: {
      js: "import{createRequire as requireOf}from'node:module';const require=requireOf(import.meta.url);",
    },
    ...options,
  });
}

/** Programs whose files share what they have in common, in files of the name and a hash. */
function bundleTogether(name, entryPoints, external) {
  const parts = { splitting: true, outbase: '.', chunkNames: `${name}-[hash]` };
  return bundle(entryPoints, '.', external, parts);
}

for (const name of readdirSync(DIST))
  if (/^(?:part|daemon|thread)-\w+\.js/.test(name)) rmSync(`${DIST}${name}`);

// These are waited for at each press of a key, or for one answer: one file each, and what they seldom need is what the others have.
await bundle(['cli/completion/names.js'], 'cli/completion');
await bundle(['cli/quick-ask.js'], 'cli', [
  './app/app.js',
  './app/schema-settings.js',
  './cli/embeddings.js',
  './config/modules.js',
  './config/settings.js',
  './config/user-config.js',
  './ingest/held-search.js',
  './ingest/indexer.js',
  './modules/module-folders.js',
  './modules/modules.js',
  './mount/ask-mount.js',
]);
// Read whole before anything is answered: names of variables are a quarter of it.
await build({ ...FORM, entryPoints: ['cli/quick-ask.js'], outfile: 'cli/quick-ask.js', minify: true });
rmSync(`${DIST}cli/quick-ask.js.map`);

// Commands share what they load, in parts of any number. A daemon and its threads load nearly all that they have, which is read in fewer files when
// it is not cut where others share it.
await bundleTogether(
  'part',
  ['cli/main.js', 'cli/mount-helper.js', 'hooks/hook-main.js'],
  ['./quick-ask.js', './completion/names.js'],
);
await bundleTogether('daemon', ['cli/mount/daemon-main.js']);
await bundleTogether('thread', [
  'app/contexts/context-worker.js',
  'app/threads/commit-worker.js',
  'app/threads/slow-worker.js',
  'app/vectors/vectors-worker.js',
  'ingest/ingest-worker.js',
  'ingest/reader-worker.js',
  'modules/module-worker.js',
]);
