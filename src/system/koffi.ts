import { createRequire } from 'node:module';

type Koffi = typeof import('koffi')['default'];

/** A function of the C library. */
export type CFunction = ReturnType<ReturnType<Koffi['load']>['func']>;

let loaded: Koffi | undefined;

/**
 * The package that calls the C library. It is loaded at the first call: every command imports code that needs it, few commands call it, and if it cannot be
 * loaded, commands still have something to say.
 * @throws Error with the code `KOFFI_NOT_LOADED` and the way out if it is missing or made for another machine; its cause is the error of `require`
 */
export function koffi(): Koffi {
  if (loaded !== undefined) return loaded;
  try {
    const required: Koffi = createRequire(import.meta.url)('koffi');
    loaded = required;
    return required;
  } catch (cause) {
    const wayOut = 'run "npm install", on this machine, in the folder of kgraphfs';
    const error = new Error(`koffi cannot be loaded (${firstLine(cause)}): ${wayOut}`, { cause });
    throw Object.assign(error, { code: 'KOFFI_NOT_LOADED' });
  }
}

/** Whether calls cost no more than themselves: loading the package takes longer than many a command. */
export function isKoffiLoaded(): boolean {
  return loaded !== undefined;
}

/** The lines after the first one only name the files that required the package. */
function firstLine(error: unknown): string {
  return String(error instanceof Error ? error.message : error).split('\n', 1)[0] ?? '';
}
