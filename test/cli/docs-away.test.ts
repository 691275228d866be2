import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import t from 'tap';
import { NAMES_VERB } from '../../src/cli/completion/name-sources.ts';
import { needsFuse } from '../fuse/fuse-available.ts';
import { hangingMount } from '../support/hanging-mount.ts';
import { memoryPlace } from './memory-place.ts';
import { MAIN } from './run-cli.ts';

const memory = (...words: readonly string[]) => ['context', 'memory', ...words];

/** A project with an entry and a session, whose docs are away then. @param docs what names them */
async function awayDocs(t: Parameters<typeof memoryPlace>[0], docs: readonly string[]) {
  const place = memoryPlace(t);
  const { folder, run } = place;
  const all = (words: readonly string[]) => run([...words, ...docs]);
  const added = await all(memory('add', 'fact/mine', 'said'));
  if (added.status !== 0) throw new Error(added.err);
  renameSync(join(folder, 'docs'), join(folder, 'elsewhere'));
  return { folder, run: all };
}

for (const docs of [[], ['--docs', 'docs']])
  t.test(
    `memory and sessions are there while the docs are away (${docs.join(' ') || 'as usual'})`,
    async (t) => {
      const { run, folder } = await awayDocs(t, docs);
      t.match(await run(memory('list')), { status: 0, out: /fact\/mine/ });
      t.match(await run(memory('show', 'mine')), { status: 0, out: /said/ });
      t.match(await run(memory('add', 'fact/more', 'text')), { status: 0 });
      t.match(await run(memory('relate', 'mine', 'supersedes', 'more')), { status: 0 });
      t.match(await run(memory('export')), { status: 0, out: /"key":"more"/ });
      t.match(await run(memory('remove', 'more')), { status: 0 });
      t.match(await run(memory('restore', 'more')), { status: 0 });
      t.match(await run(memory('gc', '--dry-run')), { status: 0 });
      t.match(await run(['session', 'list']), { status: 0 });
      t.match(await run(['context', 'history']), { status: 0, out: /mine/ });
      t.match(await run(['stats']), { status: 1, err: /docs/ }, 'what reads them refuses');
      t.notOk(existsSync(join(folder, 'docs')));
    },
  );

t.test('a link that leads nowhere is as docs that are away, and a wrong name makes no memory', async (t) => {
  const { folder, run } = await awayDocs(t, []);
  symlinkSync('nowhere', join(folder, 'docs'));
  t.match(await run(memory('list')), { status: 0, out: /fact\/mine/ });
  rmSync(join(folder, 'docs'));
  writeFileSync(join(folder, 'file'), '');
  t.match(await run(memory('list', '--docs', 'nested/typo')), { status: 1, err: /there is no such folder/ });
  t.notOk(existsSync(join(folder, 'nested')));
});

/** More than any pipe holds. */
const LONG_BYTES = 3_000_000;
/** What nobody waits longer for, and what a machine that is busy takes besides. */
const ENDED_WITHIN_MS = 10_000 + 5000;

t.test('where the docs do not answer no command waits for them for good', needsFuse(), async (t) => {
  const { folder, run } = await awayDocs(t, []);
  writeFileSync(join(folder, 'long.md'), 'a'.repeat(LONG_BYTES));
  t.match(await run(memory('add', 'fact/long', '--from', 'long.md')), { status: 0 });
  const hanging = await hangingMount(t);
  symlinkSync(hanging.docs, join(folder, 'docs'));
  hanging.hang();
  const ended = async (...words: readonly string[]) => {
    const limit = AbortSignal.timeout(ENDED_WITHIN_MS);
    const child = spawn(process.execPath, [MAIN, ...words], {
      cwd: folder,
      signal: limit,
      killSignal: 'SIGKILL',
    });
    const said = Promise.all([text(child.stdout), text(child.stderr)]);
    const [status] = await once(child, 'exit');
    const [out, err] = await said;
    return { status, out, err };
  };
  const state = ['--state', join(folder, '.kgraphfs')];
  const noAnswer = /docs: the disk that these docs lie on does not answer/;
  const [list, long, names, unknown, stats, mount, history, stop, env, ask] = await Promise.all([
    ended(...memory('list'), ...state),
    ended(...memory('show', 'long', '--json'), ...state),
    ended(NAMES_VERB, 'memories', 'fact/', ...state),
    ended(...memory('list')),
    ended('stats', ...state),
    ended('mount', 'ctx', ...state),
    ended('context', 'history', ...state),
    ended('stop', ...state),
    ended('env', ...state),
    ended('ask', '--no-llm', 'refunds', ...state),
  ]);
  t.match(list, { status: 0, out: /fact\/mine/ });
  t.ok(
    long.out.length > LONG_BYTES && long.out.endsWith('}\n'),
    'all of it is written before the command ends',
  );
  t.match(names, { status: 0, out: 'fact/long\nfact/mine\n' });
  t.match(unknown, { status: 1, err: noAnswer });
  t.match(stats, { status: 1, err: /does not answer; try again when it does/ });
  t.match(mount.err, noAnswer);
  t.match(history, { status: 0, out: /mine/ });
  t.match(stop.err, noAnswer);
  t.match(`${env.out}${env.err}`, noAnswer);
  t.match(ask, { status: 1, err: noAnswer });
  hanging.goOn();
});
