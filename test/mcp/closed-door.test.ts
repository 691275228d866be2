import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { lazyDoor } from '../../src/cli/mcp/lazy-door.ts';
import { parsePath } from '../../src/core/paths.ts';
import { libraryIo } from '../../src/library/library-io.ts';
import { registerDaemon } from '../../src/state/daemons.ts';
import { stateFolderAt } from '../../src/state/state-folder.ts';
import { kgraphfs } from '../cli/run-cli.ts';
import { openBelow } from '../support/open-below.ts';
import { type Teardown, temporaryFolder } from '../support/temporary.ts';

/** A door to a project that a daemon keeps, and what ends that. */
function subject(t: Teardown) {
  const folder = temporaryFolder(t);
  const docs = join(folder, 'docs');
  mkdirSync(docs);
  writeFileSync(join(docs, 'a.md'), '# Alpha\n');
  kgraphfs(['build'], { cwd: folder });
  const stopDaemon = registerDaemon(stateFolderAt(join(folder, '.kgraphfs')), { mountpoint: null, docs });
  const warnings: string[] = [];
  const onWarning = (warning: string) => warnings.push(warning);
  const io = libraryIo({ folder, actor: undefined, session: undefined, onWarning });
  const args = { docs: [], state: undefined, config: undefined, json: undefined };
  return {
    docs,
    warnings,
    door: lazyDoor({ ...args, mayStart: false, allowWrites: false }, io),
    stopDaemon,
    open: () => openBelow(folder),
  };
}

t.test(
  'a project whose daemon has stopped is not opened anew for who asks while the server ends',
  async (t) => {
    const { door, stopDaemon, open } = subject(t);
    await door.open();
    t.not(open().length, 0);
    stopDaemon();
    const [clock, laterMs] = [performance.now, performance.now() + 60_000];
    // It looks for a daemon every few seconds.
    performance.now = () => laterMs;
    t.teardown(() => {
      performance.now = clock;
    });
    const asked = t.rejects(
      door.use(async () => {}),
      { name: 'UserError', message: 'the server has ended' },
    );
    await door.close();
    await asked;
    t.same(open(), []);
  },
);

t.test('nothing is opened for who asks when the server has ended', async (t) => {
  const { door, stopDaemon, open } = subject(t);
  await door.close();
  await t.rejects(door.open(), { message: 'the server has ended' });
  stopDaemon();
  t.same(open(), []);
});

t.test('while the docs are away, the server tells what a daemon has read of them', async (t) => {
  const { docs, door, stopDaemon, warnings } = subject(t);
  t.teardown(stopDaemon);
  t.teardown(() => door.close());
  renameSync(docs, `${docs}.away`);
  await door.use(async ({ box }) => {
    t.ok(box.graph.node('Alpha'));
    t.match(warnings, [/^the docs folder \S+\/docs is missing: the daemon .* put it back/]);
    await t.rejects(async () => box.fs.list(parsePath('/docs'), {}), { code: 'ENOENT' });
    renameSync(`${docs}.away`, docs);
    t.match(await box.fs.list(parsePath('/docs'), {}), [{ name: 'a.md' }], 'they are back');
  });
});
