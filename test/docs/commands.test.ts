/** That what the documents tell people to type can be typed, and that each of it is run by some test. */
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { findCommand } from '../../src/cli/find-command.ts';
import { parseHelperCall } from '../../src/cli/mount/helper-call.ts';
import { parseArguments } from '../../src/cli/parse-arguments.ts';
import { COMMANDS } from '../../src/cli/registry.ts';
import { configSchema } from '../../src/config/schema.ts';
import { parseSchemaMap } from '../../src/schema/parse-map.ts';
import { sample } from '../cli/run-cli.ts';
import { runHere } from '../cli/run-here.ts';
import { needsFuse } from '../fuse/fuse-available.ts';
import { type Fence, fencesIn } from './console.ts';
import { DONE_ELSEWHERE, examplesOf, PAGES } from './pages.ts';

/** Kinds of fences of which each command is run: test/docs/examples.test.ts. */
const RUN = new Set(['console', 'sh', 'text']);
/** Drawings and grammars; the one line of fstab is below. */
const NOT_TO_BE_RUN = new Set(['', 'ebnf', 'fstab']);
/** Fences that are read below, as what the page says they are. */
const READ_HERE = new Set(['docs/guide.md json', 'docs/tree.md json', 'docs/schema-map.md yaml']);

const tests = readdirSync('test', { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts'))
  .map((file) => readFileSync(join('test', file), 'utf8'));

/** Code within a line, fences left out. */
function spansOf(page: string): string[] {
  const prose = page.replace(/^ *```.*?^ *```/gms, '');
  return [...new Set(Array.from(prose.matchAll(/`([^`\n]+)`/g), ([, code = '']) => code))];
}

/** Command lines of kgraphfs in a text for the shell. */
function callsIn(command: string): string[] {
  return Array.from(
    command.matchAll(/(?:^|[;&|(]\s*)(kgraphfs (?:'[^']*'|"[^"]*"|<[\w ]+>|[^;&|)>'"#\n])*)/g),
    ([, call = '']) => call.replace(/ \d$/, '').trim(),
  );
}

function wordsOf(call: string): string[] {
  const words = call.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g);
  return Array.from(words, ([, double, single, plain]) => double ?? single ?? plain ?? '');
}

/** The verb and the options of a call, such as `lint --staged`; undefined where it is none of ours. */
async function shapeOf(call: string): Promise<{ verb: string; flags: string[] } | undefined> {
  const words = wordsOf(
    call.replace(/[<[][\w.=-]+(?:\.\.\.)?[>\]]/g, '1').replace(/\$\([^)]*\)?/g, '1'),
  ).slice(1);
  const found = findCommand(words, COMMANDS);
  if (found.kind !== 'command') return undefined;
  const { command, rest } = found;
  const flags = rest.filter((word) => word.startsWith('--')).map((word) => word.replace(/=.*/, ''));
  const isWhole =
    Object.values(command.positionals).every(({ count = 'one' }) => count !== 'one') || rest.length > 0;
  if (isWhole) await parseArguments(command, rest).catch((error: unknown) => complain(call, error));
  return { verb: command.verb, flags };
}

/** That an argument is left out is how prose speaks of a command. */
function complain(call: string, error: unknown): void {
  const reason = error instanceof Error ? error.message : String(error);
  if (!/ needs </.test(reason)) t.fail(`${call}: ${reason}`);
}

t.test('each fence is of a kind that is run, or a test reads the page', async (t) => {
  for (const [page, markdown] of PAGES) {
    for (const { language, line } of fencesIn(markdown)) {
      if (RUN.has(language) || NOT_TO_BE_RUN.has(language) || READ_HERE.has(`${page} ${language}`)) continue;
      t.ok(
        tests.some((text) => text.includes(page)),
        `${page}:${line} ${language}`,
      );
    }
    for (const { by } of DONE_ELSEWHERE) t.ok(existsSync(by), by);
  }
});

t.test('each command line in prose can be typed, and is run with its options by a test', async (t) => {
  const run = new Map<string, Set<string>>();
  const examples = [...PAGES.keys()].flatMap((page) =>
    examplesOf(page).flatMap(({ command }) => callsIn(command)),
  );
  for (const call of [...examples, ...COMMANDS.map(({ example }) => example)]) {
    const shape = await shapeOf(call);
    t.ok(shape, call);
    if (shape === undefined) continue;
    run.set(shape.verb, new Set([...(run.get(shape.verb) ?? []), ...shape.flags]));
  }
  for (const [page, markdown] of PAGES) {
    for (const span of spansOf(markdown)) {
      for (const call of callsIn(span)) {
        const shape = await shapeOf(call);
        const isGroup = COMMANDS.some(({ verb }) => `kgraphfs ${verb}`.startsWith(`${call} `));
        t.ok(shape !== undefined || isGroup, `${page}: ${call}`);
        const missing = shape?.flags.filter((flag) => !isRun(shape.verb, flag)) ?? [];
        t.same(missing, [], `${page}: ${call} is run`);
      }
    }
  }

  /** By an example, or typed in a test of the command line. */
  function isRun(verb: string, flag: string): boolean {
    const words = verb
      .split(' ')
      .map((word) => `'${word}'`)
      .join(', ');
    return (
      run.get(verb)?.has(flag) === true ||
      tests.some((text) => text.includes(words) && text.includes(`'${flag}'`))
    );
  }
});

t.test('each file and target that the documents name is there', async (t) => {
  const targets = new Set(
    Array.from(readFileSync('Makefile', 'utf8').matchAll(/^([a-z]+):/gm), ([, name = '']) => name),
  );
  for (const [page, markdown] of PAGES) {
    for (const [, file = ''] of markdown.matchAll(/`((?:test|src|scripts)\/[\w./-]*\w)`/g))
      t.ok(existsSync(file), `${page}: ${file}`);
    for (const [, target = ''] of markdown.matchAll(
      /\bmake (setup|build|check|test|bench|eval|soak|demo|clean|help)\b/g,
    ))
      t.ok(targets.has(target), `${page}: make ${target}`);
    const prose = markdown.replace(/^ *```.*?^ *```/gms, '').replace(/`[^`\n]*`/g, '');
    for (const [, target = ''] of prose.matchAll(/\]\((?!https?:)([^)#\s]+)/g))
      t.ok(existsSync(join(page.startsWith('docs/') ? 'docs' : '.', target)), `${page}: ${target}`);
  }
});

t.test('each promise of docs/security.md names a test', async (t) => {
  const rows = (PAGES.get('docs/security.md') ?? '')
    .split('\n')
    .filter((line) => /^\|(?! Promise|---)/.test(line));
  t.ok(rows.length > 30);
  const bullets = (
    /^## Somebody else's repository\n(.*?)^## /ms.exec(PAGES.get('docs/security.md') ?? '')?.[1] ?? ''
  )
    .split(/^- /m)
    .filter((bullet) => bullet.trim() !== '');
  t.ok(bullets.length > 4);
  for (const row of [...rows, ...bullets]) {
    const named = Array.from(row.matchAll(/`(test\/[\w./-]+)`/g), ([, file = '']) => file);
    t.ok(named.length > 0 && named.every((file) => existsSync(file)), row.slice(0, 90));
  }
});

t.test('each config in docs/guide.md is one, and the schema map of docs/schema-map.md', async (t) => {
  for (const { line, lines } of fencesOf('docs/guide.md', 'json')) {
    const { error } = configSchema.safeParse(JSON.parse(lines.join('\n')));
    t.equal(error, undefined, `docs/guide.md:${line}`);
  }
  for (const { lines } of fencesOf('docs/schema-map.md', 'yaml')) {
    t.ok(parseSchemaMap(lines.join('\n'), 'docs/schema-map.md'));
  }
});

t.test('the JSON of docs/tree.md has the keys that the tree has', async (t) => {
  const at = sample(t);
  const read = async (path: string): Promise<string> => (await runHere(['vfs', 'read', path, ...at])).out;
  const [node, section, entry] = fencesOf('docs/tree.md', 'json').map(({ lines }) =>
    keysOf(JSON.parse(lines.join('\n'))),
  );
  t.same(keysOf(JSON.parse(await read('/graph/nodes/Charge'))), node);
  t.same(keysOf(JSON.parse(await read('/graph/sections/charges/create.md/relationships'))), section);
  await runHere(['context', 'memory', 'add', 'fact/refunds', 'Refunds take 5 days', ...at]);
  const { out } = await runHere(['context', 'history', '--json', '--type', 'create', ...at]);
  t.same(keysOf(JSON.parse(out)[0]), entry);
});

function fencesOf(page: string, language: string): Fence[] {
  return fencesIn(PAGES.get(page) ?? '').filter((fence) => fence.language === language);
}

/** Of an object, and of the first of each list in it, in order. */
function keysOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.length === 0 ? [] : [keysOf(value[0])];
  if (typeof value !== 'object' || value === null) return 'value';
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [key, key === 'data' ? 'value' : keysOf(inner)]),
  );
}

t.test('a line of fstab in docs/guide.md is one that the helper takes', async (t) => {
  const [fence] = fencesOf('docs/guide.md', 'fstab');
  const [docs = '', point = '', type, options = ''] = fence?.lines[0]?.split(/\s+/) ?? [];
  t.equal(type, 'fuse.kgraphfs');
  t.match(parseHelperCall([docs, point, '-o', options], '/'), { docs, point, user: 'you' });
});

t.test('make demo shows the sample docs at work', needsFuse(), async (t) => {
  const { status, stdout, stderr } = spawnSync('bash', ['scripts/demo.sh'], { encoding: 'utf8' });
  t.equal(status, 0, stderr);
  t.match(stdout, /mounted .*26 documents.*unmounted /s);
});
