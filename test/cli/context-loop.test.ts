import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { memoryPlace } from './memory-place.ts';

const KEYS = '# Keys\n\nIdempotency keys are kept for 48 hours.\n';
const QUESTION = 'How long are idempotency keys kept?';
const CHAT = `[
  {"role": "system",  "content": "You help.", "n": 1.0},
  {"role": "user",    "content": "${QUESTION}"}
]`;

function projectWithKeys(test: Parameters<typeof memoryPlace>[0]) {
  const place = memoryPlace(test);
  place.file('docs/keys.md', KEYS);
  place.file('chat.json', CHAT);
  return place;
}

t.test('context update puts the context into a chat, and again changes nothing', async (t) => {
  const { run, json, folder } = projectWithKeys(t);
  const update = ['context', 'update', '--history'];
  const first = await run([...update, 'chat.json', '--budget', '500', '--output', 'new.json']);
  t.match(first, { status: 0, out: '', err: /^context injected: \d+ of 500 tokens\n$/ });
  const written = readFileSync(join(folder, 'new.json'), 'utf8');
  t.match(written, '{"role": "system",  "content": "You help.", "n": 1.0}');
  t.match(written, 'kept for 48 hours');
  const second = await run([...update, '-', '--budget', '500'], { input: written });
  t.match(second, { status: 0, out: written, err: /^context unchanged/ });
  const events = (await json('context', 'history', '--type', 'inject')) as {
    data: { manifest: { question: string } };
  }[];
  t.same(
    events.map(({ data }) => data.manifest.question),
    [QUESTION],
  );
});

t.test('context update tells a budget that is too small from a question that finds nothing', async (t) => {
  const { run, file } = projectWithKeys(t);
  const update = ['context', 'update', '--history', 'chat.json'];
  t.match(await run([...update, '--budget', '3']), {
    status: 0,
    err: 'nothing that was found fits into 3 tokens\n',
  });
  t.match(await run([...update, '--question', 'xyzzyx qwrtzk']), {
    status: 0,
    err: 'nothing was found for a context\n',
  });
  const { out } = await run(update);
  file('with.json', out);
  t.match(await run(['context', 'update', '--history', 'with.json', '--question', 'xyzzyx qwrtzk']), {
    err: 'context removed, nothing was found for a context\n',
  });
});

t.test('context update says what changed', async (t) => {
  const { run, file, json } = projectWithKeys(t);
  await run(['context', 'update', '--history', 'chat.json', '--output', 'chat.json']);
  file('docs/keys.md', KEYS.replace('48', '24'));
  t.match(await json('context', 'update', '--history', 'chat.json'), {
    action: 'replaced',
    changes: [{ path: '/docs/keys.md', change: 'changed' }],
    messages: [{ role: 'system' }, { content: /kept for 24 hours/ }, { role: 'user' }],
  });
  t.match(await json('context', 'update', '--history', 'chat.json', '--mode', 'static'), {
    action: 'unchanged',
    messages: [{ role: 'system' }, { content: /kept for 48 hours/ }, { role: 'user' }],
  });
});

t.test('a chat that is none is refused with its place', async (t) => {
  const { run, file } = projectWithKeys(t);
  file('bad.json', '[\n{"role":"user"},\n{"role":}]');
  t.match(await run(['context', 'update', '--history', 'bad.json', '--question', 'x']), {
    status: 2,
    out: '',
    err: /bad\.json:3:9: this is not JSON/,
  });
  t.match(await run(['context', 'page', '--history', '-', '--window', '10'], { input: '{}' }), {
    status: 2,
    err: /standard input:1:1: a chat history is an array/,
  });
});

t.test('context evaluate remembers what the docs say, once', async (t) => {
  const { run, json } = projectWithKeys(t);
  const answer =
    'Idempotency keys are kept for 48 hours (keys.md:3). Idempotency keys are kept for 24 hours.';
  const evaluate = ['context', 'evaluate', '--question', QUESTION, '--answer', '-'];
  const dry = await run([...evaluate, '--dry-run'], { input: answer });
  t.match(dry, {
    status: 0,
    out: /2 claims, 0.55 supported on average: 1 fact would be remembered, 1 for review/,
  });
  t.same(await json('context', 'memory', 'list'), []);
  t.match(await run(evaluate, { input: answer }), {
    status: 0,
    out: /docs\/keys\.md:3: Idempotency keys are kept/,
  });
  const entries = await json('context', 'memory', 'list');
  t.match(entries, [
    { memory_type: 'fact', confidence: 1, source_paths: ['keys.md:3'] },
    { memory_type: 'episodic', tags: ['needs_review', 'contradicted'] },
  ]);
  t.match(await run(evaluate, { input: answer }), { status: 0, out: /0 facts remembered, 0 for review/ });
  t.same(await json('context', 'memory', 'list'), entries);
});

t.test('context evaluate keeps to the sources of a manifest', async (t) => {
  const { run, file } = projectWithKeys(t);
  const { out } = await run(['context', 'build', 'refunds', '--json']);
  file('manifest.json', out);
  const evaluate = ['context', 'evaluate', '--question', 'x', '--answer', '-', '--dry-run', '--json'];
  const given = { input: 'Idempotency keys are kept for 48 hours.' };
  const all = await run(evaluate, given);
  const only = await run([...evaluate, '--manifest', 'manifest.json'], given);
  file('broken.json', '{\n "selected": [\n}');
  t.match(await run([...evaluate, '--manifest', 'broken.json'], given), {
    status: 2,
    err: /broken\.json:3:1: this is not JSON: Unexpected token '}'\n$/,
  });
  t.match(JSON.parse(all.out), { claims: [{ verdict: 'supported', outcome: 'fact' }] });
  t.match(JSON.parse(only.out), { claims: [{ verdict: 'unsupported', outcome: 'episodic' }] });
  t.match(await run([...evaluate, '--manifest', 'chat.json'], given), {
    status: 2,
    err: /this is not a manifest/,
  });
});

t.test('context page moves turns to memory, and context recall brings them back', async (t) => {
  const { run, json, file } = projectWithKeys(t);
  const turns = Array.from({ length: 30 }, (_, index) => [
    { role: 'user', content: `My cat number ${index} is called Minka${index}.` },
    { role: 'assistant', content: 'That is a nice name for a cat. '.repeat(5) },
  ]);
  file('long.json', JSON.stringify(turns.flat()));
  const page = ['context', 'page', '--history', 'long.json', '--window', '1500', '--conversation', 'cats'];
  t.match(await run(['context', 'recall', 'cats']), { status: 1, err: /no conversation has been paged;/ });
  const first = await json(...page);
  t.match(first, { conversation: 'cats', within_limit: true, limit_tokens: 750 });
  t.match(await json(...page), { written: { length: 0 } });
  const recalled = await run(['context', 'recall', 'Which cat is Minka3?', '--budget', '100']);
  t.match(recalled, { status: 0, out: /turn 4\]\nuser: My cat number 3 is called Minka3\./ });
  t.match(await run(['context', 'recall', 'submarine']), { status: 1, err: /no paged turn/ });
  t.match(await run(['context', 'recall', 'Minka3', '--conversation', 'dogs']), {
    status: 1,
    err: /there is no paged conversation "dogs"; kgraphfs context memory list episodic shows/,
  });
});
