/**
 * Where a compiled file of this program lies, from wherever it is asked for: bundling moves the code of other files, but not of this one.
 * @param path relative to the folder of compiled files, such as `cli/main.js`
 */
export function programFile(path: string): URL {
  return new URL(`../${path}`, import.meta.url);
}
