import type { Outline } from '../core/outline.ts';
import { type Template, templatesOf } from './templates.ts';

/** A field of front matter or a heading that a document must have. */
export interface RequiredPart {
  readonly kind: 'field' | 'heading';
  readonly name: string;
  /** What requires it: `the template "adr"`. */
  readonly by: string;
  /** A missing part is only a warning if nothing but the place and the `type` of the document say that it is of a built-in template. */
  readonly severity?: 'warning';
}

/**
 * What documents must have according to their templates. A document is of the template that the type of its node names, as a schema map derives it from path or
 * front matter. Otherwise it is of the one that `type` in its front matter names, if that is the project's own or the document lies in the template's folder.
 * Otherwise it is of the project's own template in whose folder it lies.
 * @param templates the folder of the project's own templates
 * @returns a function that takes the path, the structure and the type of the node
 * @throws UserError if the folder of templates cannot be read
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
