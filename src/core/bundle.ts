import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { cachedDataVersionTag } from 'node:v8';
import vm from 'node:vm';

/** Programs of a bundle by the name of their file, such as `cli/main`. What one begins may go on after its promise. */
export type Bundle = Readonly<Record<string, () => Promise<unknown>>>;

/**
 * Loads a bundle that scripts/bundling/bundle.mjs made, a function of what it is given here, by the code that compile-ahead.mjs has kept of it. To compile
 * so much takes several times as long as what most commands do. Where no code is kept for this V8, the bundle is compiled as any other.
 * In a bundle there is no `import()`: V8 does not keep who imports for a script.
 * @throws what the bundle throws that cannot be read or compiled
 */
export function loadBundle(url: URL): Bundle {
  const file = fileURLToPath(url);
  const module: { exports: Bundle } = { exports: {} };
  const begin: (...values: unknown[]) => void = compileBundle(file).runInThisContext();
  begin(module, createRequire(file), file, dirname(file), url.href);
  return module.exports;
}

/** As `loadBundle`, without running anything of it. */
export function compileBundle(file: string): vm.Script {
  // ASCII, which is read in a tenth of the time that UTF-8 takes.
  const source = readFileSync(file, 'latin1');
  const cachedData = keptCode(file);
  return new vm.Script(source, { filename: file, ...(cachedData === undefined ? {} : { cachedData }) });
}

/**
 * Where the code of a bundle is kept for this process: in its name is what V8 takes it by, its version and flags. The name of a bundle has a hash of its
 * text, so what lies there is never of another one, which V8 would not see.
 */
export function keptCodeFile(file: string): string {
  return file.replace(/\.cjs$/, `.${cachedDataVersionTag()}.code`);
}

function keptCode(file: string): Buffer | undefined {
  try {
    return readFileSync(keptCodeFile(file));
  } catch {
    // Whatever keeps it from being read, nothing but time is lost.
    return undefined;
  }
}
