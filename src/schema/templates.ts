import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { EXIT, reasonOf, UserError } from '../core/errors.ts';

/** A text from which `kgraphfs new` makes a document. `{{title}}`, `{{date}}`, `{{number}}` and `{{key}}` of `--set` are filled in. */
export interface Template {
  readonly name: string;
  /** The folder for the documents, relative to the docs root. */
  readonly folder: string;
  /** Whether the template is one of the project's own. */
  readonly isOwn: boolean;
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
    isOwn: false,
    isNumbered: name === 'adr',
    fields: ['title', 'type', 'status'],
    headings: parts.map(([title]) => title),
    text: front(name, status) + sections(...parts),
  };
}

const READY_TEMPLATES: readonly Template[] = [
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
 * The templates of the package, and those of a folder, which take precedence. In a folder they are files `<name>.md`; all keys of their front matter and all
 * headings of the second level are required.
 * @throws UserError if the folder cannot be read
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
    throw new UserError(`${folder}: the templates cannot be read: ${reasonOf(error)}`, EXIT.wrongUsage, {
      cause: error,
    });
  }
}

function ownTemplate(name: string, text: string): Template {
  const fields = keysOf(/^---\r?\n([\s\S]*?)\r?\n---(?:\r?\n|$)/.exec(text)?.[1] ?? '');
  const headings = Array.from(text.matchAll(/^## +(.+?) *#*\r?$/gm), ([, title = '']) => title);
  return {
    name,
    folder: name,
    isOwn: true,
    isNumbered: text.includes('{{number}}'),
    fields,
    headings: headings.filter((title) => !title.includes('{{')),
    text,
  };
}

/** The keys of front matter that is not YAML yet: those of its top level, which may be indented. */
function keysOf(block: string): string[] {
  const keys = Array.from(block.matchAll(/^( *)(["']?)([^\s"'#{[-][^"'\n:]{0,99}?)\2 *:(?=\s|$)/gm));
  const indent = keys[0]?.[1];
  return keys.flatMap(([, before, , key = '']) => (before === indent ? [key] : []));
}
