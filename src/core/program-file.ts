/**
 * Where a compiled file of this program lies, whoever asks: code is moved by bundling, and this file is left where it is.
 * @param path from the folder of all compiled files, as `cli/main.js`
 */
export function programFile(path: string): URL {
  return new URL(`../${path}`, import.meta.url);
}
