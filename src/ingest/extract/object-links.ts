/** Links whose target names an object: `#channel-object`, `#schemapet`, `/entities/Status`, and `Pet.md` beside a schema. */
import { bareName, foldName, isNounPhrase } from './names.ts';

const OBJECT_ANCHOR = /(?:^|-)(?:object|resource|entity|model|schema|structure)$/i;
const SCHEMA_ANCHOR =
  /^(?:(?:schemas?|models?|definitions?|components?[/-]schemas)[-_/]?|tocs?_?)([\w.-]+)$/i;
const OBJECT_FOLDER =
  /(?:^|\/)(?:entities|models?|schemas?|objects?|definitions|types)\/([^/#?]+?)(?:\.mdx?|\.html?)?\/?(?:[#?]|$)/i;

/** Things that have a structure but are no objects of an API: `[recommended file structure](#recommended-file-structure)`. */
const OF_FILES =
  /(?:^|\s)(?:code|directory|file|folder|package|page|project|repo(?:sitory)?|site|topic|url)$/i;

/**
 * The object that a link leads to, with the name that the link's text gives it.
 * @returns undefined if the target does not name an object
 */
export function objectOfTarget(target: string, shown: string): string | undefined {
  const label = bareName(shown);
  if (
    !isNounPhrase(label) ||
    label.split(' ').length > 5 ||
    /\b(?:of|in|for|with|your|the|an?|when|this)\b|\s-\s/i.test(label)
  )
    return undefined;
  const hash = target.indexOf('#');
  const anchor = hash === -1 ? '' : target.slice(hash + 1);
  if (/structure$/i.test(anchor) && OF_FILES.test(label)) return undefined;
  if (OBJECT_ANCHOR.test(anchor) && lastWord(label) === lastWord(anchor.replace(OBJECT_ANCHOR, '')))
    return label;
  const schema = SCHEMA_ANCHOR.exec(anchor)?.[1];
  if (schema !== undefined && isSame(schema, label)) return label;
  // On another site, a folder of models may hold any models: of consistency, of cars.
  const file = isElsewhere(target) ? undefined : OBJECT_FOLDER.exec(target)?.[1];
  return file !== undefined && isSame(file.replace(/^.*[_:]{1,2}(?=[A-Z])/, ''), label) ? label : undefined;
}

function isElsewhere(target: string): boolean {
  return /^(?:https?:)?\/\//i.test(target);
}

function lastWord(name: string): string {
  return foldName(/[^\s_-]+$/.exec(name)?.[0] ?? '');
}

function isSame(a: string, b: string): boolean {
  return foldName(a) === foldName(b) || foldName(b).endsWith(foldName(a));
}
