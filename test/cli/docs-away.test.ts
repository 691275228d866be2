import { existsSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { memoryPlace } from './memory-place.ts';

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
