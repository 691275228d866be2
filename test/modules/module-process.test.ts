import t from 'tap';
import { ModuleProcess } from '../../src/modules/module-process.ts';
import type { ModuleTask } from '../../src/modules/wire.ts';
import { temporaryFolder } from '../support/temporary.ts';

/** execve(2): no text on a command line has more than 128 KiB. */
const TOO_LONG = 'n'.repeat(1 << 18);

t.test('a module whose process cannot be started is a failure that rests', async (t) => {
  const notes: string[] = [];
  const module = new ModuleProcess({
    task: { ...taskIn(temporaryFolder(t)), name: TOO_LONG },
    timeoutMs: 1000,
    onChanged: () => {},
    onNote: (message) => notes.push(message),
    explain: (reason) => reason,
    onState: () => {},
  });
  t.teardown(() => module.close());
  const look = { type: 'look', path: [] } as const;
  await t.rejects(module.ask(look), { code: 'EIO', message: /^its process cannot be started: .*E2BIG/ });
  t.match(module.state(), { state: 'failed', error: /E2BIG/ });
  await t.rejects(module.ask(look), { code: 'EIO', message: /rests for a moment: .*E2BIG/ });
  t.equal(notes.length, 1);
});

function taskIn(folder: string): ModuleTask {
  return {
    name: 'git',
    code: { kind: 'built-in', module: 'git' },
    config: {},
    folder,
    docs: { folders: [{ name: '', folder }], include: [], exclude: [] },
    stateFolder: folder,
    secrets: {},
  };
}
