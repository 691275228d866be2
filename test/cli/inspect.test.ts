import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { type Teardown, temporaryFolder } from '../support/temporary.ts';
import { kgraphfs } from './run-cli.ts';
import { runHere } from './run-here.ts';

/** Pages by name, with the names of those that they link to. */
function project(t: Teardown, pages: Readonly<Record<string, readonly string[]>>): string {
  const folder = temporaryFolder(t);
  mkdirSync(join(folder, 'docs'));
  for (const [name, targets] of Object.entries(pages)) {
    const links = targets.map((target) => `- [there](${target}.md)\n`).join('');
    writeFileSync(join(folder, 'docs', `${name}.md`), `# The ${name} page\n\n${links}`);
  }
  return folder;
}

/** The tree without the types of nodes, which end each line. */
async function treeOf(cwd: string, ...args: string[]): Promise<string[]> {
  const { out } = await runHere(['inspect', ...args], { cwd });
  return out
    .trimEnd()
    .split('\n')
    .map((line) => line.replace(/ {2}Document/, '').replace(/The (\w+) page/, '$1'));
}

t.test('circles end where they close, and what stands in the tree is drawn once', async (t) => {
  const cwd = project(t, {
    one: ['two', 'three'],
    two: ['four'],
    three: ['four', 'one'],
    four: ['five'],
    five: [],
  });
  t.same(await treeOf(cwd, 'one.md', '--depth', '9'), [
    'one',
    '├─ references → three',
    '│  ├─ references → four',
    '│  │  └─ references → five',
    '│  └─ references → one  (cycle)',
    '└─ references → two',
    '   └─ references → four  (already drawn)',
  ]);
});

t.test('a document is found by its id, and by its path in each way that one writes it', async (t) => {
  const cwd = project(t, { one: ['two'], two: [] });
  writeFileSync(join(cwd, 'docs/login.md'), '---\nid: STORY-1\n---\n# Log in with a passkey\n');
  for (const name of ['STORY-1', 'story-1', 'login.md', 'login', 'docs/login.md', './docs/login.md']) {
    t.match(await treeOf(cwd, name), ['Log in with a passkey'], name);
  }
  t.match((await runHere(['inspect', 'docs/none.md'], { cwd })).err, /there is no node "/);
});

t.test('an empty name means no node, neither the README nor a page that is called by a sign', async (t) => {
  const cwd = project(t, { README: ['one'], one: [] });
  writeFileSync(join(cwd, 'docs/marks.md'), '---\naliases: ["???"]\n---\n# Marks\n');
  for (const args of [
    ['query', ''],
    ['query', ' '],
    ['inspect', ''],
    ['connect', '', ''],
    ['connect', 'one', ''],
  ]) {
    const { status, out, err } = await runHere(args, { cwd });
    t.same([status, out], [1, ''], args.join());
    t.match(err, /the name of the node is empty/, args.join());
  }
  t.match(await runHere(['query', '!!!'], { cwd }), { status: 1, out: '' });
  t.match(await treeOf(cwd, '???'), ['Marks'], 'by its own name it is found');
  t.match(await treeOf(cwd, '/'), ['README'], 'the root is a path, and answered by its README');
});

t.test('a node that was cut off by the depth is followed where it stands higher', async (t) => {
  const cwd = project(t, { one: ['aaa', 'two'], aaa: ['bbb'], bbb: ['two'], two: ['end'], end: [] });
  t.same(await treeOf(cwd, 'one.md', '--depth', '2'), [
    'one',
    '├─ references → aaa',
    '│  └─ references → bbb  … 1 deeper',
    '└─ references → two',
    '   └─ references → end',
  ]);
});

t.test('neighbours that are left out are counted, and the way can be turned round', async (t) => {
  const leaves = Array.from({ length: 41 }, (_, index) => `leaf${index + 10}`);
  const cwd = project(t, { hub: leaves, ...Object.fromEntries(leaves.map((leaf) => [leaf, []])) });
  const tree = await treeOf(cwd, 'hub.md', '--limit', '4');
  t.equal(tree.length, 6);
  t.equal(tree.at(-1), '└─ … 37 more');
  t.same(await treeOf(cwd, 'leaf12.md', '--direction', 'in', '--depth', '1'), [
    'leaf12',
    '└─ references ← hub',
  ]);
  t.same(
    await treeOf(cwd, 'leaf12.md', '--direction', 'both', '--limit', '1'),
    ['leaf12', '└─ references ← hub', '   ├─ references → leaf10', '   └─ … 39 more'],
    'an edge is not walked back at once',
  );
});

t.test('JSON tells the same tree', async (t) => {
  const cwd = project(t, { one: ['two'], two: ['one'] });
  const { out } = await runHere(['inspect', 'one.md', '--json', '--edges', 'References'], { cwd });
  const { call: _call, duration_ms: _ms, revision: _revision, ...told } = JSON.parse(out);
  t.same(told, {
    depth: 2,
    direction: 'out',
    edge_types: ['references'],
    tree: {
      node: 'The one page',
      type: 'Document',
      edges: [],
      mark: null,
      more: 0,
      deeper: 0,
      children: [
        {
          node: 'The two page',
          type: 'Document',
          edges: [{ edge_type: 'references', direction: 'out' }],
          mark: null,
          more: 0,
          deeper: 0,
          children: [
            {
              node: 'The one page',
              type: 'Document',
              edges: [{ edge_type: 'references', direction: 'out' }],
              mark: 'cycle',
              more: 0,
              deeper: 0,
              children: [],
            },
          ],
        },
      ],
    },
  });
});

t.test('only edges of the types that were asked for are followed', async (t) => {
  const cwd = project(t, { one: ['two'], two: [] });
  t.same(await treeOf(cwd, 'one.md', '--edges', 'requires,belongs-to'), ['one', 'no such relations']);
  const unknown = await runHere(['inspect', 'one.md', '--edges', 'refrences'], { cwd });
  t.equal(unknown.status, 2);
  t.match(unknown.err, /there is no edge type "refrences"; did you mean references\?/);
});

t.test('a name that is not quite right is found, or the one that is meant is named', async (t) => {
  const cwd = project(t, { one: [] });
  t.match(await treeOf(cwd, 'the ONE page'), ['one']);
  const unknown = await runHere(['inspect', 'The onee page'], { cwd });
  t.equal(unknown.status, 1);
  t.match(unknown.err, /did you mean "The one page"\?/);
});

t.test('a process of its own says the same, and refuses the same', async (t) => {
  const cwd = project(t, { one: ['two'], two: [] });
  t.equal(kgraphfs(['inspect', 'one.md'], { cwd }).out, (await runHere(['inspect', 'one.md'], { cwd })).out);
  t.match(kgraphfs(['inspect', 'one.md', '--deph'], { cwd }), { status: 2, err: /did you mean --depth\?/ });
  t.match(kgraphfs(['inspect'], { cwd }), { status: 2, err: /inspect needs <node>/ });
  t.match(kgraphfs(['inspect', '--help'], { cwd }), { status: 0, out: /Usage:/ });
});
