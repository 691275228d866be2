import { PRIVATE_FILE_MODE } from '../core/file-modes.ts';
import { baseName } from '../core/paths.ts';

/** What distinguishes a memory from a temporary file of an editor, besides the name. */
export interface FileTraits {
  /** Permission bits that it was made with. */
  readonly mode: number;
  readonly sizeBytes: number;
}

/** The traits of something that is not there yet, as for rename(2): nothing but the name counts. */
export const NAME_ALONE: FileTraits = { mode: 0, sizeBytes: 1 };

/** Names that only programs give to files. */
const TEMPORARY_NAMES: readonly RegExp[] = [
  // Hidden files: vim's .refunds.swp, emacs's .#refunds, rsync's .refunds.Xy12Zw, gedit's .goutputstream-ABC123
  /^\./,
  // emacs autosaves
  /^#.*#$/s,
  // Backups, and names such as refunds~tmp and refunds.txt~1; not cost~estimate
  /^.+~(?:tmp|temp|bak|old|new|\d*)$/is,
  /\.(?:swp|swo|swx|tmp|bak|part|orig)$/i,
  // refunds.tmp.4711.1733
  /\.tmp[.-][\w.-]+$/i,
  // JetBrains' ___jb_tmp___ and ___jb_old___
  /___jb_\w+___$/,
];

/**
 * Names that mkstemp(3) makes: sedAb12Cd, tmpx1k_93ab, tmp.Ab12Cd34Ef, perl's XXaBJ4dj. A name alone is weak evidence, so the mode that mkstemp gives
 * has to agree.
 */
const MADE_BY_MKSTEMP =
  /^(?:sed|tmp\.)(?=[a-z]*[A-Z\d])[A-Za-z\d]{6,10}$|^XX[A-Za-z\d]{6}$|^tmp(?=[a-z_]*\d)[a-z\d_]{8}$/;
/** One in two hundred of sed's names consists of small letters alone. */
const MAYBE_OF_SED = /^sed[a-z]{6}$/;
/** vim finds out whether it may write in a folder by making an empty file 4913, or the next number that is free. */
const PROBE = /^\d+$/;

/**
 * Whether a key names a temporary file of an editor or a tool rather than a memory: a temporary, backup, swap or probe file, or anything in a folder
 * with such a name. Such files stay as long as they are needed, but are neither listed as memories nor searched.
 */
export function isTemporaryKey(key: string, traits: FileTraits): boolean {
  const parts = key.split('/');
  const name = parts.at(-1) ?? '';
  return (
    parts.some((part) => TEMPORARY_NAMES.some((pattern) => pattern.test(part))) ||
    (traits.mode === PRIVATE_FILE_MODE && MADE_BY_MKSTEMP.test(name)) ||
    (traits.sizeBytes === 0 && isProbeKey(key))
  );
}

/** Whether a name is that of a temporary file only while the file is empty. */
export function isProbeKey(key: string): boolean {
  return PROBE.test(baseName(key));
}

/** Whether a file that counts as a memory may yet be a temporary one: that shows when it is renamed over a memory. */
export function mayBeTemporaryName(name: string): boolean {
  return MAYBE_OF_SED.test(name);
}
