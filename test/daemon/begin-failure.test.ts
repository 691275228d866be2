import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { loadSettings } from '../../src/config/settings.ts';
import { startDaemon } from '../../src/daemon/daemon.ts';
import { liveDaemons } from '../../src/state/daemons.ts';
import { stateFolderAt } from '../../src/state/state-folder.ts';
import { openBelow } from '../support/open-below.ts';
import { temporaryFolder } from '../support/temporary.ts';

t.test('a daemon whose modules cannot be opened leaves nothing open', async (t) => {
  const folder = temporaryFolder(t);
  mkdirSync(join(folder, 'docs'));
  writeFileSync(join(folder, 'docs/a.md'), '# Shop\n');
  const settings = loadSettings({ docs: [join(folder, 'docs')], state: join(folder, 'state') }, folder);
  const starting = startDaemon({
    settings,
    mount: undefined,
    audit: true,
    session: undefined,
    openModules: () => {
      throw new Error('no modules');
    },
    actor: 'ana',
    onProgress: () => {},
    onReady: () => {},
  });
  await t.rejects(starting, { message: 'no modules' });
  t.same(openBelow(folder), []);
  t.same(liveDaemons(stateFolderAt(settings.state)), []);
});
