import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import t from 'tap';
import { openApp } from '../../src/app/app.ts';
import { openParts } from '../../src/app/parts.ts';
import { UserError } from '../../src/core/errors.ts';
import { OpenedParts } from '../../src/core/opened-parts.ts';
import { parseQuery } from '../../src/retrieval/language/parse-query.ts';
import { stateFolderAt } from '../../src/state/state-folder.ts';
import { indexedSample } from '../support/indexed-sample.ts';
import { openBelow } from '../support/open-below.ts';

t.test('where a part cannot be opened, those that were opened before are closed', async (t) => {
  const { settings, docs } = await indexedSample(t);
  const { contextFile, historySearchFile } = stateFolderAt(settings.state);
  const open = () => openApp({ settings, slowInThread: true });
  const before = openBelow(dirname(docs));
  writeFileSync(contextFile, 'no database at all, and long enough to be taken for a damaged one'.repeat(100));
  t.throws(open, UserError);
  t.same(openBelow(dirname(docs)), before, 'memory is damaged');
  rmSync(contextFile);
  mkdirSync(historySearchFile);
  t.throws(open);
  t.same(openBelow(dirname(docs)), before, 'what is searched of the history cannot be opened');
  rmSync(historySearchFile, { recursive: true });
  open().close();
  t.same(openBelow(dirname(docs)), before, 'nor is anything left of one that was open');
});

t.test('each part that can be closed is closed with the others', async (t) => {
  const { settings } = await indexedSample(t);
  const opened = new OpenedParts();
  t.teardown(() => opened.close());
  const closed = new Set<unknown>();
  const add = opened.add.bind(opened);
  opened.add = (part) => {
    closed.add(part);
    return add(part);
  };
  const parts = Object.entries(openParts({ settings, slowInThread: true }, opened));
  const closable = parts.filter(([, part]) => typeof part === 'object' && part !== null && 'close' in part);
  const names = closable.map(([name]) => name).sort();
  t.same(names, ['commits', 'contexts', 'folders', 'search', 'store', 'thread', 'workspace']);
  t.same(
    closable.filter(([, part]) => !closed.has(part)).map(([name]) => name),
    [],
  );
});

t.test('who asks to be told hears how much of memory a search has still to take in', async (t) => {
  const { settings } = await indexedSample(t);
  const app = openApp({ settings, slowInThread: true });
  t.teardown(() => app.close());
  const heard: number[] = [];
  const end = app.onTakenIn((left) => heard.push(left));
  app.memory.add({ type: 'fact', key: 'kiln', content: Buffer.from('The kiln is lit at dawn') }, {});
  await app.search.search(parseQuery('kiln'), { limit: 1 });
  t.equal(heard.at(-1), 0);
  const before = heard.length;
  end();
  await app.search.search(parseQuery('glaze'), { limit: 1 });
  t.equal(heard.length, before);
});
