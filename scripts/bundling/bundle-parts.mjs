/**
 * Bundles modules in parts, one for each folder and one for each package, so that a process loads only the parts that it uses. Each module is in one part, so
 * there is one instance of it in a process. What lies in another part is asked for from the loader, by its name.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { build } from 'esbuild';
import { requireAscii } from './ascii.mjs';

/** Begins the names by which a part requires modules of others. */
const ELSEWHERE = 'part:';

/**
 * @param how options of esbuild
 * @param folder where the modules lie. The parts and the loader, `parts.js`, are written there
 * @param files the modules that the loader is to offer
 * @param bundleModule the path of `core/bundle.js` from the folder
 * @returns the loader, whose `load` returns what a module exports, and the names that it takes for them
 */
export async function bundleParts({ how, folder, files, bundleModule }) {
  const modules = await modulesOf(how, folder, files);
  const partOf = (file) => {
    const [, name] = /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(file) ?? [];
    return (name ?? join('src', dirname(relative(folder, file)))).replaceAll('/', '+');
  };
  const nameOf = (file) => `${partOf(file)}:${relative(folder, file)}`;
  /** The modules that others ask for, by their parts. */
  const offered = new Map([...modules.keys()].map((file) => [partOf(file), new Set()]));
  for (const file of files) offered.get(partOf(file)).add(file);
  for (const [file, { imports }] of modules) {
    for (const target of imports.values()) {
      if (partOf(target) !== partOf(file)) offered.get(partOf(target)).add(target);
    }
  }
  const place = join(folder, 'parts');
  mkdirSync(place, { recursive: true });
  const bundlePart = async ([part, offers]) => {
    const isElsewhere = (file) => file !== undefined && partOf(file) !== part;
    const loads = [...offers].map(
      (file) => `${JSON.stringify(nameOf(file))}: () => require(${JSON.stringify(file)})`,
    );
    const elsewhere = {
      name: 'elsewhere',
      setup({ onResolve }) {
        onResolve({ filter: /./ }, ({ importer, path }) => {
          const target = modules.get(importer)?.imports.get(path);
          return isElsewhere(target) ? { path: `${ELSEWHERE}${nameOf(target)}`, external: true } : undefined;
        });
      },
    };
    const { outputFiles, metafile } = await build({
      ...how,
      absWorkingDir: folder,
      plugins: [elsewhere, ...how.plugins],
      stdin: { contents: `module.exports = { ${loads.join(',\n')} };`, resolveDir: folder },
      write: false,
      outfile: join(place, `${part}.cjs`),
      metafile: true,
    });
    const twice = filesOf(metafile, folder).find(([file]) => isElsewhere(file));
    if (twice !== undefined) throw new Error(`${twice[0]} would be in ${part} as well`);
    const text = withoutDetours(outputFiles[0].text, (path) => modules.get(resolve(folder, path)).isEcma);
    writeFileSync(join(place, `${part}.cjs`), text);
    requireAscii(join(place, `${part}.cjs`));
  };
  await Promise.all([...offered].map(bundlePart));
  const loader = join(folder, 'parts.js');
  writeFileSync(loader, loaderText(bundleModule));
  return { loader, nameOf };
}

/** All modules, those of packages included, and to which files the names lead that they import. */
async function modulesOf(how, folder, files) {
  const { metafile } = await build({
    ...how,
    absWorkingDir: folder,
    stdin: {
      contents: files.map((file) => `require(${JSON.stringify(file)});`).join(''),
      resolveDir: folder,
    },
    write: false,
    outfile: 'all.cjs',
    metafile: true,
  });
  const targets = (imports) =>
    imports
      .filter(({ external, original }) => !external && original !== undefined)
      .map(({ original, path }) => [original, resolve(folder, path)]);
  return new Map(
    filesOf(metafile, folder).map(([file, { format, imports }]) => [
      file,
      { isEcma: format === 'esm', imports: new Map(targets(imports)) },
    ]),
  );
}

function filesOf(metafile, folder) {
  return Object.entries(metafile.inputs)
    .filter(([path]) => path !== '<stdin>')
    .map(([path, input]) => [resolve(folder, path), input]);
}

/**
 * esbuild cannot see that a module elsewhere is an ECMAScript module, and would take all of its exports for its default export. What such a module hands out is
 * a copy that asks the original by name for each value; the original does as well, and is several times as fast.
 */
function withoutDetours(text, isEcma) {
  return text
    .replace(/(__toESM\d*\(require\("part:[^:"]+:([^"]+)"\)),1\)/g, (whole, call, path) =>
      isEcma(path) ? `${call})` : whole,
    )
    .replace(
      'var __toCommonJS=mod=>__copyProps(__defProp({},"__esModule",{value:true}),mod);',
      'var __toCommonJS=mod=>__defProp(mod,"__esModule",{value:true});',
    );
}

function loaderText(bundleModule) {
  return `import { createRequire } from 'node:module';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { compileBundle } from ${JSON.stringify(bundleModule)};
const folder = fileURLToPath(new URL('./parts/', import.meta.url));
const requireOutside = createRequire(import.meta.url);
const parts = new Map();
const loaded = new Map();
function require(name) {
  return name.startsWith('${ELSEWHERE}') ? load(name.slice(${ELSEWHERE.length})) : requireOutside(name);
}
function partCalled(name) {
  const known = parts.get(name);
  if (known !== undefined) return known;
  const file = \`\${folder}\${name}.cjs\`;
  const module = { exports: {} };
  compileBundle(file).runInThisContext()(module, require, file, folder, pathToFileURL(file).href);
  parts.set(name, module.exports);
  return module.exports;
}
export function load(name) {
  const known = loaded.get(name);
  if (known !== undefined) return known;
  const exports = partCalled(name.slice(0, name.indexOf(':')))[name]();
  loaded.set(name, exports);
  return exports;
}
`;
}
