import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { cachedDataVersionTag } from 'node:v8';
import vm from 'node:vm';

/** The programs of a bundle by file name, such as `cli/main`. A program may go on running after its promise has settled. */
export type Bundle = Readonly<Record<string, () => Promise<unknown>>>;

/**
 * Loads a bundle that scripts/bundling/bundle.mjs made. If compile-ahead.mjs has kept compiled code of it for this V8, that is used: compiling the
 * whole bundle takes several times as long as most commands do. Otherwise it is compiled like any other script.
 * There is no `import()` in a bundle, since V8 does not keep for a script who imports.
 * @throws if the bundle cannot be read or compiled, and whatever it throws itself
 */
export function loadBundle(url: URL): Bundle {
  const file = fileURLToPath(url);
  const module: { exports: Bundle } = { exports: {} };
  const begin: (...values: unknown[]) => void = compileBundle(file).runInThisContext();
  begin(module, createRequire(file), file, dirname(file), url.href);
  return module.exports;
}

/** Compiles a bundle as `loadBundle` does, without running it. */
export function compileBundle(file: string): vm.Script {
  // The bundle is pure ASCII. Read as such, it takes a tenth of the time that UTF-8 takes.
  const source = readFileSync(file, 'latin1');
  const cachedData = keptCode(file);
  return new vm.Script(source, { filename: file, ...(cachedData === undefined ? {} : { cachedData }) });
}

/**
 * The file with the compiled code of a bundle. Its name has the tag of V8's version and flags, without which V8 would reject the code. The
 * bundle's own name has a hash of its text, so the code can never belong to another text, which V8 would not notice.
 */
export function keptCodeFile(file: string): string {
  return file.replace(/\.cjs$/, `.${cachedDataVersionTag()}.code`);
}

function keptCode(file: string): Buffer | undefined {
  try {
    return readFileSync(keptCodeFile(file));
  } catch {
    // Whatever the reason, without the code only time is lost.
    return undefined;
  }
}
