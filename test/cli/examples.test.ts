import { spawnSync } from 'node:child_process';
import { chmodSync, cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { COMMANDS } from '../../src/cli/registry.ts';
import { needsFuse } from '../fuse/fuse-available.ts';
import { mountPlace } from './mount/mount-place.ts';
import { MAIN } from './run-cli.ts';

/** What has to be done first, where the examples before it do not. */
const PREPARATIONS: ReadonlyMap<string, string> = new Map([
  [
    'context memory relate',
    'kgraphfs context memory add fact/partial-refunds "A partial refund keeps the charge" --docs docs/sample',
  ],
  [
    'context memory restore',
    'kgraphfs mount ~/ctx --docs docs/sample && rm ~/ctx/context/memory/fact/refunds && kgraphfs unmount ~/ctx',
  ],
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
]);

t.test('the example of each command works in a clone, in the order of the help', needsFuse(), async (t) => {
  const { folder: home } = mountPlace(t);
  const clone = join(home, 'clone');
  cpSync('docs/sample', join(clone, 'docs/sample'), { recursive: true });
  const program = join(home, 'bin/kgraphfs');
  mkdirSync(join(home, 'bin'));
  writeFileSync(program, `#!/bin/sh\nexec '${process.execPath}' '${MAIN}' "$@"\n`);
  chmodSync(program, 0o755);
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
  const run = (line: string) => spawnSync('bash', ['-c', line], { cwd: clone, env, encoding: 'utf8' });
  t.equal(run('git init -q && git add -A && git commit -q -m docs').status, 0);
  for (const { verb, example } of COMMANDS) {
    const preparation = PREPARATIONS.get(verb);
    if (preparation !== undefined) t.equal(run(preparation).status, 0, preparation);
    const { status, stdout, stderr } = run(example);
    t.equal(status, 0, example);
    // What is said beside the answer is no complaint.
    t.notMatch(stderr, /kgraphfs:|error|warning/i, example);
    t.ok((stdout + stderr).length > 0);
  }
});
