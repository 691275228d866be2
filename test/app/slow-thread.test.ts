import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { SlowThread } from '../../src/app/threads/slow-thread.ts';
import { isPromiseLike } from '../../src/core/awaitable.ts';
import { UserError } from '../../src/core/errors.ts';
import type { SubPath } from '../../src/core/paths.ts';
import type { Resolver } from '../../src/core/resolver.ts';
import { answeredHere } from '../../src/graph/slow-questions.ts';
import { graphResolver } from '../../src/resolvers/graph.ts';
import { concept, factsOf, graphSubject } from '../graph/subject.ts';
import { oneFolder } from '../support/one-folder.ts';
import { type Teardown, temporaryFolder } from '../support/temporary.ts';

const CONTEXT = {};
/** More relations than the thread that serves makes a page of. */
const SPOKES = Array.from({ length: 1200 }, (_, index) => `Spoke${index}x`);

function subject(t: Teardown) {
  const file = join(temporaryFolder(t), 'index.sqlite');
  const { put, graph } = graphSubject(t, file);
  const docs = temporaryFolder(t);
  mkdirSync(join(docs, 'hidden'));
  for (const path of ['refunds.md', 'hidden/refunds.md'])
    writeFileSync(join(docs, path), 'They take 5 days.\n');
  put(
    'hub.md',
    factsOf('hub.md', {
      mentions: [concept('Hub'), concept('Alone'), ...SPOKES.map((label) => concept(label))],
      relations: SPOKES.map((from, line) => ({ from, type: 'requires', to: 'Hub', line })),
    }),
  );
  const task = {
    indexFile: file,
    docs: oneFolder(docs),
    excluded: [join(docs, 'hidden')],
    maxBytes: 1000,
    lint: { rules: {}, siteRoot: undefined, ignore: [] },
  };
  const threadOf = (keepMs?: number) => {
    const thread = new SlowThread(task, { keepMs });
    t.teardown(() => thread.close());
    return thread;
  };
  const parts = { graph, subscribe: () => () => {} };
  return {
    graph,
    removeIndex: () => rmSync(file),
    found: new Map([['', docs]]),
    threadOf,
    here: graphResolver({ ...parts, slow: answeredHere(graph) }),
    inThread: graphResolver({ ...parts, slow: threadOf() }),
  };
}

async function textOf(resolver: Resolver, path: string): Promise<string> {
  const file = await resolver.open(path as SubPath, CONTEXT);
  const bytes = Buffer.alloc(file.sizeBytes + 10);
  return bytes.toString('utf8', 0, await file.read(bytes, 0));
}

t.test('what the thread answers is what would be answered here', async (t) => {
  const { graph, threadOf, here, inThread } = subject(t);
  const paths = ['edges/requires.jsonl', 'graph.json', 'path/Spoke1x/spoke2x', 'nodes/Hub', 'markdown/hub'];
  for (const path of paths) t.equal(await textOf(inThread, path), await textOf(here, path), path);
  for (const path of paths) {
    t.same(await inThread.stat(path as SubPath, CONTEXT), await here.stat(path as SubPath, CONTEXT), path);
  }
  const side = 'near/Hub/requires_of' as SubPath;
  t.same(await inThread.list(side, CONTEXT), await here.list(side, CONTEXT));
  t.equal((await inThread.list(side, CONTEXT)).length, SPOKES.length);
  t.same(await threadOf().similar('spoke', 5), graph.similar('spoke', 5));
  await t.rejects(Promise.resolve(inThread.stat('path/Spoke1x/Alone' as SubPath, CONTEXT)), {
    code: 'ENOENT',
  });
});

t.test('while a long page is made, others are answered at once', async (t) => {
  const { inThread } = subject(t);
  const asked = ['edges/requires.jsonl', 'graph.json', 'path/Spoke1x/Spoke2x', 'nodes/Hub'].map((path) =>
    inThread.stat(path as SubPath, CONTEXT),
  );
  t.same(asked.map(isPromiseLike), [true, true, true, true]);
  for (const path of ['nodes/Spoke7x', 'near/Spoke7x/requires/Hub', 'stats.json', 'types/APIObject/Hub']) {
    t.notOk(isPromiseLike(inThread.stat(path as SubPath, CONTEXT)), path);
  }
  for (const info of await Promise.all(asked)) t.ok(info.sizeBytes > 0);
});

t.test('what a person can mend is told as in the thread that asked, and not as a bug', async (t) => {
  const { threadOf } = subject(t);
  const gone = new Map([['', join(temporaryFolder(t), 'gone')]]);
  await t.rejects(threadOf().lintText(gone), {
    name: 'UserError',
    message: /^the docs folder \S+ does not exist$/,
  });
});

t.test('what keeps the thread from starting is told as what a person can mend, too', async (t) => {
  const { threadOf, removeIndex } = subject(t);
  removeIndex();
  const thrown = await threadOf()
    .similar('spoke', 5)
    .catch((error: unknown) => error);
  t.match(thrown, { message: /there is no index yet/ });
  t.ok(thrown instanceof UserError, 'and no copy of one, which has the same name');
});

t.test('docs are searched without what is hidden', async (t) => {
  const { found, threadOf } = subject(t);
  const { hits, unread } = await threadOf().searchTexts({ text: '5 days', limit: 10 }, 'docs', found);
  t.same(
    hits.map(({ path }) => path),
    ['refunds.md'],
  );
  t.same(unread, []);
});

t.test('while the docs are away their text counts as unread, and nothing fails', async (t) => {
  const { threadOf } = subject(t);
  const gone = new Map([['', join(temporaryFolder(t), 'gone')]]);
  t.same(await threadOf().searchTexts({ text: '5 days', limit: 10 }, 'docs', gone), {
    hits: [],
    unread: [''],
  });
});

t.test('the thread ends when nobody asks, and there is another for who asks then', async (t) => {
  const { threadOf } = subject(t);
  const thread = threadOf(1);
  const threads = () => readdirSync('/proc/self/task').length;
  await thread.similar('spoke', 1);
  const during = threads();
  while (threads() >= during) await new Promise((resolve) => setTimeout(resolve, 5));
  t.equal((await thread.similar('spoke', 1)).length, 1);
});

t.test('who waits when all is closed is told that there is no answer', async (t) => {
  const { threadOf } = subject(t);
  const thread = threadOf();
  const asked = thread.edgesText('requires');
  thread.close();
  await t.rejects(asked, { message: /has ended/ });
});
