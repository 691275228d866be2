import { join } from 'node:path';
import t from 'tap';
import { promptVersion } from '../../src/model-extraction/prompt.ts';
import { openExtractionStore } from '../../src/store/extractions.ts';
import type { ChatServer, ScriptedReply } from '../support/chat-server.ts';
import { temporaryFolder } from '../support/temporary.ts';
import { NOTHING, subject } from './ask-subject.ts';
import { shownDocument } from './asked-document.ts';

/** Paths that were asked about, in order. */
function asked({ requests }: ChatServer): string[] {
  return requests.map((seen) => shownDocument(seen).path);
}

t.test('each document is asked about once, with the schema of the answer, and never again', async (t) => {
  const { server, kept, ask } = await subject(t, 5);
  const report = await ask();
  t.match(report, {
    total: 5,
    answered: 5,
    cached: 0,
    failed: 0,
    left: 0,
    requests: 5,
    stoppedBy: undefined,
  });
  t.match(report, { inputTokens: 500, outputTokens: 50 });
  t.same(asked(server).sort(), ['0.md', '1.md', '2.md', '3.md', '4.md']);
  t.match(server.requests[0], { response_format: { type: 'json_schema', json_schema: { strict: true } } });
  t.equal(kept.size, 5);
  t.match(await ask(), { answered: 0, cached: 5, requests: 0, inputTokens: 0 });
  t.equal(server.requests.length, 5);
});

t.test('an API that knows no schema is asked for any JSON, then for text, and not tried again', async (t) => {
  const { server, ask } = await subject(t, 3);
  server.otherwise((seen) =>
    'response_format' in seen ? { status: 400, message: 'no such field' } : NOTHING,
  );
  t.match(await ask({ concurrency: 1 }), { answered: 3, failed: 0, requests: 5 });
});

t.test('what fails for a moment is asked for again, what fails for good fails alone', async (t) => {
  const { server, kept, ask } = await subject(t, 6);
  let isFirst = true;
  server.otherwise((seen): ScriptedReply => {
    const { path } = shownDocument(seen);
    if (path === '1.md') return { status: 503 };
    if (path === '2.md') return { text: 'I would rather not.' };
    if (path === '3.md' && isFirst) {
      isFirst = false;
      return { kind: 'break-off' };
    }
    return NOTHING;
  });
  const report = await ask();
  t.match(report, { answered: 4, failed: 2, left: 0, stoppedBy: undefined });
  t.match(
    report.failures.toSorted((a, b) => (a.path < b.path ? -1 : 1)),
    [
      { path: '1.md', reason: /503/ },
      { path: '2.md', reason: /not JSON/ },
    ],
  );
  t.equal(asked(server).filter((path) => path === '1.md').length, 5);
  t.equal(asked(server).filter((path) => path === '2.md').length, 1);
  t.notOk(kept.has('hash-1') || kept.has('hash-2'), 'they are asked about the next time');
});

t.test('an API that is asked too often is left alone by all for as long as it says', async (t) => {
  const { server, ask } = await subject(t, 8);
  const times: number[] = [];
  server.otherwise((): ScriptedReply => {
    times.push(performance.now());
    return times.length === 1 ? { status: 429, headers: { 'retry-after-ms': '300' } } : NOTHING;
  });
  t.match(await ask({ concurrency: 2 }), { answered: 8, failed: 0 });
  const [first = 0] = times;
  const late = times.filter((time) => time - first > 290);
  t.ok(late.length >= 5, `all but those that were under way: ${times.map((time) => time - first)}`);
});

t.test('a wrong key ends the asking at once, and is not told', async (t) => {
  const { server, ask } = await subject(t, 50);
  server.otherwise(() => ({ kind: 'echo-key' }));
  const report = await ask();
  t.match(report, { answered: 0, stoppedBy: 'barred', left: 50, inputTokens: 0, outputTokens: 0 });
  t.ok(server.requests.length <= 4);
  t.notMatch(JSON.stringify(report), 'sk-secret');
});

t.test('where nobody answers, a few documents are enough to know', async (t) => {
  const { server, ask } = await subject(t, 200);
  server.otherwise(() => ({ status: 500 }));
  const report = await ask();
  t.match(report, { answered: 0, stoppedBy: 'unreachable' });
  t.ok(report.left > 150);
});

t.test('a stop gives up what is under way, and keeps what was answered', async (t) => {
  const { server, kept, ask } = await subject(t, 10);
  const stopping = new AbortController();
  let count = 0;
  server.otherwise((): ScriptedReply => {
    count += 1;
    if (count <= 3) return NOTHING;
    stopping.abort();
    return { kind: 'hang' };
  });
  const report = await ask({ concurrency: 1, signal: stopping.signal });
  t.match(report, { answered: 3, left: 7, failed: 0, stoppedBy: 'signal' });
  t.equal(kept.size, 3);
  server.otherwise(() => NOTHING);
  t.match(await ask(), { answered: 7, cached: 3 });
});

t.test('a long document is asked about in pieces, and goes on where it was stopped', async (t) => {
  const { server, ask } = await subject(t, 1);
  const text = Array.from({ length: 3 }, (_, index) => `# Part ${index}\n\n${'word '.repeat(2600)}\n`).join(
    '',
  );
  const textOf = () => text;
  const refusals = Array.from({ length: 4 }, () => ({ status: 422 }));
  server.script(NOTHING, ...refusals);
  t.match(await ask({ textOf }), { failed: 1, answered: 0 });
  t.match(await ask({ textOf }), { answered: 1, requests: 2 }, 'the first piece is known');
  t.equal(shownDocument(server.requests.at(-1) ?? { messages: [] }).lines.get(7), '# Part 2');
});

t.test('two processes at once ask about each document once, and both have all', async (t) => {
  const file = join(temporaryFolder(t), 'extractions.sqlite');
  const [one, other] = [openExtractionStore(file), openExtractionStore(file)];
  t.teardown(() => {
    one.close();
    other.close();
  });
  const { server, ask } = await subject(t, 12);
  server.otherwise(() => ({ ...NOTHING, slowMs: 20 }));
  const [first, second] = await Promise.all([
    ask({ keeper: one, nowMs: Date.now, lookAgainMs: 5 }),
    ask({ keeper: other, nowMs: Date.now, lookAgainMs: 5 }),
  ]);
  t.equal(asked(server).length, 12);
  t.same(asked(server).sort(), [...new Set(asked(server))].sort(), 'none twice');
  t.equal(first.answered + second.answered, 12);
  for (const { answered, cached, left } of [first, second]) t.same([answered + cached, left], [12, 0]);
});

t.test('what a killed process was asking about is asked for when its claim is over', async (t) => {
  const store = openExtractionStore(join(temporaryFolder(t), 'extractions.sqlite'));
  t.teardown(() => store.close());
  const { server, ask } = await subject(t, 2);
  const key = { sha256: 'hash-0', promptVersion: promptVersion(), model: 'a/model' };
  let nowMs = 1_000;
  t.ok(store.claim(key, { owner: 'killed', untilMs: nowMs + 30_000 }, nowMs));
  let looks = 0;
  const watched = {
    answeredPieces: store.answeredPieces.bind(store),
    put: store.put.bind(store),
    renewClaims: store.renewClaims.bind(store),
    release: store.release.bind(store),
    claim: (...call: Parameters<typeof store.claim>) => {
      looks += 1;
      if (looks > 5) nowMs = 31_001;
      return store.claim(...call);
    },
  };
  t.match(await ask({ keeper: watched, nowMs: () => nowMs, lookAgainMs: 1 }), { answered: 2, left: 0 });
  t.ok(looks > 5, 'it was waited for');
  t.equal(server.requests.length, 2);
  t.ok(store.claim(key, { owner: 'next', untilMs: nowMs + 1 }, nowMs), 'nothing is held afterwards');
});

t.test('who waits for another process can be stopped', async (t) => {
  const store = openExtractionStore(join(temporaryFolder(t), 'extractions.sqlite'));
  t.teardown(() => store.close());
  const { server, ask } = await subject(t, 1);
  const key = { sha256: 'hash-0', promptVersion: promptVersion(), model: 'a/model' };
  store.claim(key, { owner: 'other', untilMs: 30_000 }, 1);
  const stopping = new AbortController();
  const asking = ask({ keeper: store, signal: stopping.signal });
  stopping.abort();
  t.match(await asking, { left: 1, stoppedBy: 'signal' });
  t.equal(server.requests.length, 0);
});
