import t from 'tap';
import { Daemon, newMountPoint } from '../fuse/daemon.ts';
import { needsFuse } from '../fuse/fuse-available.ts';
import { onEachDriver } from '../support/each-driver.ts';
import { temporaryFolder } from '../support/temporary.ts';
import type { Ability } from './client.ts';
import { fixture } from './fixture.ts';
import { vfsClient } from './in-process.ts';
import { MemoryTree } from './memory-tree.ts';
import { MountClient } from './mounted.ts';
import { folderClient, writeTree } from './native.ts';
import { newScratchpad, scratchpadAt } from './scratchpad-subject.ts';
import { ATTRIBUTE_CHANGES, CASES, runSuite } from './suite.ts';

const ALL = [...CASES, ...ATTRIBUTE_CHANGES];

t.test('a plain folder, which shows that the cases are right', async (t) => {
  const folder = temporaryFolder(t);
  writeTree(folder, fixture());
  await runSuite(t, folderClient(folder, ['changes', 'looks-first', 'any-bytes']), ALL);
});

t.test('a tree in this process', async (t) => {
  const tree = new MemoryTree();
  for (const [path, node] of fixture()) tree.put(path, node);
  const system = tree.asVfs((error) => t.fail(String(error)));
  await runSuite(t, vfsClient(system, ['looks-first']), ALL);
});

t.test('a scratchpad in this process', async (t) => {
  const tree = scratchpadAt(newScratchpad(temporaryFolder(t)), (error) => t.fail(String(error)));
  await runSuite(t, vfsClient(tree, ['changes', 'looks-first']), CASES);
});

onEachDriver('a mounted scratchpad', needsFuse(), async (t, driver) => {
  const folder = newScratchpad(temporaryFolder(t));
  const daemon = await Daemon.start(t, { driver, point: newMountPoint(t), tree: 'scratchpad', folder });
  await runSuite(t, mountClient(t, daemon.point, ['changes', 'looks-first']), CASES);
  t.same(await daemon.tell({ do: 'bugs' }), []);
});

onEachDriver('a mount', needsFuse(), async (t, driver) => {
  const daemon = await Daemon.start(t, { driver, point: newMountPoint(t), tree: 'fixture' });
  await runSuite(t, mountClient(t, daemon.point, ['looks-first']), ALL);
  t.same(await daemon.tell({ do: 'bugs' }), []);
});

onEachDriver('a read-only mount whose opens are not seen', needsFuse(), async (t, driver) => {
  const mount = { readOnly: true, seeOpens: false };
  const daemon = await Daemon.start(t, { driver, point: newMountPoint(t), tree: 'fixture', mount });
  await runSuite(t, mountClient(t, daemon.point, []), ALL);
  t.same(await daemon.tell({ do: 'bugs' }), []);
});

function mountClient(
  t: { teardown(action: () => void): void },
  point: string,
  abilities: readonly Ability[],
): MountClient {
  const client = new MountClient(point, abilities);
  t.teardown(() => client.close());
  return client;
}
