import type { CallToolResult, ReadResourceResult } from '@modelcontextprotocol/sdk/types.js';
import { jsonText } from '../../core/json-text.ts';

/** The answer of a tool as text: its texts, and each other part as a line of JSON. */
export function contentText({ content, structuredContent, isError = false }: CallToolResult): string {
  const parts = content.map((part) => (part.type === 'text' ? part.text : JSON.stringify(part)));
  if (parts.length === 0 && structuredContent !== undefined)
    parts.push(JSON.stringify(structuredContent, null, 2));
  const text = ended(parts.join('\n'));
  return isError ? `error: ${text}` : text;
}

/** The content of a resource. If it has several parts, they are given as JSON. */
export function resourceContent({ contents }: ReadResourceResult): string | Uint8Array {
  const [first, ...others] = contents;
  if (first === undefined) return '';
  if (others.length > 0) return jsonText(contents);
  return 'text' in first ? first.text : Buffer.from(first.blob, 'base64');
}

function ended(text: string): string {
  return text === '' || text.endsWith('\n') ? text : `${text}\n`;
}
