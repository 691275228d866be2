import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, realpathSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import t from 'tap';
import { needsFuse } from '../../fuse/fuse-available.ts';
import { temporaryFolder } from '../../support/temporary.ts';
import { kgraphfs } from '../run-cli.ts';
import { mountedBelow, readThrough, statusOf, until } from './mount-place.ts';

const LIMIT_MS = 60_000;

const FILES = {
  'repo/kgraphfs.config.json': JSON.stringify({
    docs: ['docs', '../handbook', { name: 'api', path: 'packages/api/docs' }],
    exclude: ['archive/**'],
  }),
  'repo/docs/refund.md': '# Refund\n\nThe Refund requires a Charge. See [other](/charge.md).\n',
  'repo/docs/charge.md': '# Charge\n',
  'repo/docs/archive/old.md': '# Old Zebra\n',
  'handbook/leave.md': '# Leave\n\nA zebra has 30 days.\n',
  'repo/packages/api/docs/thing.md': '# Thing\n',
};

t.test('a mount inside one of several roots shows each by its name', needsFuse(), async (t) => {
  const folder = realpathSync(temporaryFolder(t));
  for (const [path, text] of Object.entries(FILES)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  t.teardown(() => {
    for (const point of mountedBelow(folder)) execFileSync('fusermount3', ['-u', '-z', '--', point]);
  });
  const cwd = join(folder, 'repo');
  const mountpoint = join(cwd, 'docs/ctx');
  const run = (...args: string[]) => kgraphfs(args, { cwd });
  const { status, err } = run('mount', mountpoint, '--wait');
  t.equal(status, 0, err);
  const list = (path: string) =>
    execFileSync('ls', [join(mountpoint, path)], { encoding: 'utf8', timeout: LIMIT_MS })
      .split('\n')
      .slice(0, -1);
  const has = (path: string) =>
    spawnSync('test', ['-e', join(mountpoint, path)], { timeout: LIMIT_MS }).status === 0;

  t.same(list('docs'), ['api', 'docs', 'handbook']);
  t.same(list('docs/docs'), ['charge.md', 'refund.md'], 'neither what is excluded nor the mount itself');
  t.notOk(has('docs/docs/archive'));
  t.same(JSON.parse(readThrough(join(mountpoint, 'graph/nodes/Refund'))).sources, ['docs/refund.md:1']);
  const told = statusOf(mountpoint).docs;
  t.same(told, [
    { name: 'docs', path: join(cwd, 'docs') },
    { name: 'handbook', path: join(folder, 'handbook') },
    { name: 'api', path: join(cwd, 'packages/api/docs') },
  ]);
  const config = JSON.parse(readThrough(join(mountpoint, '.kgraphfs/config.json')));
  t.match(config, {
    exclude: ['archive/**'],
    docs: [{ name: 'docs', path: '.' }, { path: '../../handbook' }, {}],
  });
  t.match(run('vfs', 'search', 'zebra').out, /docs\/handbook\/leave\.md:3/);
  t.match(run('status').out, /handbook=/);
  t.match(run('query', 'Refund', '--docs', 'docs').err, /this state folder serves /);

  renameSync(join(folder, 'handbook'), join(folder, 'away'));
  await until('the root to be missed', () =>
    readThrough(join(mountpoint, '.kgraphfs/status.json')).includes('handbook does not exist'),
  );
  writeFileSync(join(folder, 'away/new.md'), '# New Page\n');
  renameSync(join(folder, 'away'), join(folder, 'handbook'));
  await until('what came with it', () => has('docs/handbook/new.md') && has('graph/nodes/New Page'));
  t.equal(run('unmount', mountpoint).status, 0);
});

t.test(
  'a mount of more roots than there are threads answers, and follows them all',
  needsFuse(),
  async (t) => {
    const folder = realpathSync(temporaryFolder(t));
    t.teardown(() => {
      for (const point of mountedBelow(folder)) execFileSync('fusermount3', ['-u', '-z', '--', point]);
    });
    const names = Array.from({ length: 20 }, (_, index) => `root${index}`);
    for (const name of names) {
      mkdirSync(join(folder, name));
      writeFileSync(join(folder, name, 'a.md'), '# A\n');
    }
    const mountpoint = join(folder, 'ctx');
    const roots = names.flatMap((name) => ['--docs', join(folder, name)]);
    const { status, err } = kgraphfs([
      'mount',
      mountpoint,
      '--wait',
      ...roots,
      '--state',
      join(folder, 'state'),
    ]);
    t.equal(status, 0, err);
    const text = (name: string) => readThrough(join(mountpoint, 'docs', name, 'a.md'));
    for (const name of names) t.equal(text(name), '# A\n');
    for (const name of names) writeFileSync(join(folder, name, 'a.md'), `# Of ${name}\n`);
    for (const name of names) t.equal(text(name), `# Of ${name}\n`);
    const node = join(mountpoint, 'graph/nodes/Of root19');
    await until(
      'the last one is in the graph',
      () => spawnSync('test', ['-e', node], { timeout: LIMIT_MS }).status === 0,
    );
    t.equal(kgraphfs(['unmount', mountpoint]).status, 0);
  },
);
