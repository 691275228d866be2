import type { Outline } from '../core/outline.ts';
import { type Template, templatesOf } from './templates.ts';

/** A field of front matter or a heading that a document is to have. */
export interface RequiredPart {
  readonly kind: 'field' | 'heading';
  readonly name: string;
  /** What requires it: `the template "adr"`. */
  readonly by: string;
  /** Where nothing but its place and its `type` say that a document is of a ready template, it is no error to do without. */
  readonly severity?: 'warning';
}

/**
 * What documents are to have by their template. A document is of the template that the type of its node names, as a schema map gives it from path or
 * front matter; else of the one that `type` in its front matter names, if that is the project's own or the document lies in the template's folder;
 * else of the project's own template in whose folder it lies.
 * @param templates folder of the project's own templates
 * @returns a function that takes the path, the structure and the type of the node
 * @throws UserError where the folder of templates cannot be read
 */
export function requirementsBy(
  templates: string | undefined,
): (path: string, outline: Outline, type: string | undefined) => readonly RequiredPart[] {
  const byName = new Map(
    Array.from(templatesOf(templates).values(), (template) => [
      template.name.toLowerCase(),
      { template, required: partsOf(template), wished: partsOf(template, 'warning') },
    ]),
  );
  return (path, outline, type) => {
    const ofNode = byName.get(type?.toLowerCase() ?? '');
    if (ofNode !== undefined) return ofNode.required;
    const folders = path.toLowerCase().split('/').slice(0, -1);
    const named = byName.get(outline.type?.trim().toLowerCase() ?? '');
    if (named?.template.isOwn) return named.required;
    if (named !== undefined && folders.includes(named.template.folder)) return named.wished;
    const around = byName.get(folders.at(-1) ?? '');
    return around?.template.isOwn && !BEGINS_FOLDER.test(path) ? around.required : [];
  };
}

const BEGINS_FOLDER = /(?:^|\/)(?:_?index|readme)\.[^/]*$/i;

function partsOf({ name, fields, headings }: Template, severity?: 'warning'): RequiredPart[] {
  const part = (kind: RequiredPart['kind']) => (one: string) => ({
    kind,
    name: one,
    by: `the template "${name}"`,
    ...(severity === undefined ? {} : { severity }),
  });
  return [...fields.map(part('field')), ...headings.map(part('heading'))];
}
