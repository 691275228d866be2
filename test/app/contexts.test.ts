import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { type Contexts, openContexts } from '../../src/app/contexts/contexts.ts';
import { after } from '../../src/core/awaitable.ts';
import { parseQuery } from '../../src/retrieval/language/parse-query.ts';
import { DEFAULT_CONTEXT_SETTINGS } from '../../src/settings/context.ts';
import { fakeEngine } from '../context/fixture.ts';
import { concept, factsOf, graphSubject } from '../graph/subject.ts';
import { oneFolder } from '../support/one-folder.ts';
import { type Teardown, temporaryFolder } from '../support/temporary.ts';

const TEXT = '# Charges\n\nA charge moves money. It requires a customer.\n';

/** @param lack why vectors have no part in what is found. @param isAway whether the docs were found nowhere */
function subject(t: Teardown, lack?: string, isAway = false): (inThread: boolean) => Contexts {
  const file = join(temporaryFolder(t), 'index.sqlite');
  const { put, graph } = graphSubject(t, file);
  const docs = temporaryFolder(t);
  mkdirSync(join(docs, 'billing'));
  writeFileSync(join(docs, 'billing/charges.md'), TEXT);
  put(
    'billing/charges.md',
    factsOf('billing/charges.md', {
      mentions: [concept('Charge'), concept('Customer')],
      relations: [{ from: 'Charge', type: 'requires', to: 'Customer', line: 3 }],
    }),
  );
  const engine = fakeEngine({ '/docs/billing/charges.md': { text: TEXT, title: 'Charges' } }, ['Charge']);
  return (inThread) => {
    const contexts = openContexts({
      engine: {
        ...engine,
        search: (...asked) =>
          after(engine.search(...asked), (found) => ({ ...found, ...(lack ? { lack } : {}) })),
      },
      parse: parseQuery,
      entryAt: () => undefined,
      revision: () => String(graph.revision()),
      readSoFar: () => undefined,
      settings: DEFAULT_CONTEXT_SETTINGS,
      task: {
        indexFile: file,
        docs: oneFolder(docs),
        excluded: [],
        maxBytes: 1000,
        settings: DEFAULT_CONTEXT_SETTINGS,
      },
      inThread: inThread ? {} : undefined,
      found: () => new Map(isAway ? [] : [['', docs]]),
    });
    t.teardown(() => contexts.close());
    return contexts;
  };
}

t.test('a context and a summary are the same here and in a thread', async (t) => {
  const open = subject(t);
  const [here, there] = [open(false), open(true)];
  const { manifest, text } = await here.build('what does a charge require?');
  t.match(text, '- Charge requires Customer (docs/billing/charges.md:3)');
  t.match(text, 'A charge moves money. It requires a customer.');
  const other = await there.build('what does a charge require?');
  t.same(other.manifest, manifest);
  t.equal(other.text, text);
  const summary = await here.summary('billing');
  t.match(summary, /^# docs\/billing\/\n/);
  t.equal(await there.summary('billing'), summary);
  t.equal(await there.summary('nothing'), undefined);
});

t.test('where vectors were late a context says so, since the next one may be another', async (t) => {
  const { manifest } = await subject(t, 'late')(false).build('what does a charge require?');
  t.equal(manifest.lack, 'late');
  t.equal((await subject(t)(false).build('what does a charge require?')).manifest.lack, undefined);
});

t.test('of docs that were found nowhere a context has what the graph says, and no text', async (t) => {
  const { text } = await subject(t, undefined, true)(true).build('what does a charge require?');
  t.match(text, '- Charge requires Customer (docs/billing/charges.md:3)');
});

t.test('a thread that was closed has no answer', async (t) => {
  const contexts = subject(t)(true);
  const asked = contexts.summary('');
  contexts.close();
  await t.rejects(asked, /has ended/);
});

t.test('what could not be opened is opened when it is there, and closing it harms nobody', async (t) => {
  const file = join(temporaryFolder(t), 'index.sqlite');
  const task = {
    indexFile: file,
    docs: oneFolder(temporaryFolder(t)),
    excluded: [],
    maxBytes: 1000,
    settings: DEFAULT_CONTEXT_SETTINGS,
  };
  const contexts = openContexts({
    engine: fakeEngine({}, []),
    parse: parseQuery,
    entryAt: () => undefined,
    revision: () => '1',
    readSoFar: () => undefined,
    settings: DEFAULT_CONTEXT_SETTINGS,
    task,
    inThread: undefined,
    found: () => new Map(),
  });
  const failing = contexts.summary('');
  // Before the failure is known: whoever waits is told, and nobody else.
  contexts.close();
  await t.rejects(failing, /there is no index yet/);
  graphSubject(t, file);
  await t.resolves(contexts.summary('nothing'));
  contexts.close();
});
