/** What a page says of its endpoints and of its thing outside of their sections: in its front matter and its headings. */
import type { MarkdownDocument } from '../markdown/document.ts';
import type { EndpointMention } from './endpoints.ts';
import { firstProse } from './first-prose.ts';
import { bareName, foldName } from './names.ts';
import type { HeadingObject, Subjects } from './subjects.ts';
import { actionOf } from './title.ts';

function givenDescription({ frontMatter }: MarkdownDocument): string {
  const given = frontMatter.data.get('description');
  return typeof given === 'string' ? given : '';
}

/**
 * The description of an endpoint where a section is about it: the section's first sentence, or else that of a page whose front matter declares the endpoint,
 * or else the heading or title that says what it does.
 */
export function descriptionOfEndpoint(
  { key, section, role }: EndpointMention,
  document: MarkdownDocument,
  title: string,
  subjects: Subjects,
): string {
  if (role !== 'subject' || subjects.of(section).endpoints.length !== 1) return '';
  const prose = firstProse(section)?.text;
  if (prose !== undefined) return prose;
  const given = section.level === 0 ? givenDescription(document) : '';
  if (given !== '') return given;
  if (actionOf(section.title) !== undefined) return section.title;
  return subjects.soleEndpoint?.key === key && actionOf(title) !== undefined ? title : '';
}

/** What the front matter says of the thing that the title names; empty if the title names something else, such as what is done with it. */
export function descriptionOfPrincipal(
  { label }: HeadingObject,
  document: MarkdownDocument,
  title: string,
): string {
  return foldName(bareName(title)) === foldName(label) ? givenDescription(document) : '';
}
