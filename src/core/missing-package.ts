import { reasonOf } from './errors.ts';

/** What Node says where there is no such package, or where its compiled half is of another machine. */
const CODES: ReadonlySet<unknown> = new Set([
  'MODULE_NOT_FOUND',
  'ERR_MODULE_NOT_FOUND',
  'ERR_DLOPEN_FAILED',
]);

/** Why a package could not be loaded, in one line and with the way out; undefined for any other error. */
export function whyNotLoaded(error: unknown): string | undefined {
  if (!(error instanceof Error && 'code' in error)) return undefined;
  // Of system/koffi.ts, which has the way out in it, since others give its text as their reason.
  if (error.code === 'KOFFI_NOT_LOADED') return reasonOf(error);
  if (!CODES.has(error.code)) return undefined;
  // What follows says which files of ours asked for it.
  const [reason = ''] = reasonOf(error).split(/\n| imported from /);
  return `a package that kgraphfs needs cannot be loaded (${reason}): run "npm install", on this machine, in the folder of kgraphfs`;
}
