import { createRequire } from 'node:module';

type Koffi = typeof import('koffi')['default'];

/** A function of the C library. */
export type CFunction = ReturnType<ReturnType<Koffi['load']>['func']>;

let loaded: Koffi | undefined;

/**
 * The package that calls the C library, loaded by the first call: every command imports what needs it, few call it, and where it cannot be loaded
 * there is still something to be said.
 * @throws Error with the code `KOFFI_NOT_LOADED` and the way out, caused by that of `require`, where it is missing or of another machine
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

/** What follows says which files of ours asked for it. */
function firstLine(error: unknown): string {
  return String(error instanceof Error ? error.message : error).split('\n', 1)[0] ?? '';
}
