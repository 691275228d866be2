import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { IngestThread } from '../../src/ingest/ingest-thread.ts';
import type { IngestReply } from '../../src/ingest/ingest-worker.ts';
import { oneFolder } from '../support/one-folder.ts';
import { temporaryFolder } from '../support/temporary.ts';
import { within } from '../support/within.ts';

/** Against what hangs. */
const LIMIT_MS = 20_000;

t.test('what is asked for as soon as a thread has crashed is read by another one', async (t) => {
  const folder = temporaryFolder(t);
  const [docs, state] = [join(folder, 'docs'), join(folder, 'state')];
  mkdirSync(docs);
  writeFileSync(join(docs, 'a.md'), '# Refund\n');
  // Where the index is to be made there is a file.
  writeFileSync(state, '');
  const task = {
    docs: oneFolder(docs),
    indexFile: join(state, 'index.sqlite'),
    searchFile: join(state, 'search.sqlite'),
    excluded: [],
    maxBytes: 1000,
  };
  let crashes = 0;
  let thread: IngestThread | undefined;
  t.teardown(() => thread?.end());
  const indexed = new Promise<IngestReply>((resolve) => {
    thread = new IngestThread(
      task,
      (reply) => {
        if (reply.type !== 'progress') resolve(reply);
      },
      () => {
        crashes += 1;
        rmSync(state);
        mkdirSync(state);
        thread?.update([''], new Map([['', docs]]));
      },
    );
    thread.start();
  });
  t.match(await within(LIMIT_MS, indexed), { type: 'indexed', result: { documents: 1 } });
  t.equal(crashes, 1);
});
