/**
 * Bundles the compiled program into a few files: Node takes longer to find and read five hundred modules than most commands run. This is plain
 * JavaScript, since nothing is compiled before it that could run it.
 */
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { AS_BUNDLE, zodInEnglish } from './as-bundle.mjs';
import { inAscii, requireAscii } from './ascii.mjs';
import { OUTSIDE } from './outside.mjs';
import { BUNDLES, WITH_IMPORTS } from './programs.mjs';

const DIST = fileURLToPath(new URL('../../dist/', import.meta.url));

/** Only the parser of yargs is used. What else its helpers load determines languages and widths of characters before a command begins. */
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

const asciiOnly = {
  name: 'in-ascii',
  setup({ onLoad }) {
    onLoad({ filter: /\.[cm]?js$/ }, ({ path }) => ({ contents: inAscii(path, readFileSync(path, 'utf8')) }));
  },
};

const HOW = {
  absWorkingDir: DIST,
  bundle: true,
  platform: 'node',
  target: 'node20',
  minifySyntax: true,
  minifyWhitespace: true,
  legalComments: 'inline',
  sourcemap: true,
  sourcesContent: false,
  external: OUTSIDE,
  plugins: [zodInEnglish, parserOfYargs, asciiOnly],
  logLevel: 'warning',
};

/** @returns the file of the bundle, relative to DIST. Its name has a hash of its content */
async function bundle(name, programs) {
  const loads = programs.map((program) => `'${program}': () => import('./${program}.js')`);
  const { metafile } = await build({
    ...HOW,
    stdin: { contents: `module.exports = { ${loads.join(', ')} };`, resolveDir: DIST },
    outdir: '.',
    entryNames: `${name}-[hash]`,
    outExtension: { '.js': '.cjs' },
    ...AS_BUNDLE,
    metafile: true,
  });
  const file = basename(Object.keys(metafile.outputs).find((output) => output.endsWith('.cjs')));
  requireAscii(`${DIST}${file}`);
  return file;
}

/** Replaces the file that tsc wrote. */
function writeStart(program, bundleFile) {
  const file = `${DIST}${program}.js`;
  const hashbang = /^#!.*\n/.exec(readFileSync(file, 'utf8'))?.[0] ?? '';
  const up = posix.relative(posix.dirname(program), '.') || '.';
  writeFileSync(
    file,
    `${hashbang}import { loadBundle } from '${up}/core/bundle.js';
await loadBundle(new URL('${up}/${bundleFile}', import.meta.url))['${program}']();
`,
  );
}

for (const name of readdirSync(DIST)) {
  if (/-\w{8}\.(?:cjs|\d+\.code)/.test(name)) rmSync(`${DIST}${name}`);
}
const bundles = await Promise.all(
  Object.entries(BUNDLES).map(async ([name, programs]) => ({ file: await bundle(name, programs), programs })),
);
for (const { file, programs } of bundles) {
  for (const program of programs) {
    writeStart(program, file);
    // Otherwise each thread would look for them when it starts.
    rmSync(`${DIST}${program}.js.map`, { force: true });
  }
}
// CommonJS packages in the bundle require modules of Node.
const banner =
  "import{createRequire as requireOf}from'node:module';const require=requireOf(import.meta.url);";
await build({
  ...HOW,
  entryPoints: [`${WITH_IMPORTS}.js`],
  outfile: `${WITH_IMPORTS}.js`,
  allowOverwrite: true,
  format: 'esm',
  banner: { js: banner },
});
