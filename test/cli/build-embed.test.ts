import { setTimeout as pause } from 'node:timers/promises';
import t, { type Test } from 'tap';
import { thisProcess } from '../../src/state/processes.ts';
import { openVectorStore } from '../../src/store/vector-store.ts';
import { answered } from '../model-extraction/asked-document.ts';
import { startEmbeddingServer } from '../support/embedding-server.ts';
import { askPlace } from './ask-place.ts';

const DOCS = { 'a.md': '# A\n\nAn **A** requires a **B**.\n', 'b.md': '# B\n\nWhat an **A** requires.\n' };

/** A project, a language model that finds nothing, and a model of embeddings. */
async function subject(t: Test) {
  const place = await askPlace(t, DOCS);
  place.server.otherwise(() => answered({}));
  const embeddings = await startEmbeddingServer(64);
  t.teardown(() => embeddings.close());
  const embed = ['--embed', '--embeddings-url', embeddings.url, '--embeddings-model', 'words'];
  const llm = ['--llm', '--base-url', place.server.url, '--model', 'a/model'];
  return { ...place, embeddings, embed, llm };
}

/** What a command that runs in this process has put up for Ctrl-C: unlike others here it hears it once. */
function waiting() {
  return process.rawListeners('SIGINT').filter((listener) => 'listener' in listener);
}

function interrupt(): void {
  for (const listener of waiting()) listener('SIGINT');
}

t.test('who stops the asking of a model has no text sent to another', async (t) => {
  const { server, embeddings, run, embed, llm } = await subject(t);
  server.otherwise(() => {
    setImmediate(interrupt);
    return { kind: 'hang' };
  });
  const { status, out, err } = await run(['build', ...llm, ...embed]);
  t.equal(status, 130);
  t.match(err, 'it was stopped; 2 documents not asked about');
  t.notMatch(out, 'embedded');
  t.equal(embeddings.requests.length, 0);
});

t.test('what a model answered is told also where texts cannot be embedded', async (t) => {
  const { embeddings, run, embed, llm } = await subject(t);
  embeddings.script({ kind: 'status', status: 401 }, { kind: 'status', status: 401 });
  const { status, out, err } = await run(['build', ...llm, ...embed]);
  t.equal(status, 1);
  t.match(out, /^built 2 documents .*\nasked a\/model: 2 documents answered, 0 known before\n/);
  t.match(out, /spent: 200 tokens in, 20 out/);
  t.match(err, /401 as scripted; look at key, --embeddings-model and --embeddings-url .*; 0 of \d+ texts/);
  const again = await run(['build', ...llm, ...embed, '--json']);
  t.match(again, { status: 1, err: /401/ });
  t.match(JSON.parse(again.out), { documents: 2, llm: { answered: 0, cached: 2 } });
});

t.test('who waits for another process that embeds can be stopped', async (t) => {
  const { embeddings, folder, run, embed } = await subject(t);
  await run(['build']);
  const other = await openVectorStore(`${folder}/.kgraphfs/vectors.sqlite`, 'words');
  t.teardown(() => other.close());
  const holder = { id: 'other', ...thisProcess() };
  other.hold(holder, { nowMs: Date.now(), forMs: 100_000, isAlive: () => true });
  const built = run(['build', ...embed]);
  while (waiting().length === 0) await pause(5);
  interrupt();
  const { status, err } = await built;
  t.equal(status, 130);
  t.match(err, /stopped; 0 of \d+ texts are embedded, and kept/);
  t.equal(embeddings.requests.length, 0);
});

t.test('texts that a model refuses are counted, with the reason', async (t) => {
  const { embeddings, run, embed } = await subject(t);
  embeddings.refuse('What an');
  const { status, out, err } = await run(['build', ...embed]);
  t.equal(status, 0);
  t.match(out, /embedded (\d+) of (?!\1)\d+ texts/);
  t.match(err, '1 text without a vector, found by words alone: ');
  t.match(err, 'input is too long for this model');
});
