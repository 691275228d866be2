import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readdirSync, watch, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { temporaryFolder } from '../support/temporary.ts';
import { kgraphfs, MAIN } from './run-cli.ts';

const DOCUMENTS = 600;

t.test('a check that a signal ends leaves nothing behind', async (t) => {
  const folder = temporaryFolder(t);
  const [docs, state] = [join(folder, 'docs'), join(folder, 'state')];
  mkdirSync(docs);
  for (let at = 0; at < DOCUMENTS; at += 1) {
    writeFileSync(join(docs, `${at}.md`), `# D${at}\n\nA **Thing${at}** generates an **Invoice**.\n`);
  }
  const place = ['--docs', docs, '--state', state];
  t.equal(kgraphfs(['build', ...place]).status, 0);
  const isOfCheck = (name: string | null) => name?.startsWith('check-') ?? false;
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    const watcher = watch(state);
    const made = new Promise<void>((resolve) => {
      watcher.on('change', (_, name) => {
        if (isOfCheck(String(name))) resolve();
      });
    });
    const child = spawn(process.execPath, [MAIN, 'check', ...place], { stdio: 'ignore' });
    const ended = once(child, 'exit');
    await made;
    watcher.close();
    child.kill(signal);
    t.same(await ended, [null, signal], 'it ends by the signal');
    t.same(readdirSync(state).filter(isOfCheck), [], signal);
  }
});
