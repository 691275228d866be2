import { decodeName } from '../core/names.ts';

/** What editors leave beside a file, and what shells, git and programs that begin in a folder look for in it: none of it is a question. */
const PROBES = [
  /^\./,
  /^#.*#$/,
  /~$/,
  /\.sw[a-z]$/,
  /^kgraphfs\.(?:config|schema)\.[a-z]+$/,
  /^(?:HEAD|package\.json|node_modules|Makefile|makefile|GNUmakefile)$/,
];

/** Whether a file name below `search/` can be a query. */
export function isQueryName(name: string): boolean {
  return !PROBES.some((probe) => probe.test(name));
}

/** The query behind a file name: as names are everywhere, and escapes in small letters too. */
export function queryOf(name: string): string {
  return decodeName(name.replace(/%[0-9a-f]{2}/gi, (byte) => byte.toUpperCase()));
}
