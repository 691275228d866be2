import { whyMoved } from '../disk/unmoving-files.ts';
import { either } from '../text/either.ts';
import { printableName } from '../text/printable.ts';
import type { Command } from './command.ts';
import { findCommand } from './find-command.ts';
import { commandHelp, groupHelp, programHelp } from './help.ts';
import type { Io } from './io.ts';
import { didYouMean } from './near-names.ts';
import { parseArguments } from './parse-arguments.ts';
import { COMMANDS } from './registry.ts';
import { reportError } from './report-error.ts';
import { usageError } from './usage-error.ts';
import { verbsWithin } from './verbs-within.ts';

/**
 * Runs one command line.
 * @param tokens what follows the program's name
 * @returns the exit status: 0 done, 1 failed or nothing found, 2 wrong usage, 3 mount
 */
export async function runCommandLine(tokens: readonly string[], io: Io): Promise<number> {
  try {
    const status = await dispatch(tokens, io);
    const moved = whyMoved();
    return moved === undefined ? status : reportError(moved, io);
  } catch (error) {
    // A file that was written to while it was read may seem damaged or incomplete, so that is reported instead.
    return reportError(whyMoved() ?? error, io);
  }
}

async function dispatch(tokens: readonly string[], io: Io): Promise<number> {
  const found = findCommand(tokens, COMMANDS);
  const wantsHelp = asks(tokens, '--help', '-h');
  switch (found.kind) {
    case 'command':
      if (wantsHelp) return print(io, helpOf(found.command, found.verb, io));
      return found.command.run(await parseArguments({ ...found.command, verb: found.verb }, found.rest), io);
    case 'group':
      if (wantsHelp) return print(io, groupHelp(found.group, COMMANDS, io.out.style));
      throw incomplete(found.group, found.word);
    case 'unknown':
      // `help mount` is another way to say `mount --help`.
      if (found.word === 'help') return dispatch(['--help', ...withoutFirst(tokens, 'help')], io);
      if (found.word === 'version' && tokens.length === 1) return dispatch(['--version'], io);
      throw usageError(
        `unknown command ${found.word || '""'}${meantBy(found.word, found.next)}${ofMount(tokens)}`,
      );
    case 'nothing':
      return withoutCommand(tokens, wantsHelp, io);
  }
}

/** A clause for the end of an error message. @param word no verb begins with it */
function meantBy(word: string, next: string | undefined): string {
  if (next !== undefined && COMMANDS.some(({ verb }) => verb === next))
    return `; the command comes first: kgraphfs ${next} ${printableName(word)}`;
  const longer = verbsWithin([word, ...(next === undefined ? [] : [next])], COMMANDS);
  return longer.length > 0 ? `; did you mean ${either(longer)}?` : didYouMean(word, firstWords());
}

/** If our helper is not in /sbin, `mount -t fuse.kgraphfs DOCS POINT` makes mount.fuse3(8) call `kgraphfs DOCS POINT -o OPTIONS`. */
function ofMount(tokens: readonly string[]): string {
  if (!tokens[0]?.startsWith('/') || !tokens.includes('-o')) return '';
  return '; where mount(8) called this: as root, ln -s "$(command -v mount.fuse.kgraphfs)" /sbin/mount.fuse.kgraphfs';
}

function withoutFirst(tokens: readonly string[], word: string): string[] {
  const place = tokens.indexOf(word);
  return tokens.filter((_, index) => index !== place);
}

/** The help of a command. A group whose name is short for one of its commands has help of its own. */
function helpOf(command: Command, verb: string, { out }: Io): string {
  return verb === command.verb ? commandHelp(command, out.style) : groupHelp(verb, COMMANDS, out.style);
}

async function withoutCommand(tokens: readonly string[], wantsHelp: boolean, io: Io): Promise<number> {
  if (!wantsHelp && asks(tokens, '--version', '-V', '-v')) {
    const { VERSION } = await import('../core/version.ts');
    return print(io, `${VERSION}\n`);
  }
  if (!wantsHelp && tokens.length > 0) throw usageError(`"kgraphfs ${tokens.join(' ')}" names no command`);
  return print(io, programHelp(COMMANDS, io.out.style));
}

/** The error for a word that begins verbs, such as `vfs`, with no or a wrong second word. */
function incomplete(group: string, word: string | undefined): Error {
  const members = membersOf(group);
  if (word === undefined) return usageError(`${group} needs one of ${members.join(', ')}`, group);
  return usageError(`unknown command ${group} ${word}${didYouMean(word, members)}`, group);
}

/** The second words of a group's verbs. */
function membersOf(group: string): string[] {
  return COMMANDS.flatMap(({ verb }) => (verb.startsWith(`${group} `) ? verb.slice(group.length + 1) : []));
}

function firstWords(): string[] {
  return COMMANDS.map(({ verb }) => verb.replace(/ .*/, ''));
}

function asks(tokens: readonly string[], ...flags: readonly string[]): boolean {
  const end = tokens.indexOf('--');
  return tokens.slice(0, end === -1 ? tokens.length : end).some((token) => flags.includes(token));
}

function print(io: Io, text: string): number {
  io.out.write(text);
  return 0;
}
