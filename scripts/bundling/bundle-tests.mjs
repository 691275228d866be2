/**
 * Bundles what compiled tests load: tap in one file, src in parts (bundle-parts.mjs). keep-test-code.mjs keeps the compiled code of both. Six hundred test files
 * load two hundred modules each, and Node takes longer to find, read and compile those than most of the tests run. Each module of src is replaced by one that
 * passes on what its part has of it. Only `make test` does this, with what it has just compiled: a test that is compiled and run by hand uses all modules, and the
 * places in them, unchanged.
 */
import { mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { AS_BUNDLE, zodInEnglish } from './as-bundle.mjs';
import { inAscii, requireAscii } from './ascii.mjs';
import { bundleParts } from './bundle-parts.mjs';
import { OUTSIDE } from './outside.mjs';
import { BUNDLES, WITH_IMPORTS } from './programs.mjs';

const fromHere = (path) => fileURLToPath(new URL(path, import.meta.url));
const SOURCE = fromHere('../../build/src/');
const PACKAGES = fromHere('../../build/test/node_modules/');
/** tap leaves what lies below @tapjs out of its stacks. */
const TAP = join(PACKAGES, '@tapjs/tap/');
const DIST = fromHere('../../dist/');
const LOADER = join(DIST, 'core/bundle.js');

const texts = new Map(
  readdirSync(SOURCE, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.js'))
    .map((name) => [join(SOURCE, name), readFileSync(join(SOURCE, name), 'utf8')]),
);

/** The modules that are not in the bundle: programs, which nothing imports; and modules that import a user's modules, with all that import them. */
function outsideOf(texts) {
  const imported = new Map(
    [...texts].map(([file, text]) => [
      file,
      [...text.matchAll(/(?:from |import |import\(\s*)'(\.[^']+)'/g)].map(([, path]) =>
        join(dirname(file), path),
      ),
    ]),
  );
  const anywhere = new Set([...imported.values()].flat());
  const outside = new Set([...texts.keys()].filter((file) => !anywhere.has(file)));
  for (const [file, text] of texts) if (/\bimport\((?!\s*['")])/.test(text)) outside.add(file);
  for (let count = 0; count !== outside.size; ) {
    count = outside.size;
    for (const [file, paths] of imported) if (paths.some((path) => outside.has(path))) outside.add(file);
  }
  return outside;
}

/** Tells modules of src that they are where they were before, and lets them find packages from there. */
const whereTheyWere = {
  name: 'where-they-were',
  setup({ onLoad }) {
    onLoad({ filter: /\.[cm]?js$/ }, ({ path }) => {
      const text = texts.get(path)?.replaceAll('import.meta.url', JSON.stringify(pathToFileURL(path).href));
      return { contents: inAscii(path, text ?? readFileSync(path, 'utf8')) };
    });
  },
};

const HOW = {
  ...AS_BUNDLE,
  legalComments: 'none',
  keepNames: true,
  // The plugin of zod is first, so that what it leaves out is not read.
  plugins: [zodInEnglish, whereTheyWere],
  metafile: true,
  logLevel: 'warning',
};

/** @param modules the modules of the bundle, by their names in it. @returns its loader, for `handOn` */
async function bundle(folder, modules, options) {
  const loads = [...modules].map(
    ([name, path]) => `${JSON.stringify(name)}: () => require(${JSON.stringify(path)})`,
  );
  const contents = `module.exports = { ${loads.join(',\n')} };`;
  await build({
    ...HOW,
    ...options,
    stdin: { contents, resolveDir: folder },
    outfile: join(folder, 'bundled.cjs'),
  });
  requireAscii(join(folder, 'bundled.cjs'));
  const loader = join(folder, 'bundled.js');
  writeFileSync(
    loader,
    `import { loadBundle } from ${JSON.stringify(pathBetween(folder, LOADER))};
const modules = loadBundle(new URL('./bundled.cjs', import.meta.url));
export const load = (name) => modules[name]();
`,
  );
  return loader;
}

/** Replaces a module. ECMAScript modules cannot be given compiled code, so each becomes one that takes its names from a script that can. */
function handOn(file, loader, name, exported) {
  const names = exported.map((name, index) => [name, `$${index}`]);
  writeFileSync(
    file,
    `import { load } from ${JSON.stringify(pathBetween(dirname(file), loader))};
const { ${names.map(([name, local]) => `${name}: ${local}`).join(', ')} } = load(${JSON.stringify(name)});
export { ${names.map(([name, local]) => `${local} as ${name}`).join(', ')} };
`,
  );
}

function pathBetween(folder, file) {
  const path = relative(folder, file);
  return path.startsWith('.') ? path : `./${path}`;
}

async function bundleSource() {
  const outside = outsideOf(texts);
  const files = [...texts.keys()].filter((file) => !outside.has(file));
  const { metafile } = await build({
    ...HOW,
    bundle: false,
    format: 'esm',
    absWorkingDir: SOURCE,
    entryPoints: files,
    outdir: '.',
    write: false,
  });
  const { loader, nameOf } = await bundleParts({
    how: { ...HOW, external: OUTSIDE },
    folder: SOURCE,
    files,
    bundleModule: pathBetween(SOURCE, LOADER),
  });
  for (const { entryPoint, exports } of Object.values(metafile.outputs)) {
    const file = join(SOURCE, entryPoint);
    handOn(file, loader, nameOf(file), exports);
  }
}

async function bundleTap() {
  // Otherwise this would be found as tap.
  rmSync(PACKAGES, { recursive: true, force: true });
  mkdirSync(TAP, { recursive: true });
  const loader = await bundle(TAP, new Map([['tap', 'tap']]), {});
  writeFileSync(join(TAP, 'package.json'), '{ "type": "module", "exports": "./index.js" }\n');
  const { metafile } = await build({
    ...HOW,
    format: 'esm',
    stdin: { contents: "export * from 'tap'; export { default } from 'tap';", resolveDir: TAP },
    outfile: 'index.js',
    write: false,
  });
  handOn(join(TAP, 'index.js'), loader, 'tap', Object.values(metafile.outputs)[0].exports);
  symlinkSync('@tapjs/tap', join(PACKAGES, 'tap'));
}

/**
 * Lets processes and threads that tests start run the shipped program. If they used the modules of the tests, a thread would load the whole bundle for the part
 * that it uses, and the process of a module, which is not bundled, hundreds of modules.
 */
function beginWhatIsShipped() {
  for (const program of [...Object.values(BUNDLES).flat(), WITH_IMPORTS]) {
    const file = join(SOURCE, `${program}.js`);
    writeFileSync(
      file,
      `import ${JSON.stringify(pathBetween(dirname(file), join(DIST, `${program}.js`)))};\n`,
    );
  }
}

await Promise.all([bundleSource(), bundleTap()]);
beginWhatIsShipped();
