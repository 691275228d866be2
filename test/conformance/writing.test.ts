import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { childOf, ROOT } from '../../src/core/paths.ts';
import { Daemon, newMountPoint } from '../fuse/daemon.ts';
import { needsFuse } from '../fuse/fuse-available.ts';
import { onEachDriver } from '../support/each-driver.ts';
import { temporaryFolder } from '../support/temporary.ts';
import { vfsSteps } from './in-process-steps.ts';
import { FACTS, memoryAt } from './memory-subject.ts';
import { mountSteps } from './mounted-steps.ts';
import { emptyScratchpad, scratchpadAt } from './scratchpad-subject.ts';
import { folderSteps } from './steps.ts';
import { runWriting } from './writing.ts';

t.test('a plain folder, which shows that the cases are right', async (t) => {
  const base = temporaryFolder(t);
  await runWriting(t, async (name) => {
    mkdirSync(join(base, name));
    return folderSteps(join(base, name));
  });
});

t.test('a scratchpad in this process', async (t) => {
  const tree = scratchpadAt(emptyScratchpad(temporaryFolder(t)), (error) => t.fail(String(error)));
  await runWriting(t, async (name) => {
    await tree.makeFolder(childOf(ROOT, name), 0o755, {});
    return vfsSteps(tree, childOf(ROOT, name));
  });
});

onEachDriver('a mounted scratchpad', needsFuse(), async (t, driver) => {
  const folder = emptyScratchpad(temporaryFolder(t));
  const daemon = await Daemon.start(t, { driver, point: newMountPoint(t), tree: 'scratchpad', folder });
  const stepsIn = mountSteps(t);
  await runWriting(t, async (name) => {
    await stepsIn(daemon.point)([{ do: 'mkdir', path: name }]);
    return stepsIn(join(daemon.point, name));
  });
  t.same(await daemon.tell({ do: 'bugs' }), []);
});

t.test('a memory in this process', async (t) => {
  const tree = memoryAt(temporaryFolder(t), (error) => t.fail(String(error)));
  await runWriting(t, async (name) => {
    await tree.makeFolder(childOf(FACTS, name), 0o755, {});
    return vfsSteps(tree, childOf(FACTS, name));
  });
});

onEachDriver('a mounted memory', needsFuse(), async (t, driver) => {
  const folder = temporaryFolder(t);
  const daemon = await Daemon.start(t, { driver, point: newMountPoint(t), tree: 'memory', folder });
  const facts = join(daemon.point, FACTS);
  const stepsIn = mountSteps(t);
  await runWriting(t, async (name) => {
    await stepsIn(facts)([{ do: 'mkdir', path: name }]);
    return stepsIn(join(facts, name));
  });
  t.same(await daemon.tell({ do: 'bugs' }), []);
});
