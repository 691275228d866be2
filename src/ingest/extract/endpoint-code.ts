/** Endpoints in code: lines with requests, and what the info string of a fence says of its content. */
import type { Code } from '../markdown/document.ts';
import { bareRequestIn } from './bare-requests.ts';
import {
  type Endpoint,
  findEndpoints,
  isMethods,
  isPath,
  pairEndpoints,
  requestLine,
} from './endpoint-text.ts';

export interface CodeEndpoint extends Endpoint {
  /** 1-based line in the file. */
  readonly line: number;
  /** Whether the code begins with the endpoint. */
  readonly opens: boolean;
}

/** Languages of fences that show requests. In other languages a line only counts if it is nothing but a request. */
const REQUEST_LANGUAGES: ReadonlySet<string> = new Set(
  ' text txt plain plaintext http https rest api curl sh bash shell console zsh shell-session mermaid plantuml sequence url raw none nohighlight ascii'.split(
    ' ',
  ),
);

/** All endpoints that the code names, except those of shell commands. */
export function findCodeEndpoints(code: Code): CodeEndpoint[] {
  return [...findInfoEndpoints(code), ...findLineEndpoints(code)];
}

function findLineEndpoints(code: Code): CodeEndpoint[] {
  if (!/\/|[A-Z] _/.test(code.content)) return [];
  const showsRequests = REQUEST_LANGUAGES.has(code.language);
  const found: CodeEndpoint[] = [];
  let isFirst = true;
  let inCommand = false;
  code.content.split('\n').forEach((source, index) => {
    const shown = plainLine(source);
    const line = showsRequests ? shown : (requestLine(shown) ?? '');
    const continues = inCommand;
    inCommand = (continues || /\bcurl\s/.test(line)) && /\\\s*$/.test(line);
    if (continues || /\bcurl\s|\s-X\s/.test(line) || (isFirst && shown.trim() === '')) return;
    for (const { key, label, start } of findEndpoints(line)) {
      if (/["']$/.test(line.slice(0, start))) continue;
      const opens = isFirst && line.slice(0, start).trim() === '';
      found.push({ key, label, line: code.line + index, opens });
    }
    const bare = bareRequestIn(shown);
    if (bare !== undefined) {
      const opens = isFirst && /^\s*[A-Z]/.test(shown);
      found.push({ ...bare, line: code.line + index, opens });
    }
    isFirst = false;
  });
  return found;
}

/** A line as a browser shows it, if it is HTML. */
function plainLine(source: string): string {
  const line = source.replace(/<br\s*\/?>/g, ' ');
  if (!line.includes('</')) return line;
  return line
    .replace(/<\/?(?:code|pre|p|div|span|b|strong|em|i|td|th|tr|li|a|h[1-6])(?:\s[^<>]*)?>/gi, ' ')
    .replace(/&lt;/g, '<')
    .replace(/&gt;/g, '>')
    .replace(/&amp;/g, '&');
}

/** Endpoints in the info string of a fence: ` ```json [POST /x] `, and ` ```curl title="PUT" ` above a path. */
function findInfoEndpoints({ info, content, line }: Code): CodeEndpoint[] {
  if (info === '' || !/[[=]/.test(info)) return [];
  const label = /\[([^\]]{1,300})\]|\btitle\s*=\s*"([^"]{1,300})"|\btitle\s*=\s*'([^']{1,300})'/.exec(info);
  const text = label?.[1] ?? label?.[2] ?? label?.[3];
  if (text === undefined) return [];
  const path = content.trim();
  const endpoints = isMethods(text) && isPath(path) ? pairEndpoints(text, path) : findEndpoints(text);
  return endpoints.map((endpoint) => ({
    key: endpoint.key,
    label: endpoint.label,
    line: line - 1,
    opens: true,
  }));
}
