import { type Document, isMap, isScalar, Lexer, LineCounter, Parser, parseDocument } from 'yaml';
import { MEMORY_RELATIONS } from '../core/memory-entry.ts';
import { isTooDeepYaml, TOO_DEEP_YAML } from '../core/yaml-depth.ts';
import { FRONT_MATTER_BLOCK, MAX_FRONT_MATTER_BYTES } from './front-matter-block.ts';
import {
  type Fields,
  isMetadataField,
  isRelation,
  METADATA_FIELDS,
  type Relations,
  readField,
  readRelation,
} from './metadata.ts';

/** What the front matter of a content says. */
export interface Said {
  readonly fields: Fields;
  readonly relations: Relations;
}

/** Front matter with a value that is impossible. */
export class FrontMatterError extends Error {
  override readonly name = 'FrontMatterError';

  /** @param line 1-based, in the content */
  constructor(
    message: string,
    readonly line: number,
  ) {
    super(message);
  }
}

const NOTHING: Said = { fields: {}, relations: {} };
const FENCE = '---';
const BYTE_ORDER_MARK_BYTES = 3;
const CLOSING_LINE = /^(?:---|\.\.\.)[ \t]*\r?\n/m;
const OUR_KEY = new RegExp(
  `^["']?(?:${[...Object.keys(METADATA_FIELDS), ...MEMORY_RELATIONS].join('|')})["']?[ \\t]*:`,
);

/**
 * Reads the YAML between two `---` lines at the very start of a content, and ignores keys that mean nothing to memory. A block that is not YAML, or
 * not a mapping, counts as prose between two horizontal rules, unless a line of it begins with a key of ours (`confidence:`): then somebody meant it
 * to be read.
 * @throws FrontMatterError
 */
export function readFrontMatter(content: Uint8Array): Said {
  if (!startsWithFence(content)) return NOTHING;
  const head = Buffer.from(
    content.buffer,
    content.byteOffset,
    Math.min(content.byteLength, MAX_FRONT_MATTER_BYTES),
  ).toString();
  const source = FRONT_MATTER_BLOCK.exec(head)?.groups?.['source'];
  return source === undefined ? NOTHING : readBlock(source);
}

/** Whether a write of these bytes may have completed the front matter, with the line that ends it. */
export function mayCloseFrontMatter(written: Uint8Array): boolean {
  const head = written.subarray(0, MAX_FRONT_MATTER_BYTES);
  return CLOSING_LINE.test(Buffer.from(head.buffer, head.byteOffset, head.byteLength).toString('latin1'));
}

function startsWithFence(content: Uint8Array): boolean {
  const start = content[0] === 0xef ? BYTE_ORDER_MARK_BYTES : 0;
  return [...FENCE].every((_, index) => content[start + index] === FENCE.charCodeAt(index));
}

function readBlock(source: string): Said {
  const ours = source.split('\n').findIndex((line) => OUR_KEY.test(line));
  if (isTooDeepYaml(source, { Lexer, Parser })) {
    if (ours === -1) return NOTHING;
    throw new FrontMatterError(TOO_DEEP_YAML, ours + 2);
  }
  const lineCounter = new LineCounter();
  const document = parseDocument(source, { lineCounter, logLevel: 'silent' });
  const [error] = document.errors;
  const values = error === undefined ? valuesOf(document) : undefined;
  if (values === undefined || !isMap(document.contents)) {
    if (ours === -1) return NOTHING;
    const line = error === undefined ? ours + 1 : lineCounter.linePos(error.pos[0]).line;
    throw new FrontMatterError(
      error?.message.split('\n', 1)[0] ?? 'front matter is a list of "key: value" lines',
      line + 1,
    );
  }
  let said = NOTHING;
  for (const { key } of document.contents.items) {
    if (!isScalar(key)) continue;
    const name = String(key.value);
    const read = readKey(name, values.get(name));
    if ('problem' in read) {
      throw new FrontMatterError(read.problem, lineCounter.linePos(key.range?.[0] ?? 0).line + 1);
    }
    said = {
      fields: { ...said.fields, ...read.fields },
      relations: { ...said.relations, ...read.relations },
    };
  }
  return said;
}

/** The values of a block by their top-level keys; undefined if it is no mapping, or grows without end when its aliases are followed. */
function valuesOf(document: Document.Parsed): Map<string, unknown> | undefined {
  try {
    const value: unknown = document.toJS({ maxAliasCount: 50 });
    return typeof value === 'object' && value !== null ? new Map(Object.entries(value)) : undefined;
  } catch (error) {
    if (error instanceof ReferenceError) return undefined;
    throw error;
  }
}

function readKey(name: string, value: unknown): Partial<Said> | { problem: string } {
  // `tags:` without a value says nothing.
  if (value === null || value === undefined) return {};
  if (isMetadataField(name)) return readField(name, value);
  return isRelation(name) ? readRelation(name, value) : {};
}
