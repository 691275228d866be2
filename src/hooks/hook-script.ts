import { type HookName, REFUSED } from './hook-names.ts';

/** Where a hook finds its project, relative to the top of the work tree. */
export interface HookPlace {
  /** The folder in which `kgraphfs` was run. */
  readonly folder: string;
  /** The options that it was given there, such as `--docs`, with paths relative to that folder. */
  readonly options: readonly string[];
  /** A folder without which the hook does nothing, for hooks that several repositories share. */
  readonly onlyWith?: string;
}

const BEGIN = '# >>> kgraphfs >>>';
const END = '# <<< kgraphfs <<<';
const OWN = '# This file was made by "kgraphfs hooks install".';
const SHEBANG = '#!/bin/sh';
const HEAD = `${SHEBANG}\n${OWN}\n`;

/** Settings of the repository by which its hooks find the program if it is at no usual path. */
export const PROGRAM_SETTING = 'kgraphfs.hook';
export const NODE_SETTING = 'kgraphfs.node';

/** The program of the hooks in an installed package. */
const PACKAGED = 'node_modules/kgraphfs/dist/hooks/hook-main.js';

/** The script of a hook without any other one. */
export function ownScript(name: HookName, place: HookPlace): string {
  return HEAD + block(name, place);
}

/** The script of a hook that goes on with another one, which lies beside it. */
export function chainingScript(name: HookName, place: HookPlace, savedName: string): string {
  const saved = `"$(dirname "$0")/${savedName}"`;
  return `${ownScript(name, place)}if [ -x ${saved} ]; then exec ${saved} "$@"; fi\n`;
}

/** Whether a hook consists of our part alone, with nothing added by others. */
export function isWhollyOwn(text: string): boolean {
  return withoutBlock(text) === HEAD || isChaining(text);
}

/** Whether a hook consists of our part alone, and goes on with another one. */
export function isChaining(text: string): boolean {
  const rest = withoutBlock(text);
  return (
    rest.startsWith(HEAD) && /^if \[ -x [^\n]* \]; then exec [^\n]*; fi\n$/.test(rest.slice(HEAD.length))
  );
}

/** Whether a hook contains a part of ours. */
export function hasBlock(text: string): boolean {
  return text.includes(`${BEGIN}\n`) && text.includes(`${END}\n`);
}

/**
 * The hook with our part before its own. Undefined if it is not written for the shell, as far as its first line shows.
 * @param isShell whether a shell runs it, whatever its first line says
 */
export function withBlock(
  text: string,
  name: HookName,
  place: HookPlace,
  isShell: boolean,
): string | undefined {
  const lineEnd = text.indexOf('\n') + 1;
  const hasShebang = text.startsWith('#!');
  if (hasShebang && (lineEnd === 0 || !SHELL.test(text.slice(0, lineEnd)))) return undefined;
  if (!hasShebang && !isShell) return undefined;
  const start = hasShebang ? lineEnd : 0;
  return text.slice(0, start) + block(name, place) + text.slice(start);
}

const SHELL = /^#!\s*(?:\/\S*\/)?(?:env\s+)?(?:\S*\/)?(?:sh|bash|dash|zsh|ksh)(?:\s+-\S+)*\s*$/;

/** The hook as it was before our part was added. */
export function withoutBlock(text: string): string {
  const start = text.indexOf(`${BEGIN}\n`);
  const end = text.indexOf(`${END}\n`, start);
  if (start === -1 || end === -1) return text;
  return text.slice(0, start) + text.slice(end + END.length + 1);
}

/**
 * The part that runs kgraphfs. It finds the program each time, so that the repository and `node_modules` may move; if it finds none, the commit goes through.
 * It works under `set -e` and `set -u`, and does not read the standard input.
 */
function block(name: HookName, { folder, options, onlyWith }: HookPlace): string {
  const words = ['--folder', folder === '' ? '.' : folder, ...options].map(quoted).join(' ');
  const inFolder = folder === '' ? [] : [quoted(`${folder}/${PACKAGED}`)];
  const guard = onlyWith === undefined ? '' : ` && [ -d ${quoted(onlyWith)} ]`;
  const isFirst = name === 'pre-commit';
  const missing = isFirst
    ? `    echo 'kgraphfs: not found, so the docs are not checked; "npm install" brings it back, "git config ${PROGRAM_SETTING} FILE" names it' >&2\n`
    : '    :\n';
  const refuse = isFirst ? `\n  if [ "$kgraphfs_status" = ${REFUSED} ]; then exit 1; fi` : '';
  return `${BEGIN}
# "kgraphfs hooks uninstall" takes this part out again. KGRAPHFS_SKIP_HOOKS=1 skips it.
if [ -z "\${KGRAPHFS_SKIP_HOOKS-}" ]${guard}; then
  kgraphfs_status=0
  kgraphfs_hook=$(git config --get ${PROGRAM_SETTING} || :)
  if [ ! -f "$kgraphfs_hook" ]; then
    kgraphfs_hook=
    for kgraphfs_file in ${[PACKAGED, ...inFolder].join(' ')} \\
      "$(dirname "$(readlink -f "$(command -v kgraphfs || :)" || :)")/../hooks/hook-main.js"; do
      if [ -z "$kgraphfs_hook" ] && [ -f "$kgraphfs_file" ]; then kgraphfs_hook=$kgraphfs_file; fi
    done
  fi
  kgraphfs_node=$(command -v node || git config --get ${NODE_SETTING} || :)
  if [ -n "$kgraphfs_hook" ] && [ -n "$kgraphfs_node" ]; then
    "$kgraphfs_node" --max-semi-space-size=32 "$kgraphfs_hook" ${name} ${words} -- "$@" </dev/null || kgraphfs_status=$?
  else
${missing}  fi${refuse}
fi
${END}
`;
}

function quoted(word: string): string {
  return `'${word.replaceAll("'", `'\\''`)}'`;
}
