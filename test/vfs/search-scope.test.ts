import t from 'tap';
import { parsePath, type SubPath } from '../../src/core/paths.ts';
import type { Resolver } from '../../src/core/resolver.ts';
import { fixedResolver } from '../../src/resolvers/fixed.ts';
import { SystemFs } from '../../src/vfs/system-fs.ts';

/** Finds the paths with the scores given, best first, as many as it is asked for. */
function finder(name: string, found: Readonly<Record<string, number>>): Resolver {
  return {
    ...fixedResolver(name, {}, 0n),
    search: ({ limit }) =>
      Object.entries(found)
        .map(([path, score]) => ({ path: path as SubPath, line: 0, kind: 'thing', score, snippet: '' }))
        .slice(0, limit),
  };
}

const fs = new SystemFs(
  [
    { point: parsePath('/'), resolver: fixedResolver('root', {}, 0n) },
    { point: parsePath('/one'), resolver: finder('one', { 'x/a': 0.9, 'x/b': 0.8, 'y/c': 0.3 }) },
    { point: parsePath('/two'), resolver: finder('two', { d: 0.5 }) },
  ],
  (error) => {
    throw error;
  },
);

async function found(scope: string, limit: number): Promise<string[]> {
  return (await fs.search({ text: 'anything', limit }, parsePath(scope), {})).map(({ path }) => path);
}

t.test('hits of all resolvers in the scope are ranked together, up to the limit', async (t) => {
  t.same(await found('/', 10), ['/one/x/a', '/one/x/b', '/two/d', '/one/y/c']);
  t.same(await found('/', 3), ['/one/x/a', '/one/x/b', '/two/d']);
  t.same(await found('/two', 10), ['/two/d']);
});

t.test(
  'a scope within one resolver finds what lies there, however many better hits lie elsewhere',
  async (t) => {
    t.same(await found('/one/y', 1), ['/one/y/c']);
    t.same(await found('/one/x', 1), ['/one/x/a']);
    t.same(await found('/one/z', 10), []);
  },
);
