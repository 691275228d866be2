import type { MarkdownSource } from '../markdown/source.ts';

const TARGET = /^\(([^()\n]{1,200})\)=[ \t]*$/gm;
const OPTION = /^:(?:name|label):[ \t]+(\S[^\n]{0,200})$/gm;

/** Names that MyST gives to places, by which links of all documents reach them: `(name)=` above a block, `:name:` in a directive. */
export function labelsOf({ tokens }: MarkdownSource): string[] {
  const labels = new Set<string>();
  for (const { type, info, content } of tokens) {
    const isDirective = type === 'fence' && info.trim().startsWith('{');
    if (type === 'inline' && content.includes(')='))
      for (const [, name = ''] of content.matchAll(TARGET)) labels.add(name.trim());
    if ((type === 'inline' || isDirective) && /^:(?:name|label):/m.test(content))
      for (const [, name = ''] of content.matchAll(OPTION)) labels.add(name.trim());
  }
  return [...labels];
}
