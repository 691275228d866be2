import { readdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import t, { type Test } from 'tap';
import { until } from '../cli/mount/mount-place.ts';
import { diskInMemory, needsRootToMount } from '../support/disk-in-memory.ts';
import { temporaryFolder } from '../support/temporary.ts';
import { fill, startGithubServer } from './github-server.ts';
import { type OpenedModules, openModules } from './opened.ts';

/** @param folder of the user's config and of what modules keep */
async function served(t: Test, folder = temporaryFolder(t)) {
  const server = await startGithubServer();
  t.teardown(() => server.close());
  fill(server);
  const home = realpathSync(folder);
  const open = (more: Readonly<Record<string, unknown>> = {}): OpenedModules =>
    openModules(t, {
      home,
      modules: { gh: { module: 'github', repository: 'acme/pay', baseUrl: server.url, ...more } },
      variables: { GITHUB_TOKEN: 'ghp_secret' },
    });
  return { server, open, state: join(home, 'kgraphfs/state/gh') };
}

const POLL_MS = 20;
const AN_HOUR_MS = 3_600_000;

/** As if all that is kept had been read an hour before it was. */
function age(state: string): void {
  for (const file of readdirSync(state).map((name) => join(state, name))) {
    const { fetchedMs, ...kept } = JSON.parse(readFileSync(file, 'utf8'));
    writeFileSync(file, JSON.stringify({ ...kept, fetchedMs: fetchedMs - AN_HOUR_MS }));
  }
}

const ISSUE = `# Refunds are slow (#1)

- state: open
- author: @ana
- labels: bug
- created: 2026-01-01T00:00:00Z
- updated: 2026-01-03T00:00:00Z
- url: URL/x

They take **5** days.
Why?

## Comment by @bo, 2026-01-02T00:00:00Z

Same here.
`;

t.test(
  'issues and pull requests are markdown, with what was said of them, from lists in pages',
  async (t) => {
    const { server, open } = await served(t);
    const { read, ls } = open();
    t.same(await ls('/gh'), ['README.md', 'issues', 'issues.jsonl', 'pulls', 'pulls.jsonl', 'status.json']);
    t.same(await ls('/gh/issues'), ['1.md', '2.md']);
    t.same(await ls('/gh/pulls'), ['3.md'], 'the second page is read, too');
    t.equal((await read('/gh/issues/1.md')).replaceAll(server.url, 'URL'), ISSUE);
    const pull = await read('/gh/pulls/3.md');
    t.match(pull, /- state: merged\n/);
    t.match(pull, /- branches: fast into main\n/);
    t.match(pull, /## Review of src\/refund\.ts:7 by @bo, .*\n\nNice\.\n$/);
    t.match(
      await read('/gh/issues/99.md'),
      /From long ago[\s\S]*Long ago\./,
      'what no list reaches is there by its number',
    );
    t.match(
      (await read('/gh/issues.jsonl')).split('\n')[0],
      /"number":2,"state":"closed","title":"Closed one"/,
    );
    for (const path of ['issues/3.md', 'pulls/1.md', 'issues/7.md', 'issues/1.txt', 'issues/-1.md']) {
      await t.rejects(read(`/gh/${path}`), { code: 'ENOENT' }, path);
    }
    t.ok(server.tokens.every((token) => token === 'Bearer ghp_secret'));
    t.match(JSON.parse(await read('/gh/status.json')), {
      online: true,
      problem: null,
      rate_limit_remaining: 4999,
    });
  },
);

t.test(
  'what was read is asked for again by its ETag, and from the cache when the server is gone',
  async (t) => {
    const { server, open, state } = await served(t);
    const patient = open({ refreshSeconds: 600 });
    await patient.read('/gh/issues/1.md');
    const count = server.requests.length;
    await patient.read('/gh/issues/2.md');
    t.equal(server.requests.length, count, 'within the time nothing is asked');
    patient.modules.close();
    age(state);
    const first = open({ refreshSeconds: 1 });
    await first.ls('/gh/pulls');
    const again = server.requests.slice(count);
    t.ok(again.length > 0 && again.every((request) => request.endsWith('304')), again.join(', '));
    server.trouble = { status: 200, body: '<html>Log in to this network</html>' };
    let text = await first.read('/gh/issues/1.md');
    while (!text.includes('from the cache')) {
      await pause(POLL_MS);
      text = await first.read('/gh/issues/1.md');
    }
    t.match(text, /from the cache: .* cannot be read[\s\S]*Same here\./);
    server.trouble = undefined;
    first.modules.close();
    await server.close();
    age(state);
    const offline = open({ refreshSeconds: 600 });
    text = await offline.read('/gh/issues/1.md');
    t.match(text, /> As of 20\d\d-.*Z, from the cache: the server cannot be reached: .+\n/);
    t.match(text, /Same here\./);
    t.match(JSON.parse(await offline.read('/gh/status.json')), { online: false, as_of: /^20/ });
    const kept = readdirSync(state)
      .map((name) => readFileSync(join(state, name), 'utf8'))
      .join('');
    t.notMatch(kept, /ghp_secret/, 'the token is written nowhere');
  },
);

t.test('what was read is shown also where it finds no room to be kept', needsRootToMount, async (t) => {
  const disk = diskInMemory(t, 'size=200k');
  const { server, open } = await served(t, disk);
  const { read, ls } = open();
  // The module makes its folder when it is asked for the first time.
  await read('/gh/README.md');
  t.throws(() => writeFileSync(join(disk, 'all'), Buffer.alloc(1 << 20)), { code: 'ENOSPC' });
  t.same(await ls('/gh/issues'), ['1.md', '2.md']);
  t.equal((await read('/gh/issues/1.md')).replaceAll(server.url, 'URL'), ISSUE);
  t.match(JSON.parse(await read('/gh/status.json')), { online: true, problem: null, unkept: /ENOSPC/ });
});

t.test('a rate limit is kept to, and what the server refuses is an errno', async (t) => {
  const { server, open } = await served(t);
  const reset = String(Math.ceil(Date.now() / 1000) + 60);
  server.trouble = { status: 403, headers: { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': reset } };
  const limited = open();
  await t.rejects(limited.ls('/gh/issues'), { code: 'EBUSY', message: /rate limit is used up until 20/ });
  // The first refusal is the answer, and the others of the four lists may still be on their way.
  await until('all lists to be asked for', () => server.requests.length >= 4);
  await t.rejects(limited.ls('/gh/pulls'), { code: 'EBUSY' });
  t.equal(server.requests.length, 4, 'nothing is asked until then');
  limited.modules.close();

  server.trouble = {
    status: 403,
    headers: { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': '9999999999' },
  };
  const forYears = open();
  const untilMs = Date.now() + AN_HOUR_MS;
  await t.rejects(forYears.ls('/gh/issues'), { code: 'EBUSY' });
  const { rests_until: shown } = JSON.parse(await forYears.read('/gh/status.json'));
  t.ok(Date.parse(shown) < untilMs + 60_000, `an hour at most: ${shown}`);
  forYears.modules.close();

  server.trouble = { status: 401, body: '{"message": "Bad credentials: ghp_secret"}' };
  const refused = open();
  await t.rejects(refused.ls('/gh/issues'), { code: 'EACCES' });
  t.notMatch(JSON.stringify(refused.reported), /ghp_secret/, 'a key that the server says is not passed on');
  refused.modules.close();

  const other = await startGithubServer();
  t.teardown(() => other.close());
  server.trouble = { status: 302, headers: { location: `${other.url}/steal` } };
  const led = open();
  await t.rejects(led.ls('/gh/issues'), { code: 'EIO', message: /another server/ });
  t.same(other.requests, [], 'the token goes to no other server');
});

t.test('a wrong key of the config is told with its place', async (t) => {
  const { modules } = openModules(t, { modules: { gh: { module: 'github', repository: 'no slash' } } });
  t.match(
    (await modules.examine())[0]?.error,
    /config\.json:1:\d+: modules\.gh\.repository: a repository is named owner\/name/,
  );
});
