import t from 'tap';
import { isFsError } from '../../src/core/errors.ts';
import { endpointKey } from '../../src/core/identity.ts';
import { parsePath, type SubPath, type VfsPath } from '../../src/core/paths.ts';
import { answeredHere } from '../../src/graph/slow-questions.ts';
import { memoryGraph } from '../../src/memory-graph/memory-graph.ts';
import { fixedResolver } from '../../src/resolvers/fixed.ts';
import { graphResolver } from '../../src/resolvers/graph.ts';
import { memoryGraphResolver } from '../../src/resolvers/memory-graph.ts';
import { followLinks } from '../../src/vfs/follow-links.ts';
import { SystemFs } from '../../src/vfs/system-fs.ts';
import { concept, factsOf, graphSubject } from '../graph/subject.ts';
import { FakeMemory, FakeSessions } from '../memory-graph/subject.ts';
import type { Teardown } from '../support/temporary.ts';

const CONTEXT = {};
const REFUNDS = {
  content: 'Refunds take 5 days',
  tags: ['billing', 'needs/slash'],
  actor: 'ana',
  sourcePaths: ['charges/create.md:5'],
  provenance: { channel: 'slack' },
};

/** The part of the mount that shows the graphs, with what is remembered in it. */
function subject(t: Teardown) {
  const { put, graph } = graphSubject(t);
  put(
    'charges/create.md',
    factsOf('charges/create.md', {
      title: 'Create a charge',
      mentions: [
        concept('Charge'),
        concept('Refund', 5),
        concept('Refund', 8),
        concept('FactSheet', 6),
        {
          key: endpointKey('GET', '/fact/{id}'),
          type: 'Endpoint',
          label: 'GET /fact/{id}',
          line: 7,
          confidence: 1,
          declares: true,
        },
      ],
      relations: [{ from: 'Refund', type: 'belongs_to', to: 'Charge' }],
    }),
  );
  const memory = new FakeMemory();
  const remembered = memoryGraph({ memory, sessions: new FakeSessions(), docs: graph });
  memory.put('fact/refunds', REFUNDS);
  memory.put('episodic/.call', { content: 'About Charge' });
  memory.relate('episodic/.call', 'caused_by', 'fact/refunds', 0.5);
  const listeners: (() => void)[] = [];
  const subscribe = (listener: () => void) => {
    listeners.push(listener);
    return () => {};
  };
  const graphChanged = () => {
    for (const listener of listeners) listener();
  };
  const fs = new SystemFs(
    [
      { point: parsePath('/'), resolver: fixedResolver('root', {}, 0n) },
      {
        point: parsePath('/graph'),
        resolver: graphResolver({
          graph,
          slow: answeredHere(graph),
          memory: remembered,
          subscribe: () => () => {},
        }),
      },
      {
        point: parsePath('/graph/memory'),
        resolver: memoryGraphResolver({ graph: remembered, subscribe }),
      },
    ],
    (error) => {
      throw error;
    },
  );
  const list = async (path: string) => (await fs.list(parsePath(path), CONTEXT)).map(({ name }) => name);
  const follow = (path: string) => followLinks(fs, parsePath(path), CONTEXT);
  const read = async (path: string) => {
    const file = await fs.open(await follow(path), CONTEXT);
    const bytes = Buffer.alloc(file.sizeBytes + 10);
    return bytes.toString('utf8', 0, await file.read(bytes, 0));
  };
  const codeAt = async (path: string) => {
    try {
      await follow(path);
      return 'it is there';
    } catch (error) {
      return isFsError(error) ? error.code : error;
    }
  };
  return { put, memory, fs, list, read, follow, codeAt, graphChanged };
}

/** Every path below a folder, as `find` meets them. */
async function walk(fs: SystemFs, from: VfsPath): Promise<VfsPath[]> {
  const found: VfsPath[] = [];
  for (const { name } of await fs.list(from, CONTEXT)) {
    const path = parsePath(`${from}/${name}`);
    found.push(path);
    const { kind } = await fs.stat(path, CONTEXT);
    if (kind === 'directory') found.push(...(await walk(fs, path)));
  }
  return found;
}

t.test('what is remembered is listed apart from the docs, by node, type and edge', async (t) => {
  const { list, read } = subject(t);
  t.ok((await list('/graph')).includes('memory'));
  t.same(await list('/graph/memory'), ['edges', 'near', 'nodes', 'types']);
  t.same(await list('/graph/memory/nodes'), [
    'agent%2Fana',
    'episodic%2F.call',
    'fact%2Frefunds',
    'meta%2Fchannel%2Fslack',
    'topic%2Fbilling',
    'topic%2Fneeds%2Fslash',
  ]);
  t.same(await list('/graph/memory/types/Topic'), ['topic%2Fbilling', 'topic%2Fneeds%2Fslash']);
  t.match(JSON.parse(await read('/graph/memory/types/Fact/fact%2Frefunds')), { entity: 'fact/refunds' });
  t.same(JSON.parse(await read('/graph/memory/edges/caused_by.jsonl')), {
    source: 'episodic/.call',
    edge_type: 'caused_by',
    target: 'fact/refunds',
    weight: 0.5,
    confidence: 1,
    evidence: ['context/memory/episodic/.call'],
  });
  const docs = await list('/graph/nodes');
  t.same(
    docs.filter((name) => /^(?:fact|topic|agent|meta|episodic)%2F/.test(name)),
    [],
  );
});

t.test('a node of memory is JSON with one relationship a line', async (t) => {
  const { read } = subject(t);
  const text = await read('/graph/memory/nodes/fact%2Frefunds');
  t.match(
    text,
    '    {"edge_type": "about", "node": "Refund", "weight": 1, "confidence": 0.95, "evidence": ["context/memory/fact/refunds:1"]},\n',
  );
  t.match(JSON.parse(text).incoming_relationships, [{ edge_type: 'caused_by', node: 'episodic/.call' }]);
});

t.test('near a concept is what is remembered of it, and one walks on from there', async (t) => {
  const { fs, list, read, follow } = subject(t);
  t.same(await list('/graph/near/refund'), ['about_of', 'belongs_to']);
  t.same(await list('/graph/near/Refund/about_of'), ['fact%2Frefunds']);
  t.equal(
    await fs.readLink(parsePath('/graph/near/Refund/about_of/fact%2Frefunds'), CONTEXT),
    '../../../memory/nodes/fact%2Frefunds',
  );
  t.match(JSON.parse(await read('/graph/near/Refund/about_of/fact%2Frefunds')), { type: 'Fact' });
  t.same(await list('/graph/near/Create a charge'), ['derived_from_of']);
  const near = '/graph/near/fact%2Frefunds';
  t.same(await list(await follow(near)), [
    'about',
    'attributed_to',
    'caused_by_of',
    'channel',
    'derived_from',
  ]);
  t.same(await list(await follow(`${near}/about`)), ['Refund', 'topic%2Fbilling', 'topic%2Fneeds%2Fslash']);
  t.match(JSON.parse(await read(`${near}/about/Refund`)), { entity: 'Refund', type: 'APIObject' });
  t.match(JSON.parse(await read(`${near}/about/topic%2Fbilling`)), { type: 'Topic' });
  t.match(JSON.parse(await read(`${near}/derived_from/Create a charge`)), { type: 'Document' });
  t.equal(
    await follow(`/graph/near/topic%2Fbilling/about_of`),
    '/graph/memory/near/topic%2Fbilling/about_of',
  );
});

t.test('pages of the docs do not show memory', async (t) => {
  const { fs, read } = subject(t);
  const docs = (await walk(fs, parsePath('/graph'))).filter((path) => !path.startsWith('/graph/memory'));
  const looked = [...docs, '/graph/markdown/Refund', '/graph/graph.json', '/graph/path/Refund/Charge'];
  for (const path of looked) {
    const { kind } = await fs.stat(parsePath(path), CONTEXT);
    if (kind === 'file') t.notMatch(await read(path), /ana|slack|fact\/refunds|5 days/, path);
  }
});

t.test('everything that shows memory is for its owner alone', async (t) => {
  const { fs } = subject(t);
  const folders = ['/graph/memory', '/graph/near/Refund/about_of', '/graph/near/Charge/concerns_of'];
  const below = await Promise.all(folders.map((path) => walk(fs, parsePath(path))));
  const near = await walk(fs, parsePath('/graph/memory/near/fact%2Frefunds'));
  const paths = [...folders, '/graph/memory/near/fact%2Frefunds', ...below.flat(), ...near];
  t.ok(paths.length > 40);
  for (const path of paths) {
    const { kind, mode } = await fs.stat(parsePath(path), CONTEXT);
    if (kind === 'link') continue;
    t.equal(mode, kind === 'directory' ? 0o700 : 0o600, path);
  }
});

t.test('nobody learns by asking whether something is remembered', async (t) => {
  const { fs } = subject(t);
  const there = await fs.stat(parsePath('/graph/near/fact%2Frefunds'), CONTEXT);
  const absent = await fs.stat(parsePath('/graph/near/fact%2Fnothing'), CONTEXT);
  t.equal(there.kind, 'link');
  t.same({ ...there, sizeBytes: 0 }, { ...absent, sizeBytes: 0 });
  const near = await fs.stat(parsePath('/graph/near/Refund/about_of'), CONTEXT);
  const concept = await fs.stat(parsePath('/graph/near/Refund'), CONTEXT);
  t.equal(near.modifiedNs, concept.modifiedNs);
});

t.test('names of the docs stay what they are', async (t) => {
  const { read, follow, codeAt } = subject(t);
  t.equal(await follow('/graph/near/factsheet'), '/graph/near/factsheet');
  t.match(JSON.parse(await read('/graph/nodes/GET %2Ffact%2F{id}')), { type: 'Endpoint' });
  t.equal(await follow('/graph/near/GET %2Ffact%2F{id}'), '/graph/near/GET %2Ffact%2F{id}');
  t.equal(await codeAt('/graph/near/fact%2Fsheet'), 'ENOENT', 'never the concept of the same letters');
});

t.test('stats count both graphs, each as it is listed', async (t) => {
  const { list, read, memory } = subject(t);
  const stats = JSON.parse(await read('/graph/stats.json'));
  t.equal(stats.total_nodes, (await list('/graph/nodes')).length);
  t.equal(stats.memory.total_nodes, (await list('/graph/memory/nodes')).length);
  t.match(stats.memory, { nodes_by_type: { Fact: 1, Memory: 1, Topic: 2, Entity: 1, Meta: 1 } });
  let edges = 0;
  for (const name of await list('/graph/memory/edges')) {
    const lines = (await read(`/graph/memory/edges/${name}`)).split('\n').length - 1;
    t.equal(stats.memory.edges_by_type[name.replace('.jsonl', '')], lines, name);
    edges += lines;
  }
  t.equal(stats.memory.total_edges, edges);
  memory.put('fact/more');
  t.equal(JSON.parse(await read('/graph/stats.json')).memory.nodes_by_type.Fact, 2);
});

t.test('every listed path opens, and its size is what is read', async (t) => {
  const { fs, read, follow } = subject(t);
  for (const path of await walk(fs, parsePath('/graph/memory'))) {
    const { kind, sizeBytes } = await fs.stat(path, CONTEXT);
    if (kind === 'file') t.equal(Buffer.byteLength(await read(path)), sizeBytes, path);
    if (kind === 'link') t.ok(await follow(path), path);
  }
});

t.test('what is not there, or no folder, has the errno of a disk', async (t) => {
  const { codeAt } = subject(t);
  t.equal(await codeAt('/graph/memory/nodes/fact%2Fnothing'), 'ENOENT');
  t.equal(await codeAt('/graph/memory/nodes/.git'), 'ENOENT');
  t.equal(await codeAt('/graph/memory/types/Topic/fact%2Frefunds'), 'ENOENT');
  t.equal(await codeAt('/graph/memory/nodes/fact%2Frefunds/x'), 'ENOTDIR');
  t.equal(await codeAt('/graph/memory/edges/about.jsonl/x'), 'ENOTDIR');
  t.equal(await codeAt('/graph/near/Refund/about_of/fact%2Fnothing'), 'ENOENT');
  t.equal(await codeAt('/graph/near/Charge/about_of'), 'ENOENT');
});

t.test('a change of memory is told to the mount, for the paths that show it', async (t) => {
  const { fs, memory, read, list } = subject(t);
  const told: VfsPath[] = [];
  fs.onChange((paths) => told.push(...paths));
  await read('/graph/stats.json');
  const before = await read('/graph/memory/nodes/fact%2Frefunds');
  memory.put('fact/refunds', { ...REFUNDS, content: 'Refunds take 7 days' });
  t.same(told.sort(), ['/graph/memory/nodes/fact%2Frefunds', '/graph/stats.json']);
  t.not(await read('/graph/memory/nodes/fact%2Frefunds'), before);
  await list('/graph/near/Refund');
  await list('/graph/near/Charge');
  told.length = 0;
  memory.put('fact/more', { content: 'Refunds take long' });
  t.same(told.sort(), [
    '/graph/memory/nodes/fact%2Fmore',
    '/graph/memory/types/Fact/fact%2Fmore',
    '/graph/near/Refund/about_of/fact%2Fmore',
    '/graph/stats.json',
  ]);
  await list('/graph/memory/nodes');
  await list('/graph/memory/near/fact%2Fmore');
  await read('/graph/memory/edges/about.jsonl');
  told.length = 0;
  memory.put('fact/third', { content: 'Refunds again' });
  t.same(told.sort(), [
    '/graph/memory/edges/about.jsonl',
    '/graph/memory/nodes/fact%2Fthird',
    '/graph/memory/types/Fact/fact%2Fthird',
    '/graph/near/Refund/about_of/fact%2Fthird',
    '/graph/stats.json',
  ]);
});

t.test('a name that comes in the same moment gives its folder another time', async (t) => {
  const { fs, memory, list } = subject(t);
  const timeOf = async (path: string) => (await fs.stat(parsePath(path), CONTEXT)).modifiedNs;
  const folders = ['/graph/memory/nodes', '/graph/memory/types/Fact'];
  await list('/graph/memory/nodes');
  for (const name of ['fact/one', 'fact/two', 'fact/three']) {
    const before = await Promise.all(folders.map(timeOf));
    memory.put(name, { content: 'x' });
    const after = await Promise.all(folders.map(timeOf));
    for (const [index, time] of after.entries()) t.not(time, before[index]);
  }
});

t.test('no write waits for lists of all edges to be written anew, whoever looked at them', async (t) => {
  const { fs, list, read } = subject(t);
  for (const name of await list('/graph/memory/edges')) {
    await read(`/graph/memory/edges/${name}`);
    const { changesUntold } = await fs.stat(parsePath(`/graph/memory/edges/${name}`), CONTEXT);
    t.equal(changesUntold, true, name);
  }
});

t.test('a change of the docs is told where memory shows it', async (t) => {
  const { put, fs, memory, list, graphChanged } = subject(t);
  const told: VfsPath[] = [];
  fs.onChange((paths) => told.push(...paths));
  graphChanged();
  t.same(told, [], 'nobody looked');
  memory.put('fact/intents', { content: 'A PaymentIntent can be confirmed once' });
  t.notOk((await list('/graph/memory/near/fact%2Fintents')).includes('about'));
  told.length = 0;
  put('more.md', factsOf('more.md', { mentions: [concept('PaymentIntent', 1)] }));
  graphChanged();
  t.ok(told.includes(parsePath('/graph/memory/near/fact%2Fintents')));
  t.same(await list('/graph/memory/near/fact%2Fintents/about'), ['PaymentIntent']);
});

t.test('without a memory there is none of it', async (t) => {
  const { graph } = graphSubject(t);
  const resolver = graphResolver({ graph, slow: answeredHere(graph), subscribe: () => () => {} });
  const names = await resolver.list('' as SubPath, CONTEXT);
  t.notOk(names.some(({ name }) => name === 'memory'));
});
