import { decodeName } from '../core/names.ts';

/** Names that are never questions: files that editors leave beside another one, and those that shells, git and other programs look for in a folder. */
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

/** The query that a file name stands for. Names are encoded as everywhere; here escapes may also have small letters. */
export function queryOf(name: string): string {
  return decodeName(name.replace(/%[0-9a-f]{2}/gi, (byte) => byte.toUpperCase()));
}
