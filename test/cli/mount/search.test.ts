import { spawnSync } from 'node:child_process';
import { cpSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Test } from 'tap';
import type { DriverName } from '../../../src/config/schema.ts';
import { needsFuse } from '../../fuse/fuse-available.ts';
import { onEachDriver } from '../../support/each-driver.ts';
import { kgraphfs } from '../run-cli.ts';
import { mountPlace, unmountOutside, until } from './mount-place.ts';

const LIMIT_MS = 60_000;

interface MountedSearch {
  readonly docs: string;
  readonly options: readonly string[];
  /** What a command prints that is run in `search/` of the mount, and what it says. */
  readonly shell: (command: string) => { readonly out: string; readonly err: string };
  readonly names: (folder: string) => string[];
}

function mountedSearch(t: Test, driver: DriverName): MountedSearch {
  const { folder, mountpoint, state } = mountPlace(t);
  const docs = join(folder, 'docs');
  cpSync('docs/sample', docs, { recursive: true });
  writeFileSync(join(docs, 'quokka.md'), '# Quokka\n\nA quokka counts refunds.\n');
  const options = ['--docs', docs, '--state', state];
  const { status, err } = kgraphfs(['mount', mountpoint, '--wait', '--driver', driver, ...options]);
  if (status !== 0) throw new Error(err);
  const shell = (command: string) => {
    const cwd = join(mountpoint, 'search');
    const { stdout, stderr } = spawnSync('bash', ['-c', `cd '${cwd}' && ${command}`], {
      encoding: 'utf8',
      timeout: LIMIT_MS,
      env: { ...process.env, LC_ALL: 'C.UTF-8' },
    });
    return { out: stdout, err: stderr };
  };
  return { docs, options, shell, names: (folder) => shell(`ls '${folder}'`).out.split('\n').filter(Boolean) };
}

onEachDriver('a query is a file, and a pinned one a folder that follows', needsFuse(), async (t, driver) => {
  const { docs, options, shell, names } = mountedSearch(t, driver);
  const { out } = shell('cat quokka');
  t.match(out, /^\d {2}docs\/quokka\.md:\d/m, out);
  t.equal(shell('stat -c %s quokka').out, `${Buffer.byteLength(out)}\n`);
  t.same(names('.'), ['pinned']);
  t.match(shell('cat "quokka in:%2Fdocs%2Fcharges"').out, /^nothing found/);
  t.match(shell('cat .git').err, /No such file/);

  t.same(shell('mkdir pinned/quokka "pinned/it\'s 🎉 quokka"'), { out: '', err: '' });
  const links = (file: string) =>
    names('pinned/quokka').some((name) => /^\d\d /.test(name) && name.endsWith(` ${file}`));
  t.ok(links('docs%2Fquokka.md'), String(names('pinned/quokka')));
  t.equal(shell('readlink pinned/quokka/*docs%2Fquokka.md').out, '../../../docs/quokka.md\n');
  t.match(shell('cat "pinned/it\'s 🎉 quokka/"*docs%2Fquokka.md').out, /^# Quokka/);
  t.match(shell('mkdir pinned/quokka').err, /File exists/);
  t.match(shell('rm pinned/quokka/01*').err, /Read-only/);
  t.match(shell('mkdir pinned/.x').err, /Invalid (argument|input)/);
  t.match(shell('tail -n 1 ../.kgraphfs/errors.jsonl').out, /"EINVAL","path":"\/search\/pinned\/\.x"/);

  rmSync(join(docs, 'quokka.md'));
  writeFileSync(join(docs, 'other.md'), '# Other quokka\n\nThe quokka, the quokka, the quokka.\n');
  await until('the link of the other document', () => links('docs%2Fother.md'));
  await until('the link of the document that is gone to go', () => !links('docs%2Fquokka.md'));
  await until('the answer to follow', () => !/docs\/quokka\.md/.test(shell('cat quokka').out));
  shell('echo "a quokka of memory" > ../context/memory/fact/quokka');
  await until('the link of a memory', () => links('context%2Fmemory%2Ffact%2Fquokka'));

  t.same(shell('mv pinned/quokka pinned/refund && rmdir pinned/*quokka'), { out: '', err: '' });
  t.same(names('pinned'), ['refund']);
  const history = kgraphfs(['context', 'history', '--json', '--type', 'search', ...options]).out;
  const entries: { path: string; data: { query: string } }[] = JSON.parse(history);
  t.same(
    entries.slice(0, 2).map(({ path, data }) => [path, data.query]),
    [
      ['/search/quokka', 'quokka'],
      ['/search/quokka in:%2Fdocs%2Fcharges', 'quokka in:/docs/charges'],
    ],
  );
  t.equal(entries.length, 3, 'one for each that was opened');
});

onEachDriver('tools that walk the tree come to an end in search', needsFuse(), async (t, driver) => {
  const { docs, options, shell } = mountedSearch(t, driver);
  shell('mkdir pinned/quokka');
  t.match(shell('find -L . -type f').out, / docs%2Fquokka\.md\n/);
  t.match(shell('tar cf - . | tar tf -').out, /\.\/pinned\/quokka\/\d\d docs%2Fquokka\.md\n/);
  t.match(shell('grep -Rl "quokka counts" .').out, /^\.\/pinned\/quokka\/\d\d docs%2Fquokka\.md$/m);
  t.equal(shell('grep -r "quokka counts" .').out, '');
  t.same(shell('cp quokka ../context/scratchpad && cmp quokka ../context/scratchpad/quokka && echo same'), {
    out: 'same\n',
    err: '',
  });
  const point = join(docs, '../ctx');
  await unmountOutside(point);
  const again = ['mount', point, '--wait', '--read-only', '--driver', driver, ...options];
  t.equal(kgraphfs(again).status, 0);
  t.match(shell('mkdir pinned/x').err, /Read-only/);
  t.match(shell('cat pinned/quokka/*docs%2Fquokka.md').out, /^# Quokka/, 'pins are kept');
});
