import t from 'tap';
import { isFsError } from '../../src/core/errors.ts';
import { endpointKey, eventKey } from '../../src/core/identity.ts';
import type { SubPath } from '../../src/core/paths.ts';
import type { OpenFile } from '../../src/core/resolver.ts';
import { answeredHere } from '../../src/graph/slow-questions.ts';
import { graphResolver } from '../../src/resolvers/graph.ts';
import { concept, factsOf, graphSubject } from '../graph/subject.ts';
import type { Teardown } from '../support/temporary.ts';

const CONTEXT = {};
const CREATE = endpointKey('POST', '/v1/charges');
const SUCCEEDED = eventKey('charge.succeeded');

function subject(t: Teardown) {
  const { put, graph } = graphSubject(t);
  put(
    'charges/create.md',
    factsOf('charges/create.md', {
      title: 'Create a charge',
      mentions: [
        concept('Charge', 1, { description: 'Moves money.' }),
        concept('Customer', 5),
        {
          key: CREATE,
          type: 'Endpoint',
          label: 'POST /v1/charges',
          line: 3,
          confidence: 0.95,
          declares: true,
        },
        {
          key: SUCCEEDED,
          type: 'Event',
          label: 'charge.succeeded',
          line: 9,
          confidence: 0.9,
          declares: true,
        },
      ],
      relations: [
        { from: 'Charge', type: 'requires', to: 'Customer', line: 5 },
        { from: 'Charge', type: 'triggers', to: SUCCEEDED, line: 9 },
        { from: CREATE, type: 'returns', to: 'Charge', line: 7 },
      ],
    }),
  );
  const resolver = graphResolver({ graph, slow: answeredHere(graph), subscribe: () => () => {} });
  const read = async (path: string) => textOf(await resolver.open(path as SubPath, CONTEXT));
  const list = async (path: string) =>
    (await resolver.list(path as SubPath, CONTEXT)).map(({ name }) => name);
  const codeAt = async (path: string) => {
    try {
      await resolver.stat(path as SubPath, CONTEXT);
      return 'it is there';
    } catch (error) {
      return isFsError(error) ? error.code : error;
    }
  };
  return { put, graph, resolver, read, list, codeAt };
}

function textOf(file: OpenFile): string {
  const bytes = Buffer.alloc(file.sizeBytes + 10);
  const count = Number(file.read(bytes, 0));
  return bytes.toString('utf8', 0, count);
}

t.test('a node is JSON with one relationship a line', async (t) => {
  const { read } = subject(t);
  const text = await read('nodes/Charge');
  t.match(JSON.parse(text), {
    entity: 'Charge',
    type: 'APIObject',
    description: 'Moves money.',
    degree: 3,
    sources: ['charges/create.md:1'],
  });
  t.match(
    text,
    '    {"edge_type": "requires", "node": "Customer", "weight": 1, "confidence": 0.8, "evidence": ["charges/create.md:5"]},\n',
  );
  t.ok(text.endsWith('}\n'));
});

t.test('everything listed can be opened, and its size is what is read', async (t) => {
  const { resolver, list, read } = subject(t);
  const walk = async (path: string): Promise<number> => {
    let files = 0;
    for (const name of await list(path)) {
      const child = path === '' ? name : `${path}/${name}`;
      const info = await resolver.stat(child as SubPath, CONTEXT);
      if (info.kind === 'directory') files += await walk(child);
      if (info.kind === 'link')
        t.equal(
          Buffer.byteLength((await resolver.readLink?.(child as SubPath, CONTEXT)) ?? ''),
          info.sizeBytes,
        );
      if (info.kind !== 'file') continue;
      files += 1;
      t.equal(Buffer.byteLength(await read(child)), info.sizeBytes, child);
    }
    return files;
  };
  t.ok((await walk('')) > 10);
});

t.test('looking up forgives what listing does not show', async (t) => {
  const { read, list } = subject(t);
  t.same(await list('nodes'), [
    'Charge',
    'Create a charge',
    'Customer',
    'POST %2Fv1%2Fcharges',
    'charge.succeeded',
  ]);
  const page = await read('nodes/Charge');
  for (const name of ['charge', 'charges', 'CHARGE']) t.equal(await read(`nodes/${name}`), page, name);
  t.match(await read('markdown/charge'), /^# Charge\n\nAPIObject/);
  const way = await read('path/customer/charge.succeeded');
  t.match(JSON.parse(way), { path_length: 2, source: 'Customer', target: 'charge.succeeded' });
  const steps = way.split('\n').filter((line) => line.includes('"node"'));
  t.equal(steps.length, 3, 'one a line');
  for (const step of steps.slice(0, -1)) t.match(step, /"evidence": \["[^"]+\.md:\d+"/);
  t.same([await list('markdown'), await list('near'), await list('path')], [[], [], []]);
});

t.test('types and neighbours are links to nodes', async (t) => {
  const { resolver, list } = subject(t);
  const target = async (path: string) => resolver.readLink?.(path as SubPath, CONTEXT);
  t.same(await list('types'), ['APIObject', 'Concept', 'Document', 'Endpoint', 'Event']);
  t.equal(await target('types/Endpoint/POST %2Fv1%2Fcharges'), '../../nodes/POST %2Fv1%2Fcharges');
  t.same(await list('near/Charge'), ['requires', 'returns_of', 'triggers']);
  t.equal(await target('near/Charge/requires/Customer'), '../../../nodes/Customer');
  t.equal(await target('near/Customer/requires_of/Charge'), '../../../nodes/Charge');
});

t.test('edges of a type are JSON lines', async (t) => {
  const { read, list } = subject(t);
  t.ok((await list('edges')).includes('returns.jsonl'));
  t.same(JSON.parse(await read('edges/returns.jsonl')), {
    source: 'POST /v1/charges',
    edge_type: 'returns',
    target: 'Charge',
    weight: 1,
    confidence: 0.8,
    evidence: ['charges/create.md:7'],
  });
  t.equal(await read('edges/generates.jsonl'), '');
});

t.test('what is not there, or no folder, has the errno of a disk', async (t) => {
  const { codeAt } = subject(t);
  t.equal(await codeAt('nodes/Nothing'), 'ENOENT');
  t.equal(await codeAt('nodes/.git'), 'ENOENT', 'editors and git probe for dot names');
  t.equal(await codeAt('path/Charge/.hidden'), 'ENOENT');
  t.equal(await codeAt('near/Charge/contains'), 'ENOENT');
  t.equal(await codeAt('types/Endpoint/Charge'), 'ENOENT', 'a node is listed under its own type only');
  t.equal(await codeAt('nodes/Charge/x'), 'ENOTDIR');
  t.equal(await codeAt('stats.json/x'), 'ENOTDIR');
  t.equal(await codeAt('types/APIObject/Charge/x'), 'ENOTDIR');
});

t.test('an open page keeps its version; the next open sees the new one', async (t) => {
  const { put, resolver, read } = subject(t);
  const before = await read('nodes/Charge');
  const open = await resolver.open('nodes/Charge' as SubPath, CONTEXT);
  put(
    'more.md',
    factsOf('more.md', {
      mentions: [concept('Invoice')],
      relations: [{ from: 'Invoice', type: 'triggers', to: 'Charge' }],
    }),
  );
  t.equal(textOf(open), before);
  t.match(await read('nodes/Charge'), /"node": "Invoice"/);
});

t.test('the page of a node is made ahead, and nothing else is', async (t) => {
  const { resolver, read } = subject(t);
  const page = resolver.openAhead?.('nodes/Charge' as SubPath);
  t.equal(page && textOf(page), await read('nodes/Charge'));
  for (const path of ['stats.json', 'edges/requires.jsonl', 'markdown/Charge', 'nodes']) {
    t.equal(resolver.openAhead?.(path as SubPath), undefined, path);
  }
  t.throws(() => resolver.openAhead?.('nodes/none' as SubPath), { code: 'ENOENT' });
});

t.test('what takes long is made in another thread, and not waited for', async (t) => {
  const { graph } = subject(t);
  let asked = 0;
  const slow = {
    ...answeredHere(graph),
    nodePage: () => {
      asked += 1;
      return Promise.reject(new Error('nobody waits for this'));
    },
  };
  const many = { ...graph, relationsUnlessMany: () => undefined };
  const resolver = graphResolver({ graph: many, slow, subscribe: () => () => {} });
  t.equal(resolver.openAhead?.('nodes/Charge' as SubPath), undefined);
  t.equal(asked, 1);
  await new Promise(setImmediate);
});

t.test('one neighbour of a node is found without a look at all of them', async (t) => {
  const { graph } = subject(t);
  const sides = () => {
    throw new Error('of a hub that takes as long as it has neighbours');
  };
  const resolver = graphResolver({
    graph: { ...graph, sides },
    slow: answeredHere(graph),
    subscribe: () => () => {},
  });
  const stat = async (path: string) => resolver.stat(path as SubPath, CONTEXT);
  t.match(await stat('near/Charge/requires/Customer'), { kind: 'link' });
  t.match(await stat('near/Charge/returns_of/POST %2Fv1%2Fcharges'), { kind: 'link' });
  t.match(await stat('near/Charge/triggers'), { kind: 'directory' });
  for (const name of ['requires_of', 'returns', 'of', '_of', 'none_of'])
    await t.rejects(stat(`near/Charge/${name}`), { code: 'ENOENT' }, name);
});

t.test('stats count what is listed', async (t) => {
  const { read, list } = subject(t);
  const stats = JSON.parse(await read('stats.json'));
  t.equal(stats.total_nodes, (await list('nodes')).length);
  t.equal(stats.total_edges, 3);
  t.match(stats, { nodes_by_type: { APIObject: 2, Endpoint: 1, Event: 1, Document: 1 }, revision: 1 });
});

t.test('actions answer as JSON, and say what is wrong with their arguments', async (t) => {
  const { resolver } = subject(t);
  const run = async (action: string, ...args: string[]) =>
    resolver.exec?.('' as SubPath, action, args, CONTEXT);
  t.match(JSON.parse((await run('find_path', 'Customer', 'POST /v1/charges')) ?? ''), { path_length: 2 });
  t.match(JSON.parse((await run('related_concepts', 'charge')) ?? ''), [
    { node: 'Customer', edge_type: 'requires', direction: 'out' },
  ]);
  t.match(JSON.parse((await run('subgraph', 'Customer', '1')) ?? '').nodes, [
    { node: 'Customer' },
    { node: 'Charge' },
  ]);
  await t.rejects(run('related_concepts', 'Chrage'), { code: 'EINVAL', why: /did you mean "Charge"/ });
  await t.rejects(run('subgraph', 'Charge', 'deep'), { code: 'EINVAL', why: /whole number/ });
  await t.rejects(run('find_path'), { code: 'EINVAL', why: 'find_path needs <from> <to>' });
  await t.rejects(run('find_path', 'Charge'), { code: 'EINVAL', why: 'find_path needs <from> <to>' });
  await t.rejects(run('subgraph'), { code: 'EINVAL', why: 'subgraph needs <name> [depth]' });
  await t.rejects(run('dance'), { code: 'EINVAL', why: /find_path, subgraph and related_concepts/ });
});

t.test('nodes carry their metadata as extended attributes', async (t) => {
  const { resolver } = subject(t);
  const attributes = await resolver.attributes?.('nodes/Charge' as SubPath, CONTEXT);
  t.match(Object.fromEntries(attributes ?? []), {
    'user.kgraphfs.type': 'APIObject',
    'user.kgraphfs.confidence': '0.9',
    'user.kgraphfs.source': 'charges/create.md:1',
  });
});
