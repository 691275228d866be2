/** The words of a command line as a shell would pass them, where nothing but double quotes is special. */
export function shellWords(line: string): string[] {
  return Array.from(line.matchAll(/"([^"]*)"|(\S+)/g), ([, quoted, plain]) => quoted ?? plain ?? '');
}
