import fc from 'fast-check';
import t from 'tap';
import { isFsError } from '../../src/core/errors.ts';
import { EDGE_TYPES, NODE_TYPES } from '../../src/core/graph-model.ts';
import type { SubPath } from '../../src/core/paths.ts';
import type { Resolver } from '../../src/core/resolver.ts';
import { edit, LABELS } from '../graph/edits.ts';
import { concept, factsOf, graphSubject } from '../graph/subject.ts';
import type { Teardown } from '../support/temporary.ts';
import { followedGraph } from './followed-graph.ts';

const CONTEXT = {};

function subject(t: Teardown) {
  const { put, remove, graph } = graphSubject(t);
  return { put, remove, ...followedGraph(graph) };
}

/** What a kernel keeps of the tree: what it was shown, until it is told that this changed. */
class Kernel {
  readonly #resolver: Resolver;
  readonly #shown = new Map<string, string>();
  readonly #listed = new Map<string, string>();

  constructor(resolver: Resolver) {
    this.#resolver = resolver;
  }

  async look(path: string): Promise<void> {
    const shown = await this.#stat(path);
    if (shown === 'ENOENT' && this.#resolver.tellsOfNew?.(path as SubPath) === false) return;
    this.#shown.set(path, shown);
    if (shown.startsWith('directory')) this.#listed.set(path, await this.#list(path));
  }

  /** What it keeps and is not so any more, although nobody told it. */
  async stale(told: readonly string[]): Promise<string[]> {
    const stale: string[] = [];
    for (const [path, shown] of this.#shown) {
      if ((await this.#stat(path)) !== shown && !isTold(path, told)) stale.push(path);
    }
    for (const [path, listed] of this.#listed) {
      if ((await this.#list(path)) !== listed && !isTold(path, told)) stale.push(`${path}/`);
    }
    return stale;
  }

  async refresh(): Promise<void> {
    const paths = [...this.#shown.keys()];
    this.#shown.clear();
    this.#listed.clear();
    for (const path of paths) await this.look(path);
  }

  async #stat(path: string): Promise<string> {
    try {
      const { kind, sizeBytes, modifiedNs, version } = await this.#resolver.stat(path as SubPath, CONTEXT);
      const target = kind === 'link' ? await this.#resolver.readLink?.(path as SubPath, CONTEXT) : '';
      return `${kind} ${sizeBytes} ${modifiedNs} ${version} ${target}`;
    } catch (error) {
      if (isFsError(error)) return error.code;
      throw error;
    }
  }

  async #list(path: string): Promise<string> {
    try {
      const entries = await this.#resolver.list(path as SubPath, CONTEXT);
      return entries.map(({ name }) => name).join('\n');
    } catch (error) {
      if (isFsError(error)) return error.code;
      throw error;
    }
  }
}

/** Told of itself, of what it lies in, or of a name in it: then its listing is looked at again. */
function isTold(path: string, told: readonly string[]): boolean {
  return told.some((one) => {
    const folder = one.slice(0, Math.max(0, one.lastIndexOf('/')));
    return one === '' || one === path || path.startsWith(`${one}/`) || folder === path;
  });
}

const NAMES = [
  ...LABELS,
  'Overview',
  'Other',
  'CHARGE',
  'Charge (a.md)',
  'Overview (a.md)',
  'Charge (sub%2Fa.md)',
];
const name = fc.constantFrom(...NAMES);
const side = fc.constantFrom(...EDGE_TYPES.flatMap((type) => [type, `${type}_of`]));
const lookedAt = fc.oneof(
  fc.constantFrom('', 'nodes', 'types', 'edges', 'path', 'stats.json', 'graph.json'),
  fc.tuple(fc.constantFrom('nodes', 'markdown', 'near'), name).map((parts) => parts.join('/')),
  fc.tuple(fc.constant('types'), fc.constantFrom(...NODE_TYPES)).map((parts) => parts.join('/')),
  fc.tuple(fc.constant('types'), fc.constantFrom(...NODE_TYPES), name).map((parts) => parts.join('/')),
  fc.tuple(fc.constant('near'), name, side).map((parts) => parts.join('/')),
  fc.tuple(fc.constant('near'), name, side, name).map((parts) => parts.join('/')),
  fc.tuple(fc.constant('path'), name, name).map((parts) => parts.join('/')),
  fc.constantFrom(...EDGE_TYPES).map((type) => `edges/${type}.jsonl`),
);

t.test('whatever is edited, all that shows it and was looked at is told of', async (t) => {
  const step = fc.record({ looks: fc.array(lookedAt, { maxLength: 12 }), edit });
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 8 }), async (steps) => {
      const { put, remove, resolver, toldOf } = subject(t);
      const kernel = new Kernel(resolver);
      for (const { looks, edit } of steps) {
        for (const path of looks) await kernel.look(path);
        const told = toldOf(() => {
          if (edit.facts === undefined) remove(edit.path);
          else put(edit.path, edit.facts);
        });
        t.same(await kernel.stale(told), []);
        await kernel.refresh();
      }
    }),
    { numRuns: 80 },
  );
});

t.test('a change is told of where it shows and somebody looked, and nowhere else', async (t) => {
  const { put, resolver, toldOf } = subject(t);
  const pair = (label: string, other: string) =>
    factsOf(`${label}.md`, {
      mentions: [concept(label), concept(other)],
      relations: [{ from: label, type: 'requires', to: other }],
    });
  put('Charge.md', pair('Charge', 'Customer'));
  toldOf(() => put('Invoice.md', pair('Invoice', 'Address')));
  const stat = (path: string) => resolver.stat(path as SubPath, CONTEXT);
  t.same(
    toldOf(() => put('Other.md', pair('Other', 'More'))).filter((path) => !/Other|More/.test(path)),
    [],
  );
  for (const path of [
    'nodes/Charge',
    'nodes/Customer',
    'nodes/Invoice',
    'near/Customer',
    'nodes/customers',
  ]) {
    await stat(path);
  }
  await stat('edges/requires.jsonl');
  await stat('edges/triggers.jsonl');
  const told = toldOf(() =>
    put(
      'Charge.md',
      factsOf('Charge.md', {
        mentions: [concept('Charge'), concept('Customer')],
        relations: [{ from: 'Charge', type: 'requires', to: 'Customer', line: 5 }],
      }),
    ),
  );
  t.same(told, [
    'edges/requires.jsonl',
    'near/Customer',
    'nodes/Charge',
    'nodes/Customer',
    'nodes/customers',
  ]);
});

t.test('names that come and go are told of, looked at or not, since a folder lists them', async (t) => {
  const { put, remove, toldOf } = subject(t);
  const charge = factsOf('charge.md', { mentions: [concept('Charge')] });
  put('first.md', factsOf('first.md', {}));
  toldOf(() => {});
  t.ok(toldOf(() => put('charge.md', charge)).includes('types/APIObject/Charge'));
  t.same(
    toldOf(() => remove('charge.md')),
    ['nodes/Charge', 'nodes/charge.md', 'types/APIObject/Charge', 'types/Document/charge.md'],
  );
});

t.test('where more changed than is told one by one, all of it is told', async (t) => {
  const { put, toldOf } = subject(t);
  toldOf(() => put('first.md', factsOf('first.md', {})));
  const mentions = Array.from({ length: 5001 }, (_, index) => concept(`Thing${index}x`));
  t.same(
    toldOf(() => put('all.md', factsOf('all.md', { mentions }))),
    [''],
  );
});

t.test('the time of a folder is that of the last change of what it lists', async (t) => {
  const { put, resolver } = subject(t);
  const timeOf = async (path: string) => (await resolver.stat(path as SubPath, CONTEXT)).modifiedNs;
  put('a.md', factsOf('a.md', { mentions: [concept('Charge')] }));
  const paths = [
    '',
    'nodes',
    'types',
    'types/APIObject',
    'types/Document',
    'edges',
    'types/APIObject/Charge',
  ];
  const before = await Promise.all(paths.map(timeOf));
  put('a.md', factsOf('a.md', { title: 'a.md', mentions: [concept('Charge', 7)] }));
  t.same(await Promise.all(paths.map(timeOf)), before, 'a page that changes is still listed as it was');
  put('b.md', factsOf('b.md', {}));
  const after = await Promise.all(paths.map(timeOf));
  const isNew = paths.filter((_, index) => after[index] !== before[index]);
  t.same(isNew, ['nodes', 'types/Document']);
});
