import { realpathSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import t, { type Test } from 'tap';
import { z } from 'zod';
import { MS_PER_DAY } from '../../src/core/clock.ts';
import { fileInfo } from '../../src/core/node-info.ts';
import { fileOfBytes } from '../../src/core/open-file.ts';
import { GithubApi } from '../../src/modules/builtin/github-api.ts';
import { McpServer } from '../../src/modules/builtin/mcp-server.ts';
import { Mirror } from '../../src/modules/mirror.ts';
import { temporaryFolder } from '../support/temporary.ts';
import { within } from '../support/within.ts';
import { startGithubServer } from './github-server.ts';
import { openModules } from './opened.ts';

/** Longer than anything here rests. */
const LIMIT_MS = 20_000;

/** From now on this thread's clock says what it said a day ago. */
function setBack(t: Test): void {
  const { now } = Date;
  t.teardown(() => {
    Date.now = now;
  });
  Date.now = () => now() - MS_PER_DAY;
}

async function until(isSo: () => Promise<boolean>): Promise<void> {
  const polling = new AbortController();
  const poll = async () => {
    while (!polling.signal.aborted && !(await isSo())) await pause(50);
  };
  await within(LIMIT_MS, poll()).finally(() => polling.abort());
}

t.test('a module that failed rests for a moment, also where the clock was set back meanwhile', async (t) => {
  const { read } = openModules(t, {
    modules: { bad: { module: './bad.mjs' } },
    files: {
      'bad.mjs': `export const resolver = () => ({
        at: ([name]) => (name === 'exits' ? process.exit(3) : { file: 'well' }),
      });`,
    },
  });
  await t.rejects(read('/bad/exits'), { code: 'EIO' });
  setBack(t);
  await until(() =>
    read('/bad/well').then(
      (text) => text === 'well',
      () => false,
    ),
  );
});

t.test(
  'a server of a module that could not be started is started again after the clock was set back',
  async (t) => {
    const folder = temporaryFolder(t);
    const server = new McpServer(
      { command: '/no/such/program' },
      {
        name: 'none',
        folder,
        docs: { folders: [], include: [], exclude: [] },
        stateFolder: folder,
        secrets: {},
        changed: () => {},
        note: () => {},
        started: () => {},
      },
    );
    const failure = () =>
      server.about().then(
        () => undefined,
        (error: unknown) => error,
      );
    const first = await failure();
    t.match(first, /cannot be reached/);
    t.equal(await failure(), first, 'not at once');
    setBack(t);
    await until(async () => (await failure()) !== first);
  },
);

t.test(
  'what GitHub answered to a clock that was set back since is asked for again, and no rest is longer',
  async (t) => {
    const server = await startGithubServer();
    t.teardown(() => server.close());
    server.answers.set('/labels', []);
    const folder = realpathSync(temporaryFolder(t));
    const api = new GithubApi({ url: server.url, pages: 1, refreshMs: 60_000, token: undefined, folder });
    const ask = (path: string) => api.all(path, z.unknown());
    await ask('/labels');
    await ask('/labels');
    t.equal(server.requests.length, 1, 'an answer is good for a minute');
    setBack(t);
    await ask('/labels');
    t.equal(server.requests.length, 2);
    server.trouble = { status: 429, headers: { 'retry-after': '60' } };
    await t.rejects(ask('/milestones'), { code: 'EBUSY' });
    server.trouble = undefined;
    server.answers.set('/milestones', []);
    await t.rejects(ask('/milestones'), { code: 'EBUSY' }, 'it rests');
    setBack(t);
    t.same(await ask('/milestones'), []);
  },
);

t.test('texts of a module that were read by a clock that was set back since are read again', async (t) => {
  const folder = join(temporaryFolder(t), 'state/any/texts');
  let text = 'before';
  const mirror = new Mirror(
    {
      tree: {
        list: () => [{ name: 'a.md', kind: 'file' as const }],
        stat: () => fileInfo(text.length, 0n, text),
        open: () => fileOfBytes(Buffer.from(text)),
      },
      revision: async () => undefined,
      askAnew: () => {},
      onLeftOut: () => {},
    },
    folder,
  );
  t.same(await mirror.update(), ['a.md']);
  text = 'after';
  t.same(await mirror.update(), [], 'not within five minutes');
  setBack(t);
  t.same(await mirror.update(), ['a.md']);
});
