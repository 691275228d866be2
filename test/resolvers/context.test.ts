import t from 'tap';
import type { SubPath } from '../../src/core/paths.ts';
import type { OpenFile, Resolver } from '../../src/core/resolver.ts';
import { contextForResolver } from '../../src/resolvers/context-for.ts';
import { contextSummaryResolver } from '../../src/resolvers/context-summary.ts';

const CONTEXT = {};
const CHANGED_MS = Date.parse('2026-11-20T10:00:00Z');

async function textOf(resolver: Resolver, path: string): Promise<string> {
  const info = await resolver.stat(path as SubPath, CONTEXT);
  const file: OpenFile = await resolver.open(path as SubPath, CONTEXT);
  const bytes = new Uint8Array(file.sizeBytes);
  await file.read(bytes, 0);
  t.equal(info.sizeBytes, bytes.length);
  return Buffer.from(bytes).toString();
}

/** A resolver whose contexts say what was asked and at which revision. */
function subject() {
  const asked: string[] = [];
  const listeners = new Set<() => void>();
  let revision = 1;
  const parts = {
    make: async (name: string) => {
      asked.push(name);
      return { text: `${name} at ${revision}\n`, changedMs: CHANGED_MS };
    },
    revision: () => String(revision),
    subscribe: (listener: () => void) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    startedMs: CHANGED_MS,
  };
  const change = () => {
    revision += 1;
    for (const listener of listeners) listener();
  };
  return { asked, change, parts };
}

t.test('a question is made once for each revision, also where two ask at once', async (t) => {
  const { asked, change, parts } = subject();
  const resolver = contextForResolver(parts);
  const question = 'How does POST %2Fv1%2Fcharges work?';
  t.same(await Promise.all([textOf(resolver, question), textOf(resolver, question)]), [
    'How does POST /v1/charges work? at 1\n',
    'How does POST /v1/charges work? at 1\n',
  ]);
  t.same(asked, ['How does POST /v1/charges work?']);
  change();
  t.equal(await textOf(resolver, question), 'How does POST /v1/charges work? at 2\n');
  t.equal(asked.length, 2);
});

t.test("it is its owner's alone, and as old as what it shows", async (t) => {
  const resolver = contextForResolver(subject().parts);
  const info = await resolver.stat('a question' as SubPath, CONTEXT);
  t.equal(info.mode, 0o600);
  t.equal(info.modifiedNs, BigInt(CHANGED_MS) * 1_000_000n);
  t.same(await resolver.list('' as SubPath, CONTEXT), []);
});

t.test('what programs look for is no question, and nothing is below one', async (t) => {
  const { asked, parts } = subject();
  const resolver = contextForResolver(parts);
  for (const name of ['.git', 'HEAD', '%20', 'x~']) {
    t.throws(() => resolver.stat(name as SubPath, CONTEXT), { code: 'ENOENT' }, name);
  }
  t.throws(() => resolver.stat('a question/x' as SubPath, CONTEXT), { code: 'ENOTDIR' });
  t.same(asked, []);
});

t.test('a context that cannot be made is made again when somebody asks again', async (t) => {
  const answers: (() => { text: string; changedMs: number })[] = [
    () => {
      throw new Error('the thread that was asked has ended');
    },
    () => ({ text: 'now\n', changedMs: CHANGED_MS }),
  ];
  const resolver = contextForResolver({ ...subject().parts, make: async () => answers.shift()?.() });
  await t.rejects(Promise.resolve(resolver.stat('why' as SubPath, CONTEXT)), /has ended/);
  t.equal(await textOf(resolver, 'why'), 'now\n');
});

t.test('a context that may be better the next time is made again, though nothing changed', async (t) => {
  let isPassing = true;
  const make = async () => ({ text: `${isPassing}\n`, changedMs: CHANGED_MS, isPassing });
  const resolver = contextForResolver({ ...subject().parts, make });
  t.equal(await textOf(resolver, 'why'), 'true\n');
  isPassing = false;
  t.equal(await textOf(resolver, 'why'), 'false\n');
  isPassing = true;
  t.equal(await textOf(resolver, 'why'), 'false\n', 'and then kept');
});

t.test('listeners are told that all may have changed', async (t) => {
  const { change, parts } = subject();
  const told: (readonly string[])[] = [];
  const stop = contextForResolver(parts).onChange?.((paths) => told.push(paths));
  change();
  stop?.();
  change();
  t.same(told, [['']]);
});

t.test('summaries are at the paths of the docs, with .md behind those of folders', async (t) => {
  const { asked, parts } = subject();
  const places = new Map<string, 'document' | 'folder'>([
    ['charges', 'folder'],
    ['charges/create.md', 'document'],
    ['page.mdx', 'document'],
  ]);
  const resolver = contextSummaryResolver({ ...parts, docsAt: (path) => places.get(path) });
  for (const path of ['docs.md', 'docs/charges.md', 'docs/charges/create.md', 'docs/page.mdx.md']) {
    await textOf(resolver, path);
  }
  t.same(asked, ['', 'charges', 'charges/create', 'page.mdx']);
  for (const path of ['', 'docs', 'docs/charges']) {
    t.same(await resolver.list(path as SubPath, CONTEXT), [], path);
  }
  for (const path of ['x', 'docs/none.md', 'docs/page.mdx', 'docs/.git', 'docs/charges/create']) {
    t.throws(() => resolver.stat(path as SubPath, CONTEXT), { code: 'ENOENT' }, path);
  }
});
