/** The text of a heading without the sign that some generators add at its end as a link to the heading itself. */
export function withoutPermalink(heading: string): string {
  const text = heading.trimEnd();
  return text.endsWith('¶') ? text.slice(0, -1).trimEnd() : heading;
}
