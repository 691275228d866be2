/** The fields that an MDX page exports in place of front matter: `export const metadata = { title: 'Payment' }`. */
import type { FrontMatter } from './front-matter.ts';

const EXPORT =
  /^export\s+const\s+(?:metadata|meta|front[mM]atter)(?:\s*:\s*\w+)?\s*=\s*\{([\s\S]{0,4000}?)\}/m;
/** After the first heading or fence, everything is the page's text, or an example in it. */
const TEXT = /^(?:#{1,6}\s|```|~~~)/m;

/** The front matter, completed by the title and the description that the page exports if it has none itself. */
export function withExportedFields(frontMatter: FrontMatter, text: string): FrontMatter {
  const { bodyStart, lineCount } = frontMatter;
  const body = text.slice(bodyStart, bodyStart + 10_000);
  const found = EXPORT.exec(body.slice(0, TEXT.exec(body)?.index));
  if (found === null) return frontMatter;
  const [all, fields = ''] = found;
  const data = new Map(frontMatter.data);
  const keyLines = new Map(frontMatter.keyLines);
  for (const key of ['title', 'description']) {
    const field = new RegExp(`(?<=^|[\\s,])${key}:\\s*(['"\`])((?:(?!\\1)[^\\\\$\\n])+)\\1`).exec(fields);
    const value = field?.[2]?.trim();
    if (field === null || value === undefined || value === '' || data.has(key)) continue;
    const at = found.index + all.indexOf(fields) + field.index;
    data.set(key, value);
    keyLines.set(key, lineCount + body.slice(0, at).split('\n').length);
  }
  return { ...frontMatter, data, keyLines };
}
