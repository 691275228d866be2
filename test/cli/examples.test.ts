import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import t from 'tap';
import { COMMANDS } from '../../src/cli/registry.ts';
import { needsFuse } from '../fuse/fuse-available.ts';
import { startChatServer } from '../support/chat-server.ts';
import { mountPlace } from './mount/mount-place.ts';
import { programHere } from './program-here.ts';

/** For who decides on an entry that waits. */
const WAITING = `kgraphfs context memory remove refunds --docs docs/sample &&
  kgraphfs context memory add fact/refunds "Refunds take 5 days" --tags needs_review --docs docs/sample`;

/** What has to be done first, where the examples before it do not. */
const PREPARATIONS: ReadonlyMap<string, string> = new Map([
  [
    'context memory relate',
    'kgraphfs context memory add fact/partial-refunds "A partial refund keeps the charge" --docs docs/sample',
  ],
  ['context memory accept', WAITING],
  ['context memory reject', WAITING],
  ['context memory remove', 'kgraphfs context memory restore refunds --docs docs/sample'],
  [
    'context update',
    `echo '[{"role": "user", "content": "How long are idempotency keys kept?"}]' > chat.json`,
  ],
  ['context evaluate', 'echo "Idempotency keys are kept for 48 hours." > answer.md'],
  [
    'context recall',
    `echo '[{"role": "user", "content": "Ada moved to Lisbon."}, {"role": "user", "content": "a"}, {"role": "user", "content": "b"}]' |
      kgraphfs context page --history - --window 40 --docs docs/sample`,
  ],
  ['graph log', 'kgraphfs sync --docs docs/sample'],
  ['chat', 'echo "How long are idempotency keys kept?" | kgraphfs chat --docs docs/sample'],
]);

/** What somebody says to a command that answers only then. */
const INPUTS: ReadonlyMap<string, string> = new Map([
  ['chat', 'And after that?\n'],
  [
    'mcp',
    `${JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'initialize',
      params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '1' } },
    })}\n`,
  ],
]);

t.test('the example of each command works in a clone, in the order of the help', needsFuse(), async (t) => {
  const { folder: home } = mountPlace(t);
  const clone = join(home, 'clone');
  cpSync('docs/sample', join(clone, 'docs/sample'), { recursive: true });
  const program = join(home, 'bin/kgraphfs');
  mkdirSync(join(home, 'bin'));
  await programHere(t, program);
  // An editor that is content with what it sees.
  const editor = { EDITOR: 'true', VISUAL: 'true' };
  const author = {
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_AUTHOR_NAME: 'Ana',
    GIT_AUTHOR_EMAIL: 'ana@example.org',
    GIT_COMMITTER_NAME: 'Ana',
    GIT_COMMITTER_EMAIL: 'ana@example.org',
  };
  const env = {
    ...process.env,
    ...editor,
    ...author,
    HOME: home,
    PATH: `${join(home, 'bin')}:${process.env['PATH']}`,
  };
  const model = await startChatServer();
  t.teardown(() => model.close());
  model.otherwise(() => ({ text: 'For 48 hours [idempotency.md:21].' }));
  const ofModel = { KGRAPHFS_BASE_URL: model.url, KGRAPHFS_MODEL: 'qwen3' };
  const run = async (line: string, verb = '') => {
    const input = INPUTS.get(verb);
    const shell = spawn(
      'bash',
      ['--norc', '-c', input === undefined ? line : `${line} <<'END'\n${input}END`],
      {
        cwd: clone,
        env: verb === 'chat' ? { ...env, ...ofModel } : env,
        stdio: ['ignore', 'pipe', 'pipe'],
      },
    );
    const ended = once(shell, 'close');
    const [stdout, stderr] = await Promise.all([text(shell.stdout), text(shell.stderr)]);
    await ended;
    return { status: shell.exitCode, stdout, stderr };
  };
  t.equal((await run('git init -q && git add -A && git commit -q -m docs')).status, 0);
  for (const { verb, example } of COMMANDS) {
    const preparation = PREPARATIONS.get(verb);
    if (preparation !== undefined) t.equal((await run(preparation, verb)).status, 0, preparation);
    const { status, stdout, stderr } = await run(example, verb);
    t.equal(status, 0, example);
    // What is said beside the answer is no complaint.
    t.notMatch(stderr, /kgraphfs:|error|warning/i, example);
    t.ok((stdout + stderr).length > 0, `${example} says something`);
  }
});
