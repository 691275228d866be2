import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { temporaryFolder } from '../support/temporary.ts';
import { runHere } from './run-here.ts';

const QUESTION = 'How is a charge refunded?';

t.test('what a command computed says by which call, in what time and of which revision', async (t) => {
  const state = join(temporaryFolder(t), 'state');
  const place = ['--docs', 'docs/sample', '--state', state];
  const answer = join(temporaryFolder(t), 'answer.md');
  const chat = join(temporaryFolder(t), 'chat.json');
  writeFileSync(answer, 'A refund reverses a charge.\n');
  writeFileSync(chat, JSON.stringify([{ role: 'user', content: QUESTION }]));
  const asked: readonly (readonly [command: string, args: object, ...rest: string[]])[] = [
    ['build', {}],
    ['search', { query: QUESTION, limit: 3, scope: '/' }, QUESTION, '--limit', '3'],
    ['connect', { from: 'Subscription', to: 'Charge' }, 'Subscription', 'Charge'],
    ['query', { concept: 'Charge', format: 'text' }, 'Charge'],
    [
      'inspect',
      { node: 'Charge', depth: 1, direction: 'out', edges: [], limit: 10 },
      'Charge',
      '--depth',
      '1',
    ],
    ['stats', {}],
    ['lint', { paths: [], rule: [] }],
    ['check', {}],
    ['ask', { question: [QUESTION], llm: false }, QUESTION, '--no-llm'],
    ['vfs search', { query: 'charge', limit: 10 }, 'charge'],
    [
      'vfs exec',
      { path: '/graph', action: 'find_path', args: ['Subscription', 'Charge'] },
      '/graph',
      'find_path',
      'Subscription',
      'Charge',
    ],
    ['context build', { question: QUESTION }, QUESTION],
    ['context summary', { path: 'docs' }, 'docs'],
    ['context evaluate', { question: QUESTION, answer }, '--question', QUESTION, '--answer', answer],
    ['context update', { history: chat, mode: 'adaptive' }, '--history', chat],
    ['context page', { history: chat, window: 4000 }, '--history', chat, '--window', '4000'],
    ['context recall', { question: QUESTION }, QUESTION],
    ['schema check', { map: 'spec-driven' }, 'spec-driven'],
    ['schema apply', {}],
  ];
  for (const [command, args, ...rest] of asked) {
    const { out, err } = await runHere([...command.split(' '), ...rest, '--json', ...place]);
    const { call, duration_ms, revision } = JSON.parse(out || `"${err}"`);
    t.equal(call?.command, command);
    t.match(call?.args, args, command);
    t.notOk(JSON.stringify(call?.args).includes(state), `${command} names no state folder`);
    t.ok(Number.isInteger(duration_ms) && duration_ms >= 0, `${command}: ${duration_ms} ms`);
    t.ok(Number.isInteger(revision) && revision > 0, `${command}: revision ${revision}`);
  }
});

t.test('each line of a batch says so of its own query', async (t) => {
  const place = ['--docs', 'docs/sample', '--state', join(temporaryFolder(t), 'state')];
  const { out } = await runHere(['search', '--batch', '-', ...place], { input: 'refund\nwebhook\n' });
  const lines = out
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  t.same(
    lines.map(({ call }) => call.args.query),
    ['refund', 'webhook'],
  );
  t.ok(lines.every(({ duration_ms, revision }) => Number.isInteger(duration_ms) && revision > 0));
});
