import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import t, { type Test } from 'tap';
import { needsFuse } from '../../fuse/fuse-available.ts';
import { kgraphfs, type Ran } from '../run-cli.ts';
import { mountPlace, readThrough, statusOf, until } from './mount-place.ts';

const MAP = `documents:
  - paths: "adr/**"
    type: ADR
phrases:
  - phrase: is verified by
    edge: verified_by
`;
const BROKEN = MAP.replace('type: ADR', 'type: adr');

const DOCS: Readonly<Record<string, string>> = {
  'docs/index.md': '# Index\n\nThe plan is [here](adr/queue.md).\n',
  'docs/adr/queue.md':
    '---\ntitle: Queue\ntype: note\nstatus: done\n---\n\n# Queue\n\n**Queue** is verified by **Load test**.\n',
};

interface Project {
  readonly folder: string;
  readonly map: string;
  readonly run: (...args: string[]) => Ran;
  /** What a `--json` command says. */
  readonly ask: (...args: string[]) => unknown;
}

function project(t: Test): Project & { readonly mountpoint: string } {
  const { folder, mountpoint } = mountPlace(t);
  for (const [path, text] of Object.entries(DOCS)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  const run = (...args: string[]) => kgraphfs(args, { cwd: folder });
  t.teardown(() => run('stop', '--all', '--force'));
  return {
    folder,
    mountpoint,
    map: join(folder, 'docs/kgraphfs.schema.yaml'),
    run,
    ask: (...args) => JSON.parse(run(...args, '--json').out),
  };
}

t.test(
  'a mount follows the schema map: it appears, changes, breaks, is mended and goes',
  needsFuse(),
  async (t) => {
    const { folder, mountpoint, map, run } = project(t);
    const git = (...args: string[]) => execFileSync('git', ['-C', folder, ...args], { stdio: 'ignore' });
    git('init', '-q');
    git('add', 'docs');
    git('-c', 'user.name=n', '-c', 'user.email=e', 'commit', '-qm', 'first');
    const { status, err } = run('mount', mountpoint, '--wait');
    if (status !== 0) throw new Error(err);
    const has = (path: string) => spawnSync('test', ['-e', join(mountpoint, path)]).status === 0;
    const read = (path: string) => readThrough(join(mountpoint, path));
    const mapStatus = () => statusOf(mountpoint).schema_map;
    t.equal(mapStatus(), null);
    t.notMatch(read('.kgraphfs/lint.jsonl'), 'missing-field');
    t.match(read('graph/at/HEAD/nodes/Queue'), '"type": "Concept"');

    writeFileSync(map, MAP);
    await until('the type to be listed', () => has('graph/types/ADR'));
    // What the kernel knows of each file is told of one by one.
    await until('its page', () => read('graph/nodes/Queue').includes('"type": "ADR"'));
    await until('its relation', () => has('graph/near/Queue/verified_by'));
    await until('lint to require', () => read('.kgraphfs/lint.jsonl').includes('"target":"Decision"'));
    await until('the graph at commits to follow', () =>
      read('graph/at/HEAD/nodes/Queue').includes('"type": "ADR"'),
    );
    t.match(mapStatus(), { file: 'kgraphfs.schema.yaml', rules: 2, error: null });

    writeFileSync(map, BROKEN);
    await until('it to be told', () => mapStatus().error !== null);
    t.match(mapStatus(), { rules: 2, error: /^kgraphfs\.schema\.yaml:3:11: documents\[0\]\.type: / });
    const lastError = () => JSON.parse(read('.kgraphfs/errors.jsonl').trim().split('\n').at(-1) ?? '');
    await until('its line', () => lastError().path === '/docs/kgraphfs.schema.yaml');
    t.match(lastError(), {
      path: '/docs/kgraphfs.schema.yaml',
      line: 3,
      message: /kgraphfs\.schema\.yaml:3:11: /,
    });
    t.match(read('graph/nodes/Queue'), '"type": "ADR"', 'the last good one stays');
    const { out, err: said } = run('nodes', '--json');
    t.match(out, 'ADR', 'commands go on with the last good one');
    t.match(said, 'kgraphfs.schema.yaml:3:11');

    writeFileSync(map, MAP.replace('type: ADR', 'type: Decision'));
    await until('the mended one', () => has('graph/types/Decision'));
    t.equal(mapStatus().error, null);
    await until('the type before it to go', () => !has('graph/types/ADR'));

    rmSync(map);
    await until('the types to go', () => !has('graph/types/Decision'));
    await until('its page to follow', () => read('graph/nodes/Queue').includes('"type": "Concept"'));
    t.equal(mapStatus(), null);
  },
);

t.test(
  'a daemon that starts with a broken map takes what the docs were last read by, and says so',
  async (t) => {
    const { map, run, ask } = project(t);
    writeFileSync(map, MAP);
    t.equal(run('build').status, 0);
    writeFileSync(map, BROKEN);
    t.match(run('build'), { status: 2, err: /kgraphfs\.schema\.yaml:3:11: / });
    const started = run('start', '--wait');
    t.equal(started.status, 0, started.err);
    t.match(started.err, 'kgraphfs.schema.yaml:3:11');
    t.match(ask('status'), {
      schema_map: { rules: 2, error: /:3:11: / },
      last_errors: [{ line: 3 }],
    });
    t.match(run('nodes', '--json').out, 'ADR');
    t.equal(readFileSync(map, 'utf8'), BROKEN);
  },
);
