import { spawn, spawnSync } from 'node:child_process';
import { mkdirSync, realpathSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import t from 'tap';
import { needsFuse } from '../../fuse/fuse-available.ts';
import { hangingMount } from '../../support/hanging-mount.ts';
import { temporaryFolder } from '../../support/temporary.ts';
import { MAIN } from '../run-cli.ts';
import { isRunning, mountedBelow, until } from './mount-place.ts';

const LINKS = ['one', 'two', 'three', 'four'];
const ANSWERED_WITHIN_S = 5;
const QUIET_MS = 1000;

for (const threads of [undefined, '8'])
  t.test(
    `however many docs do not answer, a mount with ${threads ?? "Node's few"} threads goes on`,
    needsFuse(),
    async (t) => {
      const folder = realpathSync(temporaryFolder(t));
      const at = (path: string) => join(folder, path);
      for (const name of ['ctx', 'other', ...LINKS.map((name) => `was/${name}`)])
        mkdirSync(at(name), { recursive: true });
      writeFileSync(at('other/one.md'), '# Before\n');
      const put = (name: string, target: string) => {
        symlinkSync(target, at('new-link'));
        renameSync(at('new-link'), at(name));
      };
      for (const name of LINKS) put(name, `was/${name}`);
      writeFileSync(at('kgraphfs.config.json'), JSON.stringify({ docs: ['other', ...LINKS] }));
      const hanging = await hangingMount(t);
      const { UV_THREADPOOL_SIZE: _size, ...env } = process.env;
      if (threads !== undefined) env['UV_THREADPOOL_SIZE'] = threads;
      const daemon = spawn(process.execPath, [MAIN, 'mount', '--foreground', 'ctx', '--state', at('state')], {
        cwd: folder,
        env,
        stdio: 'ignore',
      });
      const { pid = 0 } = daemon;
      t.teardown(async () => {
        daemon.kill('SIGKILL');
        await until('the daemon to end', () => !isRunning(pid));
        for (const point of mountedBelow(folder)) spawnSync('fusermount3', ['-u', '-z', '--', point]);
      });
      const asks = (script: string): string => {
        const args = ['-s', 'KILL', String(ANSWERED_WITHIN_S), 'sh', '-c', script];
        const { stdout, status } = spawnSync('timeout', args, { cwd: at('ctx'), encoding: 'utf8' });
        if (status === 137) throw new Error(`the mount did not answer: ${script}`);
        return stdout;
      };
      await until('the mount', () => mountedBelow(folder).length > 0);
      await until('all to be read', () => /"alive":\s*true/.test(asks('cat .kgraphfs/status.json')));
      hanging.hang();
      for (const name of LINKS) put(name, join(hanging.point, name));
      const goesOn = async (...titles: readonly string[]) => {
        for (const title of titles) {
          // Whoever waits by then for the mount or for changes of the docs does so in a thread that is to be there the next time, too.
          await delay(QUIET_MS);
          writeFileSync(at(`other/${title}.md`), `# ${title} New\n`);
          await until(`what changed in other docs: ${title}`, () => asks('ls graph/nodes').includes(title));
        }
      };
      await goesOn('First', 'Second', 'Third');
      const reason = () => /"reason":.*/.exec(asks('cat .kgraphfs/status.json'))?.[0] ?? '';
      await until('docs that do not answer to be away', () => /does not answer|not answered/.test(reason()));
      await goesOn('Fourth', 'Fifth');
      t.notMatch(reason(), /other cannot/, 'what answers is not away');
    },
  );
