import { resolve } from 'node:path';
import { didYouMean } from '../near-names.ts';
import { usageError } from '../usage-error.ts';

/** What mount(8) asks its helper to do. */
export interface HelperCall {
  /** The command line of `kgraphfs` that does it. */
  readonly tokens: readonly string[];
  /** The docs folder. Like the mount point, an absolute path. */
  readonly docs: string;
  readonly point: string;
  /** The user who runs the daemon; undefined for the caller. */
  readonly user: string | undefined;
  readonly isReadOnly: boolean;
  /** Whether other users may use the mount. */
  readonly letsOthersIn: boolean;
  /** Whether to check everything and do nothing. */
  readonly isFake: boolean;
  readonly isVerbose: boolean;
}

/** Options with a value, and the flags of `kgraphfs mount` that they stand for. */
const VALUES: ReadonlyMap<string, string> = new Map([
  ['docs', '--docs'],
  ['state', '--state'],
  ['config', '--config'],
  ['driver', '--driver'],
  ['audit', '--audit'],
  ['session', '--session'],
]);
/** Options whose values are paths. They are made absolute, since the daemon has another working folder. */
const PATHS = new Set(['docs', 'state', 'config']);

const SWITCHES: ReadonlyMap<string, string> = new Map([
  ['allow_other', '--allow-other'],
  ['wait', '--wait'],
]);

/**
 * Options that are for mount(8), fstab(5) or systemd, or that every mount of ours has anyway. `exec`, `noexec`, `atime` and the
 * like change nothing here.
 */
const GENERIC = new Set(
  (
    'defaults rw auto noauto user users nouser owner group exec noexec suid nosuid dev nodev async sync dirsync atime noatime diratime ' +
    'nodiratime relatime norelatime strictatime nostrictatime lazytime nolazytime mand nomand iversion noiversion silent loud nofail ' +
    '_netdev default_permissions auto_unmount nonempty symfollow nosymfollow bg fg retry'
  ).split(' '),
);
const GENERIC_WITH_VALUE = /^(?:x-|X-|uhelper=|helper=|user=|comment=|comment$|fsname=|subtype=|max_read=)/;

const FLAG_WITH_VALUE = new RegExp(
  `--(${[...VALUES.keys()].join('|')})(?:[ =]((?:[/~.]|linux|fuse-native|on\\b|off\\b)[^\\s,;:)]*))?(?![\\w-])`,
  'g',
);

/** Rewrites a message about flags of `kgraphfs mount` in terms of the helper's options. Command lines in the message stay as they are. */
export function inHelperWords(message: string): string {
  return message
    .split(/(kgraphfs [a-z][^;"\n]*)/)
    .map((part, index) => (index % 2 === 1 ? part : optionsOf(part)))
    .join('');
}

function optionsOf(text: string): string {
  let told = text.replace(FLAG_WITH_VALUE, (_, name: string, value = '…') => `-o ${name}=${value}`);
  for (const [name, flag] of SWITCHES) told = told.replaceAll(flag, `-o ${name}`);
  return told;
}

/** Names that fstab(5) has as a source if there is no device. */
const NO_SOURCE = new Set(['none', 'kgraphfs']);

interface Words {
  readonly positionals: readonly string[];
  readonly options: readonly string[];
  readonly letters: string;
}

/**
 * Reads `SOURCE POINT [-sfnvrwi] [-t TYPE] [-N NAMESPACE] [-o OPTIONS]`, as mount(8) and mount.fuse3(8) call their helpers.
 * @param workingFolder where relative paths begin
 * @throws UserError of status 2 if the arguments are no such call
 */
export function parseHelperCall(args: readonly string[], workingFolder: string): HelperCall {
  const { positionals, options, letters } = wordsOf(args);
  const [source, point, ...more] = positionals;
  if (source === undefined || point === undefined || more.length > 0) {
    throw usageError('a mount helper takes SOURCE POINT [-o OPTIONS]', 'mount');
  }
  const call: Asked = {
    flags: new Map(NO_SOURCE.has(source) ? [] : [['--docs', resolve(workingFolder, source)]]),
    user: undefined,
    isReadOnly: letters.includes('r'),
  };
  for (const option of options) takeOption(call, option, workingFolder, letters.includes('s'));
  const { flags, user, isReadOnly } = call;
  const docs = flags.get('--docs');
  if (docs === undefined)
    throw usageError('SOURCE is the docs folder; or it is named by -o docs=DIR', 'mount');
  if (isReadOnly) flags.set('--read-only', undefined);
  const path = resolve(workingFolder, point);
  const tokens = Array.from(flags, ([flag, value]) => (value === undefined ? flag : `${flag}=${value}`));
  return {
    tokens: ['mount', ...tokens, '--', path],
    docs,
    point: path,
    user,
    isReadOnly,
    letsOthersIn: flags.has('--allow-other'),
    isFake: letters.includes('f'),
    isVerbose: letters.includes('v'),
  };
}

/** What the options have asked for so far. */
interface Asked {
  /** The flags of `kgraphfs mount`, each with its value if it has one. */
  readonly flags: Map<string, string | undefined>;
  user: string | undefined;
  isReadOnly: boolean;
}

/** @param isSloppy whether options that nobody knows are passed over. @throws UserError */
function takeOption(asked: Asked, option: string, workingFolder: string, isSloppy: boolean): void {
  if (option === 'remount') {
    throw usageError(
      'a mount of kgraphfs is not changed while it is there; unmount it, then mount it with other options',
      'mount',
    );
  }
  const [name = '', value] = split(option);
  const [valueFlag, switchFlag] = [VALUES.get(name), SWITCHES.get(name)];
  if (name === 'setuid' && value) asked.user = value;
  else if (name === 'ro' || name === 'rw') asked.isReadOnly = name === 'ro';
  else if (valueFlag !== undefined && value) asked.flags.set(valueFlag, pathOr(name, value, workingFolder));
  else if (switchFlag !== undefined && value === undefined) asked.flags.set(switchFlag, undefined);
  else if (!isGeneric(option) && !isSloppy) throw unknownOption(option, name);
}

function wordsOf(args: readonly string[]): Words {
  const positionals: string[] = [];
  const options: string[] = [];
  let letters = '';
  const rest = [...args];
  for (let word = rest.shift(); word !== undefined; word = rest.shift()) {
    if (/^-[sfnvrwi]+$/.test(word)) letters += word.slice(1);
    else if (word === '-t' || word === '-N') rest.shift();
    else if (word === '-o') options.push(...commaSeparated(rest.shift() ?? ''));
    else if (word.startsWith('-o')) options.push(...commaSeparated(word.slice(2)));
    else if (word.startsWith('-')) throw usageError(`unknown option ${word} of a mount helper`, 'mount');
    else positionals.push(word);
  }
  return { positionals, options, letters };
}

function commaSeparated(text: string): string[] {
  return text.split(',').filter((option) => option !== '');
}

function split(option: string): [string, string?] {
  const at = option.indexOf('=');
  return at === -1 ? [option] : [option.slice(0, at), option.slice(at + 1)];
}

function pathOr(name: string, value: string, workingFolder: string): string {
  return PATHS.has(name) ? resolve(workingFolder, value) : value;
}

function isGeneric(option: string): boolean {
  return GENERIC.has(option) || GENERIC_WITH_VALUE.test(option);
}

function unknownOption(option: string, name: string): Error {
  const known = ['setuid', 'ro', ...VALUES.keys(), ...SWITCHES.keys()];
  if (known.includes(name)) {
    return usageError(
      `-o ${option}: ${name} takes ${VALUES.has(name) || name === 'setuid' ? 'a' : 'no'} value`,
      'mount',
    );
  }
  return usageError(`unknown mount option ${option}${didYouMean(name, known)}`, 'mount');
}
