import t from 'tap';
import { parsePath } from '../../src/core/paths.ts';
import { graphAtResolver } from '../../src/resolvers/graph-at.ts';
import { SystemFs } from '../../src/vfs/system-fs.ts';
import { openCommits } from '../commit-graph/fixture.ts';
import { GitSandbox } from '../git/sandbox.ts';

const CONTEXT = {};

t.test('a node is read as of any commit, under whatever git calls it', async (t) => {
  const git = new GitSandbox(t);
  git.write('charges.md', '# Charge\n\nA Charge belongs to a Customer.\n');
  const first = git.commit('first');
  git.git('branch', 'feature/x');
  git.write('charges.md', '# Payout\n\nA Payout belongs to a Customer.\n');
  const second = git.commit('second');
  const { store, graph } = openCommits(git, 'commits.sqlite');
  t.teardown(() => store.close());
  graph.bringTo(second);
  const commitOf = (revision: string) => {
    try {
      return { commit: graph.commitOf(revision), committedMs: 1000 };
    } catch {
      return undefined;
    }
  };
  const nodeAt = (commit: string, name: string) => {
    const past = graph.at(commit);
    const node = past.node(name);
    return node && { key: `${commit} ${node.key}`, text: past.pageOf(node) };
  };
  const fs = new SystemFs(
    [{ point: parsePath('/'), resolver: graphAtResolver({ commitOf, nodeAt }, 0n) }],
    (error) => {
      throw error;
    },
  );
  const read = async (path: string) => {
    const file = await fs.open(parsePath(path), CONTEXT);
    const bytes = Buffer.alloc(file.sizeBytes);
    await file.read(bytes, 0);
    t.equal((await fs.stat(parsePath(path), CONTEXT)).sizeBytes, file.sizeBytes);
    return JSON.parse(String(bytes));
  };
  t.match(await read(`/${first}/nodes/Charge`), { entity: 'Charge' });
  t.match(await read('/HEAD~1/nodes/charge'), { entity: 'Charge' }, 'looked up as ever');
  t.match(await read('/feature%2Fx/nodes/Charge'), { entity: 'Charge' });
  t.match(await read('/main/nodes/Payout'), { entity: 'Payout' });
  t.equal(await fs.readLink(parsePath('/main'), CONTEXT), second, 'what may move is a link');
  t.equal((await fs.stat(parsePath(`/${second}`), CONTEXT)).kind, 'directory');
  t.same(await fs.list(parsePath('/'), CONTEXT), []);
  t.same(await fs.list(parsePath(`/${second}`), CONTEXT), [{ name: 'nodes', kind: 'directory' }]);
  t.same(await fs.list(parsePath(`/${second}/nodes`), CONTEXT), []);
  for (const path of ['/nope', '/--all', '/.git', '/main/nodes/Charge', '/main/other', '/main/nodes/.x']) {
    await t.rejects(async () => fs.stat(parsePath(path), CONTEXT), { code: 'ENOENT' }, path);
  }
  await t.rejects(async () => fs.stat(parsePath('/main/nodes/Payout/x'), CONTEXT), { code: 'ENOTDIR' });
  t.equal(graph.position(), second, 'the graph is back where it stood');
});
