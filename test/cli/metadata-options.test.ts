import t from 'tap';
import { saidMetadata } from '../../src/cli/metadata-options.ts';

const NOTHING = { confidence: undefined, tags: [], source: [] };

t.test('what a person says of an entry is read as memory reads it, and nothing else is said', async (t) => {
  t.strictSame(await saidMetadata(NOTHING, 'v'), {});
  t.strictSame(await saidMetadata({ ...NOTHING, confidence: '0' }, 'v'), { confidence: 0 });
  t.strictSame(await saidMetadata({ ...NOTHING, tags: ['a', ' b '] }, 'v'), { tags: ['a', 'b'] });
  t.strictSame(await saidMetadata({ ...NOTHING, source: ['a.md:3'] }, 'v'), { sourcePaths: ['a.md:3'] });
  t.strictSame(await saidMetadata({ ...NOTHING, ttl: '2m' }, 'v'), { ttlSeconds: 120 });
});

t.test('what cannot be is refused by the name of its option', async (t) => {
  const refused = (said: object) => saidMetadata({ ...NOTHING, ...said }, 'context memory add');
  await t.rejects(refused({ confidence: '2' }), {
    exitStatus: 2,
    message: /^--confidence "2": .*from 0 to 1\n {2}kgraphfs context memory add --help shows how$/,
  });
  await t.rejects(refused({ ttl: 'soon' }), { message: /^--ttl "soon": / });
  await t.rejects(refused({ tags: ['a,b'] }), { message: /^--tags "a,b": / });
  await t.rejects(refused({ source: ['a\nb'] }), { message: /^--source "a\nb": / });
});
