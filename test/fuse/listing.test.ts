import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { emptyScratchpad } from '../conformance/scratchpad-subject.ts';
import { onEachDriver } from '../support/each-driver.ts';
import { temporaryFolder } from '../support/temporary.ts';
import { Daemon, newMountPoint, shell } from './daemon.ts';
import { needsFuse } from './fuse-available.ts';

/** Several answers of getdents(2). */
const FILES = 2500;

onEachDriver(
  'who removes what is listed while others list it and add to it removes all, each once',
  needsFuse('python3'),
  async (t, driver) => {
    const folder = emptyScratchpad(temporaryFolder(t));
    const { point } = await Daemon.start(t, { point: newMountPoint(t), driver, tree: 'scratchpad', folder });
    for (const listedBefore of [0, 2]) {
      const listed = join(point, `folder-${listedBefore}`);
      mkdirSync(listed);
      for (let count = 0; count < FILES; count += 1)
        writeFileSync(join(listed, `file-${10_000 + count}`), '');
      const { output } = await shell(
        `python3 - "$1" ${listedBefore} <<'END'
import os, sys
folder, before = sys.argv[1], int(sys.argv[2])
for count in range(before): os.listdir(folder)
removed = 0
for entry in os.scandir(folder):
    if not entry.name.startswith('file-'): continue
    os.unlink(entry.path)
    removed += 1
    if removed % 100 == 0:
        open(f'{folder}/another-{removed}', 'w').close()
        os.listdir(folder)
print(removed, [name for name in os.listdir(folder) if name.startswith('file-')], len(os.listdir(folder)))
END`,
        listed,
      );
      t.equal(output, `${FILES} [] ${FILES / 100}\n`, `listed ${listedBefore} times before`);
    }
  },
);
