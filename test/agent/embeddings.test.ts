import { setTimeout as pause } from 'node:timers/promises';
import t, { type Test } from 'tap';
import { openAiEmbedder } from '../../src/agent/embeddings.ts';
import { ModelError } from '../../src/core/model-error.ts';
import { type Scripted, startEmbeddingServer } from '../support/embedding-server.ts';

const KEY = 'sk-test-0123456789abcdef';
const ONCE = { attempts: 1 };

async function subject(t: Test, options: { apiKey?: string; dimensions?: number; timeoutMs?: number } = {}) {
  const server = await startEmbeddingServer(32);
  t.teardown(() => server.close());
  const { apiKey = KEY, ...others } = options;
  const embedder = openAiEmbedder({ baseUrl: server.url, apiKey, model: 'words', ...others });
  return { server, embedder };
}

async function failure(action: Promise<unknown>): Promise<ModelError> {
  const error: unknown = await action.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (error instanceof ModelError) return error;
  throw error ?? new Error('nothing was thrown');
}

function similarity(a: Float32Array | undefined, b: Float32Array | undefined): number {
  return [...(a ?? [])].reduce((sum, value, index) => sum + value * (b?.[index] ?? 0), 0);
}

t.test('each text gets its vector, of unit length, whatever the order of the answer', async (t) => {
  const { server, embedder } = await subject(t);
  const texts = ['delete an account', 'remove a user', 'latency of a query'];
  const [first, second, third] = await embedder.embed(texts, ONCE);
  t.ok(Math.abs(similarity(first, first) - 1) < 1e-5);
  t.ok(similarity(first, second) > similarity(first, third) + 0.2, 'a paraphrase is near');
  const seen = server.requests[0];
  t.match(seen, { model: 'words', texts, authorization: `Bearer ${KEY}`, encodingFormat: 'float' });
  t.equal(seen?.dimensions, undefined);
  t.same(await embedder.embed([], ONCE), []);
  t.equal(server.requests.length, 1, 'nothing is asked for nothing');
});

t.test('half a character at the end of a text is replaced', async (t) => {
  const { server, embedder } = await subject(t);
  await embedder.embed(['cut \ud83d'], ONCE);
  t.same(server.requests[0]?.texts, ['cut \ufffd']);
});

t.test('dimensions are asked for, and are a part of what vectors are comparable within', async (t) => {
  const { server, embedder } = await subject(t, { dimensions: 16 });
  t.equal((await embedder.embed(['a refund'], ONCE))[0]?.length, 16);
  t.equal(server.requests[0]?.dimensions, 16);
  t.equal(embedder.model, 'words (16)');
});

t.test('without a key none is sent', async (t) => {
  const server = await startEmbeddingServer(8);
  t.teardown(() => server.close());
  await openAiEmbedder({ baseUrl: server.url, apiKey: undefined, model: 'words' }).embed(['x'], ONCE);
  t.equal(server.requests[0]?.authorization, undefined);
});

t.test('what passes is asked for again, when the API says so', async (t) => {
  const { server, embedder } = await subject(t);
  server.script(
    { kind: 'status', status: 429, headers: { 'retry-after': '0.2' } },
    { kind: 'status', status: 503, headers: { 'retry-after-ms': '10' } },
    { kind: 'error-with-200' },
  );
  const startMs = performance.now();
  t.equal((await embedder.embed(['a'], { attempts: 4 })).length, 1);
  t.equal(server.requests.length, 4);
  t.ok(performance.now() - startMs >= 210, 'not before');
});

t.test('an API that wants to be left alone for long is not waited for', async (t) => {
  const { server, embedder } = await subject(t);
  server.script({ kind: 'status', status: 429, headers: { 'retry-after': '3600' } });
  const error = await failure(embedder.embed(['a'], { attempts: 5 }));
  t.match(error, { failure: 'busy', retryAfterMs: 3_600_000 });
  t.equal(server.requests.length, 1);
});

t.test('an answer that is none is an error that says what is wrong', async (t) => {
  const cases: [Scripted, Partial<ModelError> | object][] = [
    [{ kind: 'wrong-count' }, { failure: 'malformed', message: /gave 1 vectors, not one for each of 2/ }],
    [{ kind: 'other-dimension' }, { failure: 'malformed', message: /33 dimensions, and 32|32 .* 33/ }],
    [{ kind: 'nulls' }, { failure: 'refused', message: /not made of numbers/ }],
    [{ kind: 'zeros' }, { failure: 'refused', message: /zeros/ }],
    [{ kind: 'base64' }, { failure: 'malformed', message: /no embeddings: data\.0\.embedding/ }],
    [{ kind: 'broken-json' }, { failure: 'malformed', message: /not JSON/ }],
    [{ kind: 'not-json' }, { failure: 'barred', message: /a page for browsers/ }],
    [{ kind: 'error-with-200' }, { failure: 'busy', message: /overloaded/ }],
    [
      { kind: 'status', status: 400 },
      { failure: 'refused', message: /as scripted/ },
    ],
    [{ kind: 'status', status: 404 }, { failure: 'barred' }],
    [{ kind: 'status', status: 500 }, { failure: 'busy' }],
  ];
  for (const [scripted, expected] of cases) {
    const { server, embedder } = await subject(t);
    server.script(scripted);
    const error = await failure(embedder.embed(['a', 'b'], ONCE));
    t.match(error, expected, scripted.kind);
    t.notMatch(error.message, KEY, `${scripted.kind} tells no key`);
  }
});

t.test('a vector of another dimension than those before is an error', async (t) => {
  const { server, embedder } = await subject(t);
  await embedder.embed(['a'], ONCE);
  server.script({ kind: 'other-dimension' });
  t.match(await failure(embedder.embed(['a'], ONCE)), {
    failure: 'malformed',
    message: 'words gave a vector of 33 dimensions, and 32 are expected',
  });
});

t.test('an error that echoes the key is told without it', async (t) => {
  const { server, embedder } = await subject(t);
  server.script({ kind: 'echo-key' });
  const error = await failure(embedder.embed(['a'], { attempts: 3 }));
  t.match(error, { failure: 'barred', message: /Incorrect API key provided: \[key\]/ });
  t.equal(server.requests.length, 1, 'a wrong key is not tried again');
});

t.test('a server that hangs is given up after the time limit, also within an answer', async (t) => {
  for (const kind of ['hang', 'hang-in-body'] as const) {
    const { server, embedder } = await subject(t, { timeoutMs: 150 });
    server.script({ kind });
    t.match(await failure(embedder.embed(['a'], ONCE)), { failure: 'busy', message: /within 150 ms/ }, kind);
  }
});

t.test('whoever does not want to wait any longer need not', async (t) => {
  const { server, embedder } = await subject(t);
  server.script({ kind: 'hang' }, { kind: 'status', status: 429, headers: { 'retry-after': '20' } });
  for (const attempts of [1, 5]) {
    const [before, leaving] = [server.requests.length, new AbortController()];
    const left = failure(embedder.embed(['a'], { attempts, signal: leaving.signal }));
    while (server.requests.length === before) await pause(5);
    // The second is answered by then, and rests.
    await pause(100);
    leaving.abort();
    t.match(await left, { failure: 'stopped' });
  }
  t.match(await failure(embedder.embed(['a'], { attempts: 1, signal: AbortSignal.abort() })), {
    failure: 'stopped',
  });
  t.equal(server.requests.length, 2, 'and nothing was asked');
});

t.test('a redirect sends nothing to anybody else', async (t) => {
  const { server, embedder } = await subject(t);
  const other = await startEmbeddingServer(8);
  t.teardown(() => other.close());
  server.script({ kind: 'redirect', to: `${other.url}/embeddings` });
  t.match(await failure(embedder.embed(['secret plans'], ONCE)), {
    failure: 'barred',
    message: /answered with a redirect to .*\/embeddings, where nothing is sent/,
  });
  t.equal(other.requests.length, 0);
});

t.test('a server that is not there is named', async (t) => {
  const embedder = openAiEmbedder({ baseUrl: 'http://127.0.0.1:9/v1', apiKey: undefined, model: 'm' });
  t.match(await failure(embedder.embed(['a'], ONCE)), {
    failure: 'busy',
    message: /127\.0\.0\.1:9.*cannot be reached/,
  });
});
