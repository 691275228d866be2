import { readdirSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import MarkdownIt from 'markdown-it';
import t from 'tap';
import { z } from 'zod';

const ROOT = 'docs/sample';
const FRONT_MATTER = /^---\n.*?\n---\n/su;
const DOTTED = /^[\w-]+(?:\.[\w*-]+)+/u;

const place = z.object({ file: z.string(), line: z.number().int().positive() });
const span = z.object({ name: z.string(), where: z.array(z.string()).min(1) });
const relation = place.extend({ source: z.string(), edge: z.string(), target: z.string() });
const Facts = z.object({
  endpoints: z.array(place.extend({ method: z.string(), path: z.string(), tier: z.string() })),
  events: z.array(span),
  traps: z.array(span),
  relations: z.array(relation.extend({ text: z.string() })),
  seed: z.object({ question: z.string(), chain: z.array(relation) }),
  links: z.array(place.extend({ target: z.string() })),
});

const facts = Facts.parse(JSON.parse(readFileSync('test/fixtures/sample-facts.json', 'utf8')));
const pages = new Map(
  readdirSync(ROOT, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.md'))
    .map((path) => [path, readFileSync(join(ROOT, path), 'utf8')] as const),
);

/** The inline pieces of a page, one array for each paragraph, heading or cell, after the type of what holds them. */
function inlinesOf(text: string) {
  const tokens = new MarkdownIt().parse(text.replace(FRONT_MATTER, ''), {});
  return tokens.flatMap((token, index) =>
    token.type === 'inline' ? [{ within: tokens[index - 1]?.type, pieces: token.children ?? [] }] : [],
  );
}

function lineOf(file: string, line: number): string {
  return pages.get(file)?.split('\n')[line - 1] ?? '';
}

/** Anchors as GitHub makes them from headings. */
function anchorsOf(file: string): string[] {
  return inlinesOf(pages.get(file) ?? '')
    .filter(({ within }) => within === 'heading_open')
    .map(({ pieces }) => anchorOf(pieces.map((piece) => piece.content).join('')));
}

function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-');
}

/** The pages that a link of `file` may mean. */
function targetsOf(file: string, link: string): string[] {
  const bare = link.replace(/\.md$/u, '');
  const path = bare.startsWith('/') ? bare.slice(1) : posix.join(posix.dirname(file), bare);
  return bare === '' ? [file] : [...pages.keys()].filter((page) => page === `${path}.md`);
}

function wikiTargetsOf(name: string): string[] {
  return [...pages.keys()].filter((page) => page === `${name}.md` || page.endsWith(`/${name}.md`));
}

/** Every link of a page, as its candidates and its anchor. */
function linksOf(file: string, text: string) {
  return inlinesOf(text)
    .flatMap(({ pieces }) => pieces)
    .flatMap((piece) => {
      if (piece.type === 'link_open') {
        const [path = '', anchor] = String(piece.attrGet('href') ?? '').split('#');
        return [{ path, anchor, targets: targetsOf(file, path) }];
      }
      if (piece.type !== 'text') return [];
      return [...piece.content.matchAll(/\[\[([^\]#|]+)(?:#([^\]|]+))?[^\]]*\]\]/gu)].map(
        ([, name = '', heading]) => ({
          path: name,
          anchor: heading === undefined ? undefined : anchorOf(heading),
          targets: wikiTargetsOf(name),
        }),
      );
    });
}

t.test('each fact of the gold stands at the line it names', async (t) => {
  for (const { file, line, text } of facts.relations)
    t.ok(lineOf(file, line).includes(text), `${file}:${line} ${text}`);
  for (const { file, line, path } of facts.endpoints)
    t.ok(lineOf(file, line).includes(path), `${file}:${line} ${path}`);
  for (const { name, where } of [...facts.events, ...facts.traps]) {
    for (const at of where) {
      const [file = '', line = ''] = at.split(':');
      t.ok(lineOf(file, Number(line)).includes(`\`${name}\``), `${at} ${name}`);
    }
  }
});

t.test('each dotted code span is either an event or a trap of the gold', async (t) => {
  const known = new Set([...facts.events, ...facts.traps].map(({ name }) => name));
  t.equal(known.size, facts.events.length + facts.traps.length, 'none is both');
  for (const [file, text] of pages) {
    for (const { pieces } of inlinesOf(text)) {
      for (const { type, content } of pieces) {
        if (type === 'code_inline' && DOTTED.test(content)) t.ok(known.has(content), `${file}: ${content}`);
      }
    }
  }
});

t.test('each link leads to one page, and to a heading it has', async (t) => {
  const found = new Map<string, string[]>();
  for (const [file, text] of pages) {
    for (const { path, anchor, targets } of linksOf(file, text)) {
      t.equal(targets.length, 1, `${file} links to ${path}`);
      const [target = ''] = targets;
      if (anchor !== undefined)
        t.ok(anchorsOf(target).includes(anchor), `${file} links to ${path}#${anchor}`);
      found.set(file, [...(found.get(file) ?? []), target]);
    }
  }
  for (const { file, line, target } of facts.links) {
    t.ok(lineOf(file, line).includes('['), `${file}:${line} holds a link`);
    t.ok(found.get(file)?.includes(target), `${file} links to ${target}`);
  }
});

t.test('the seed question has an answer, and no page has all of it', async (t) => {
  const { chain } = facts.seed;
  for (const [index, step] of chain.entries()) {
    t.ok(
      facts.relations.some(
        (row) =>
          row.file === step.file &&
          row.line === step.line &&
          row.source === step.source &&
          row.target === step.target,
      ),
      `${step.source} ${step.edge} ${step.target} is a relation of the gold`,
    );
    if (index > 0) t.equal(chain[index - 1]?.target, step.source, 'the chain is unbroken');
  }
  for (const file of pages.keys()) {
    const steps = chain.filter(({ source, target }) =>
      facts.relations.some((row) => row.file === file && row.source === source && row.target === target),
    );
    t.ok(steps.length <= chain.length - 2, `${file} states ${steps.length} of ${chain.length} steps`);
  }
});
