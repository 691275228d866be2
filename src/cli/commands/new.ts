import { closeSync, openSync, readdirSync, realpathSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { EXIT, reasonOf, systemCodeOf, UserError } from '../../core/errors.ts';
import { isoDay } from '../../core/iso-time.ts';
import { isWithin } from '../../core/paths.ts';
import { makeFolders } from '../../disk/make-folders.ts';
import { removeMade } from '../../disk/remove.ts';
import { removeMadeFolders } from '../../disk/remove-if-empty.ts';
import { foldSpace } from '../../text/fold-space.ts';
import { printableName } from '../../text/printable.ts';
import { defineCommand } from '../command.ts';
import { writeJson } from '../io.ts';
import { findPlace } from '../project.ts';
import { usageError } from '../usage-error.ts';

export const newDocument = defineCommand({
  verb: 'new',
  summary: 'write a document from a template: epic, story, prd, architecture, adr, or one of your own',
  details:
    'This is the only command that creates a file in the docs root: one new file in the folder of its template (an ADR gets the next\n' +
    'number). It never overwrites. Your own templates are <name>.md in the folder that "templates" in the config file names. {{title}},\n' +
    '{{date}}, {{number}} and the keys of --set are filled in.',
  positionals: {
    template: { summary: 'name of the template' },
    name: { summary: 'what the document is about, such as "Use PostgreSQL"' },
  },
  options: {
    title: { type: 'text', value: 'TEXT', summary: 'the title (default: the name)' },
    set: { type: 'texts', value: 'KEY=VALUE', summary: 'a value of the template, or a key of front matter' },
    dryRun: { type: 'boolean', summary: 'show the document instead of writing it' },
  },
  example: 'kgraphfs new adr "Use PostgreSQL" --dry-run --docs docs/sample',
  async run(args, io) {
    const { settings } = await findPlace(args, io);
    const [{ templatesOf }, { fillTemplate, slugOf }] = await Promise.all([
      import('../../schema/templates.ts'),
      import('../../schema/fill-template.ts'),
    ]);
    const templates = templatesOf(settings.templates);
    const template = templates.get(args.template);
    if (template === undefined) {
      throw usageError(
        `there is no template "${args.template}"; the templates are ${[...templates.keys()].join(', ')}`,
        'new',
      );
    }
    const slug = slugOf(args.name);
    if (slug === '') throw usageError(`"${args.name}" has no letter or digit to name a file by`, 'new');
    const folder = join(settings.docs, template.folder);
    const number = template.isNumbered ? nextNumber(folder) : '';
    const file = join(folder, `${template.isNumbered ? `${number}-` : ''}${slug}.md`);
    const date = isoDay(Date.now());
    const title = foldSpace(args.title ?? args.name);
    const content = fillTemplate(template, { title, date, number, name: slug }, settingsOf(args.set));
    if (!args.dryRun) write(file, content, settings.docs);
    const path = file.slice(settings.docs.length + 1);
    if (args.json)
      writeJson(io.out, { path, file, template: template.name, title, written: !args.dryRun, content });
    else if (args.dryRun) {
      io.out.write(content);
      io.err.write(`would write ${printableName(file)}\n`);
    } else io.out.write(`${printableName(file)}\n`);
    return 0;
  },
});

/** Splits each `key=value`. @throws UserError for a text without that form */
function settingsOf(texts: readonly string[]): Map<string, string> {
  return new Map(
    texts.map((text) => {
      const [, key, value] = /^([A-Za-z][\w-]*)=(.*)$/s.exec(text) ?? [];
      if (key === undefined || value === undefined)
        throw usageError(`--set takes key=value, not "${text}"`, 'new');
      return [key, value];
    }),
  );
}

/** The next number for a file of a folder: one more than the greatest that a name begins with, in four digits. */
function nextNumber(folder: string): string {
  const numbers = namesIn(folder).map((name) => Number(/^(?:adr-)?(\d{1,6})\b/i.exec(name)?.[1] ?? 0));
  return String(Math.max(0, ...numbers) + 1).padStart(4, '0');
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return [];
    throw error;
  }
}

/** Writes the new document. @throws UserError if the file exists, or its folder is a link out of the docs */
function write(file: string, content: string, docs: string): void {
  let made: string | undefined;
  try {
    made = makeFolders(dirname(file));
  } catch (error) {
    throw notWritten(file, error);
  }
  const real = realpathSync(dirname(file));
  if (!isWithin(real, docs)) {
    throw new UserError(`${dirname(file)}: this leads out of the docs root; nothing was written`);
  }
  try {
    writeNew(file, content);
  } catch (error) {
    if (made !== undefined) removeMadeFolders(file, made);
    if (systemCodeOf(error) !== 'EEXIST') throw notWritten(file, error);
    throw new UserError(`${file}: this file exists already; nothing was written`, EXIT.failed, {
      cause: error,
    });
  }
}

/** Creates a file. @throws the disk's error; then nothing is left of the file */
function writeNew(file: string, content: string): void {
  const descriptor = openSync(file, 'wx');
  try {
    writeFileSync(descriptor, content);
  } catch (error) {
    removeMade(file);
    throw error;
  } finally {
    closeSync(descriptor);
  }
}

function notWritten(file: string, error: unknown): UserError {
  const reason = `${file}: the document cannot be written: ${reasonOf(error)}; --dry-run shows it`;
  return new UserError(reason, EXIT.failed, { cause: error });
}
