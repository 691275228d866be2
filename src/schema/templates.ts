import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseDocument } from 'yaml';
import { reasonOf, UserError } from '../core/errors.ts';

/** Text from which `kgraphfs new` makes a document; `{{title}}`, `{{date}}`, `{{number}}` and `{{key}}` of `--set` are filled in. */
export interface Template {
  readonly name: string;
  /** Where documents go, relative to the docs root. */
  readonly folder: string;
  /** Whether names begin with the next number of the folder. */
  readonly isNumbered: boolean;
  readonly fields: readonly string[];
  readonly headings: readonly string[];
  readonly text: string;
}

const front = (type: string, status: string) =>
  `---\ntitle: "{{title}}"\ntype: ${type}\nstatus: ${status}\n---\n\n# {{title}}\n`;
const sections = (...titles: readonly (readonly [string, string])[]) =>
  titles.map(([title, text]) => `\n## ${title}\n\n${text}\n`).join('');

function template(
  name: string,
  folder: string,
  status: string,
  ...parts: readonly (readonly [string, string])[]
): Template {
  return {
    name,
    folder,
    isNumbered: name === 'adr',
    fields: ['title', 'type', 'status'],
    headings: parts.map(([title]) => title),
    text: front(name, status) + sections(...parts),
  };
}

export const READY_TEMPLATES: readonly Template[] = [
  template(
    'epic',
    'epics',
    'draft',
    ['Goal', 'What is better for whom when this is done.'],
    ['Scope', 'What belongs to it, and what does not.'],
  ),
  template(
    'story',
    'stories',
    'draft',
    ['Need', 'Who wants what, and why.'],
    ['Acceptance criteria', '- What is seen when it works.'],
  ),
  template(
    'prd',
    'prd',
    'draft',
    ['Problem', 'What is wrong today, and for whom.'],
    ['Requirements', '- What it must do.'],
  ),
  template(
    'architecture',
    'architecture',
    'draft',
    ['Context', 'What it stands in.'],
    ['Components', '- What it is made of.'],
  ),
  template(
    'adr',
    'adr',
    'proposed',
    ['Context', 'What makes a decision necessary.'],
    ['Decision', 'What is done.'],
    ['Consequences', 'What becomes easier and what harder.'],
  ),
];

/**
 * The templates that come with the package, and those of a folder, which win: `<name>.md`, each with all keys of its front matter and all headings of
 * the second level required.
 * @throws UserError where the folder cannot be read
 */
export function templatesOf(folder: string | undefined): ReadonlyMap<string, Template> {
  const own = folder === undefined ? [] : readFolder(folder);
  return new Map([...READY_TEMPLATES, ...own].map((one) => [one.name, one]));
}

function readFolder(folder: string): Template[] {
  try {
    return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
      if (!entry.isFile() || !entry.name.endsWith('.md')) return [];
      return [
        ownTemplate(entry.name.slice(0, -'.md'.length), readFileSync(join(folder, entry.name), 'utf8')),
      ];
    });
  } catch (error) {
    throw new UserError(`${folder}: the templates cannot be read: ${reasonOf(error)}`, 2, { cause: error });
  }
}

function ownTemplate(name: string, text: string): Template {
  const block = /^---\r?\n([\s\S]*?)\r?\n---(?:\r?\n|$)/.exec(text)?.[1] ?? '';
  const fields = Array.from(block.matchAll(/^([\w-]+):/gm), ([, key = '']) => key);
  const headings = Array.from(text.matchAll(/^## +(.+?) *#*\r?$/gm), ([, title = '']) => title);
  return {
    name,
    folder: name,
    isNumbered: text.includes('{{number}}'),
    fields,
    headings: headings.filter((title) => !title.includes('{{')),
    text,
  };
}

/** A name as a file is called: `Use PostgreSQL` to `use-postgresql`; empty where nothing of it can be. */
export function slugOf(name: string): string {
  return name
    .normalize('NFKC')
    .toLowerCase()
    .replace(/['’]/g, '')
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 80);
}

/** The text of a new document. @param values by name; those of `set` that the template has no place for become keys of front matter */
export function fillTemplate(
  { text }: Template,
  values: Readonly<Record<string, string>>,
  set: ReadonlyMap<string, string>,
): string {
  const all = new Map([...Object.entries(values), ...set]);
  const used = new Set<string>();
  const block = /^---\n[\s\S]*?\n---(?:\n|$)/.exec(text)?.[0] ?? '';
  const fill = (part: string, isFront: boolean) =>
    part.replace(/\{\{ *([\w-]+) *\}\}/g, (whole, key: string) => {
      const value = all.get(key);
      if (value === undefined) return whole;
      used.add(key);
      return isFront ? value.replaceAll('\\', '\\\\').replaceAll('"', '\\"') : value;
    });
  const filled = fill(block, true) + fill(text.slice(block.length), false);
  const rest = [...set].filter(([key]) => !used.has(key));
  return rest.length === 0 ? filled : withFields(filled, rest);
}

function withFields(text: string, fields: readonly (readonly [string, string])[]): string {
  const block = /^---\n([\s\S]*?)\n---(?:\n|$)/.exec(text);
  const document = parseDocument(block?.[1] ?? '');
  for (const [key, value] of fields) document.set(key, value);
  return `---\n${document.toString()}---\n${block === null ? `\n${text}` : text.slice(block[0].length)}`;
}
