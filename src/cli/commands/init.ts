import { existsSync, lstatSync, readFileSync, statSync } from 'node:fs';
import { dirname, isAbsolute, join, relative, resolve } from 'node:path';
import { CONFIG_FILE_NAME } from '../../config/config-file.ts';
import { isFolder, whyNoFolder } from '../../config/docs-roots.ts';
import type { Config } from '../../config/schema.ts';
import { EXIT, reasonOf, UserError } from '../../core/errors.ts';
import { jsonText } from '../../core/json-text.ts';
import { writeWholeFile } from '../../disk/whole-file.ts';
import { counted } from '../../text/counted.ts';
import { printable } from '../../text/printable.ts';
import { defineCommand } from '../command.ts';
import { countDocuments, docsCandidates } from '../docs-candidates.ts';
import { type Io, writeJson } from '../io.ts';
import { canAsk, Questions } from '../questions.ts';
import { usageError } from '../usage-error.ts';

const IGNORE_FILE_NAME = '.gitignore';

export const init = defineCommand({
  verb: 'init',
  summary: 'write a config file, after asking where the docs are',
  details:
    'Writes kgraphfs.config.json, or the file that --config names, in the current folder. On a terminal, the command asks for\n' +
    'everything that no flag says; with --yes it takes the likeliest answers. An existing file is only replaced with --force. The guide\n' +
    'says what else the file may hold.',
  positionals: {},
  options: {
    yes: { type: 'boolean', short: 'y', summary: 'ask nothing: take the likeliest docs folder' },
    force: { type: 'boolean', summary: 'replace an existing config file' },
    gitignore: {
      type: 'boolean',
      summary: 'add the state folder to .gitignore (it also has one of its own)',
    },
  },
  example: 'kgraphfs init --yes --docs docs/sample',
  async run(args, io) {
    const folder = io.workingFolder();
    const file = resolve(folder, args.config ?? CONFIG_FILE_NAME);
    if (!isFolder(dirname(file)))
      throw new UserError(`${dirname(file)}: ${whyNoFolder(dirname(file))} (--config)`);
    const isThere = existsSync(file);
    const questions = !args.yes && canAsk(io) ? new Questions(io) : undefined;
    try {
      if (isThere && !args.force) await replaceOnlyIfWanted(file, questions);
      refuseMissing(args.docs, folder);
      const docs =
        args.docs.length > 0 ? args.docs : await chosenDocs(folder, args.yes ?? false, questions, io);
      const config = configOf({ docs, state: args.state, folder, base: dirname(file) });
      const { settle } = await import('../../config/settle.ts');
      const settings = settle({}, folder, { file, config });
      const isIgnored = args.gitignore ?? (await isToBeIgnored(folder, questions));
      if (isIgnored) refuseLinkedIgnoreFile(folder);
      writeConfig(file, config);
      const ignored = isIgnored ? await ignore(folder, settings.state) : undefined;
      const documents = settings.selection.folders.reduce(
        (sum, root) => sum + countDocuments(root.folder),
        0,
      );
      if (args.json) {
        const roots = settings.selection.folders.map((root) => root.folder);
        writeJson(io.out, {
          config_file: file,
          docs: roots,
          state_dir: settings.state,
          gitignore: ignored ?? null,
        });
        return 0;
      }
      io.out.write(`${isThere ? 'replaced' : 'wrote'} ${file}: docs ${docs.join(', ')}\n`);
      if (ignored !== undefined) io.out.write(`added the state folder to ${ignored}\n`);
      const named = args.config === undefined ? '' : ` --config ${printable(args.config)}`;
      io.out.write(`next: "kgraphfs build${named}", then "kgraphfs mount ~/ctx${named}"\n`);
      if (documents === 0)
        io.err.write(`${io.err.style('yellow', 'there is no markdown')} in ${docs.join(', ')} yet\n`);
      return 0;
    } finally {
      questions?.close();
    }
  },
});

/** Refuses docs that do not exist. Nothing is written yet, and there is no config file to blame. @throws UserError */
function refuseMissing(docs: readonly string[], folder: string): void {
  const missing = docs.map((path) => resolve(folder, path)).find((path) => !isFolder(path));
  if (missing === undefined) return;
  throw new UserError(`${missing}: ${whyNoFolder(missing)} (--docs)`);
}

async function replaceOnlyIfWanted(file: string, questions: Questions | undefined): Promise<void> {
  if (await questions?.isYes(`${file} is there already. Replace it?`, { usual: 'no' })) return;
  throw new UserError(`${file} is there already, and stays as it is; --force replaces it`);
}

async function chosenDocs(
  folder: string,
  isYes: boolean,
  questions: Questions | undefined,
  io: Io,
): Promise<readonly string[]> {
  const candidates = docsCandidates(folder);
  const likeliest = candidates[0]?.path ?? '.';
  if (isYes) return [likeliest];
  if (questions === undefined)
    throw usageError(
      'there is no terminal to ask on; give --docs DIR, or --yes to take the likeliest folder',
      'init',
    );
  for (const { path, documents } of candidates) {
    io.err.write(`  ${path === '.' ? 'this folder' : path}: ${counted(documents, 'markdown file')}\n`);
  }
  for (;;) {
    const answer = await questions.text('Which folder holds the docs?', likeliest);
    if (statSync(resolve(folder, answer), { throwIfNoEntry: false })?.isDirectory()) return [answer];
    io.err.write(`there is no folder ${answer}\n`);
    if (answer === likeliest) throw new UserError(`${answer}: there is no such folder`);
  }
}

interface Chosen {
  readonly docs: readonly string[];
  readonly state: string | undefined;
  /** The folder that paths of the command line are relative to. */
  readonly folder: string;
  /** The folder that paths of the config file are relative to. */
  readonly base: string;
}

/** The config file to write, with only those keys that are needed. */
function configOf({ docs, state, folder, base }: Chosen): Config {
  const named = (path: string) => {
    const resolved = resolve(folder, path);
    const short = relative(base, resolved) || '.';
    // A path that lies far away is clearer in full.
    return short.startsWith('../../') || isAbsolute(path) ? resolvedShort(short, resolved) : short;
  };
  const roots = docs.map(named);
  const [first] = roots;
  return {
    ...(roots.length === 1 && first !== undefined ? { docs: first } : { docs: roots }),
    ...(state === undefined ? {} : { state: named(state) }),
  };
}

/** A path within the folder of the config file stays relative, since both move together. Any other is given in full. */
function resolvedShort(short: string, resolved: string): string {
  return short.startsWith('..') ? resolved : short;
}

async function isToBeIgnored(folder: string, questions: Questions | undefined): Promise<boolean> {
  if (questions === undefined || !existsSync(join(folder, '.git'))) return false;
  return questions.isYes('Add the state folder to .gitignore?', { usual: 'yes' });
}

/** Writes the config file over an existing one. If that is a link, the link itself is replaced. */
function writeConfig(file: string, config: Config): void {
  try {
    writeWholeFile(file, jsonText(config));
  } catch (error) {
    throw new UserError(`${file}: cannot be written: ${reasonOf(error)}`, EXIT.failed, { cause: error });
  }
}

/** Refuses a link as ignore file before anything is written: it may have come with a repository, and lead anywhere. @throws UserError */
function refuseLinkedIgnoreFile(folder: string): void {
  const file = join(folder, IGNORE_FILE_NAME);
  if (!lstatSync(file, { throwIfNoEntry: false })?.isSymbolicLink()) return;
  throw new UserError(
    `${file}: it is a link, which git does not follow, so nothing was written; replace it with a file, or leave out --gitignore: the state folder has an ignore file of its own`,
  );
}

/** Adds the state folder to the ignore file. @returns the ignore file; undefined if the state folder is in it already, or lies elsewhere */
async function ignore(folder: string, state: string): Promise<string | undefined> {
  const path = relative(folder, state);
  if (path.startsWith('..') || isAbsolute(path)) return undefined;
  const line = `${path}/`;
  const file = join(folder, IGNORE_FILE_NAME);
  const { replaceWholeFile } = await import('../../user-files/replace-file.ts');
  try {
    // Bytes that are no UTF-8 are git's to interpret, so they are kept as they are.
    const before = existsSync(file) ? readFileSync(file, 'latin1') : '';
    const entry = Buffer.from(line).toString('latin1');
    const same = [entry, entry.slice(0, -1)].flatMap((one) => [one, `/${one}`]);
    if (before.split(/\r?\n/).some((one) => same.includes(one.trim()))) return undefined;
    const text = `${before}${before === '' || before.endsWith('\n') ? '' : '\n'}${entry}\n`;
    // The file is replaced as a whole. On a full disk an appended line could be cut off, and its beginning would make git ignore something else.
    replaceWholeFile(file, Buffer.from(text, 'latin1'));
  } catch (error) {
    const why = `${file}: the state folder cannot be added to it: ${reasonOf(error)}; the config file is written, and the state folder has an ignore file of its own`;
    throw new UserError(why, EXIT.failed, { cause: error });
  }
  return file;
}
