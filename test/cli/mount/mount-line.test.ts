import t from 'tap';
import { mountLine } from '../../../src/cli/mount/mount-line.ts';
import { type MountStatus, mountStatusSchema } from '../../../src/cli/mount/mount-status.ts';
import { EXAMPLE_STATUS } from './example-status.ts';

const STATUS: MountStatus = mountStatusSchema.parse({
  ...EXAMPLE_STATUS,
  state: 'indexing',
  indexing: { done: 640, total: 10_000, lag_ms: 0 },
  of_a_newer_version: true,
});

t.test('a mount is said on one line, with what is there', async (t) => {
  t.equal(
    mountLine(STATUS, true, 418),
    'mounted /home/you/ctx: 640 documents, 1 node, 2000 edges in 0.42 s\n',
  );
});

t.test('a mount point with a line break is shown as a shell reads it', async (t) => {
  const odd = { ...STATUS, mountpoint: '/home/you/a\nb', errors: 1 };
  t.match(mountLine(odd, true, 418), "mounted $'/home/you/a\\nb': 640 documents");
  t.match(mountLine(odd, true, 418), "kgraphfs status $'/home/you/a\\nb' names it");
});

t.test('what went wrong is said to be there, and where it is named', async (t) => {
  t.match(
    mountLine({ ...STATUS, errors: 2 }, true, 418),
    /in 0\.42 s\n2 errors: kgraphfs status \/home\/you\/ctx names them\n$/,
  );
});

t.test('a mount of docs without markdown says why its graph is empty', async (t) => {
  const empty = { ...STATUS, documents: 0 };
  const why = 'the graph is empty: no markdown (.md, .mdx, .markdown) in';
  t.equal(
    mountLine(empty, true, 418).split('\n')[1],
    `${why} /home/you/docs that ignore files and the config let in`,
  );
  const docs = [
    { name: 'a', path: '/srv/a' },
    { name: 'b', path: '/srv/b' },
  ];
  t.match(mountLine({ ...empty, docs }, true, 418), `${why} /srv/a, /srv/b that`);
  t.notMatch(
    mountLine({ ...empty, errors: 1 }, true, 418),
    why,
    'documents that could not be read are none that lack',
  );
  t.notMatch(mountLine(empty, false, 5120), why, 'nothing is known yet');
});

t.test('a mount whose index goes on says so, and where to ask', async (t) => {
  t.equal(
    mountLine(STATUS, false, 5120),
    'mounted /home/you/ctx: 640 of 10000 documents, 1 node, 2000 edges in 5.12 s; indexing goes on (kgraphfs status /home/you/ctx)\n',
  );
});

t.test('what a newer daemon adds to its status is kept', async (t) => {
  t.equal(STATUS['of_a_newer_version'], true);
});
