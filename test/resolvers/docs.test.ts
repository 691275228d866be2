import { mkdirSync, mkdtempSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { isPromiseLike } from '../../src/core/awaitable.ts';
import type { SubPath } from '../../src/core/paths.ts';
import { below, parsePath, ROOT } from '../../src/core/paths.ts';
import type { ChangeListener, Resolver } from '../../src/core/resolver.ts';
import { docsResolver, type IndexedVersion } from '../../src/resolvers/docs.ts';
import { openDocsRoot } from '../../src/source/docs-root.ts';
import { untilSettled } from '../source/docs-fixture.ts';
import { leaseOn } from '../support/lease.ts';

const MODIFIED_S = 1_700_000_000;

interface Fixture {
  readonly folder: string;
  readonly resolver: Resolver;
  readonly indexed: Map<string, IndexedVersion>;
  readonly listeners: Set<ChangeListener>;
}

function openFixture(t: Test): Fixture {
  const folder = mkdtempSync(join(tmpdir(), 'kgraphfs-docs-'));
  t.teardown(() => rmSync(folder, { recursive: true, force: true }));
  mkdirSync(join(folder, 'guides'));
  writeFileSync(join(folder, 'guides/refunds.md'), '# Refunds\n');
  utimesSync(join(folder, 'guides/refunds.md'), MODIFIED_S, MODIFIED_S);
  symlinkSync('guides/refunds.md', join(folder, 'link.md'));
  const files = openDocsRoot(folder, { report: () => {} });
  t.teardown(() => files.close());
  const indexed = new Map<string, IndexedVersion>();
  const listeners = new Set<ChangeListener>();
  const resolver = docsResolver({
    files,
    indexedVersionOf: (path) => indexed.get(path),
    search: ({ text, limit }) => [
      { path: sub('guides/refunds.md'), line: 1, kind: 'document', score: 1, snippet: `${text} ${limit}` },
    ],
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  });
  return { folder, resolver, indexed, listeners };
}

function sub(path: string): SubPath {
  const found = below(parsePath(`/${path}`), ROOT);
  if (found === undefined) throw new Error(`${path} lies nowhere`);
  return found;
}

t.test('docs/ is the folder on disk', async (t) => {
  const { resolver } = openFixture(t);
  t.same(await resolver.list(sub(''), {}), [
    { name: 'guides', kind: 'directory' },
    { name: 'link.md', kind: 'link' },
  ]);
  const { version, ...info } = await resolver.stat(sub('guides/refunds.md'), {});
  t.same(info, {
    kind: 'file',
    sizeBytes: 10,
    modifiedNs: BigInt(MODIFIED_S) * 1_000_000_000n,
    mode: 0o644,
  });
  t.equal(await resolver.readLink?.(sub('link.md'), {}), 'guides/refunds.md');
  const file = await resolver.open(sub('guides/refunds.md'), {}, { version: version ?? '', hasBytes: true });
  t.type(file.version, 'string');
  const bytes = Buffer.alloc(20);
  t.equal(await file.read(bytes, 0), 10);
  t.equal(bytes.toString('utf8', 0, 10), '# Refunds\n');
  file.close();
});

t.test('a document is opened ahead for who was shown it', async (t) => {
  const { folder, resolver } = openFixture(t);
  const path = sub('guides/refunds.md');
  await untilSettled(join(folder, path));
  await resolver.list(sub('guides'), {});
  const { version = '' } = await resolver.stat(path, {});
  const file = resolver.openAhead?.(path, { version, hasBytes: false });
  t.equal(file?.version, version);
  file?.close();
  t.equal(resolver.openAhead?.(path, { version: 'another', hasBytes: false }), undefined);
  t.equal(resolver.openAhead?.(path), undefined, 'nobody knows what of it would be of use');
});

t.test('a document that a server of files holds for a client is opened once it lets go', async (t) => {
  const { folder, resolver } = openFixture(t);
  const path = sub('guides/refunds.md');
  const lease = leaseOn(t, join(folder, path));
  const opening = resolver.open(path, {});
  t.ok(isPromiseLike(opening), 'nobody else waits for it');
  lease.letGo();
  const file = await opening;
  t.equal(file.sizeBytes, 10);
  file.close();
});

t.test('what the kernel had and asks for again is read once it is let go of', async (t) => {
  const { folder, resolver } = openFixture(t);
  const path = sub('guides/refunds.md');
  await untilSettled(join(folder, path));
  await resolver.list(sub('guides'), {});
  const { version = '' } = await resolver.stat(path, {});
  const file = await resolver.open(path, {}, { version, hasBytes: true });
  const lease = leaseOn(t, join(folder, path));
  const bytes = Buffer.alloc(20);
  const reading = file.read(bytes, 0);
  t.ok(isPromiseLike(reading), 'nobody else waits for it');
  lease.letGo();
  t.equal(await reading, 10);
  t.equal(bytes.toString('utf8', 0, 10), '# Refunds\n');
  file.close();
});

t.test('a document that is held is refused once nobody waits for it any more', async (t) => {
  const { folder, resolver } = openFixture(t);
  const path = sub('guides/refunds.md');
  leaseOn(t, join(folder, path));
  const waiting = new AbortController();
  const opening = resolver.open(path, { signal: waiting.signal });
  waiting.abort();
  await t.rejects(Promise.resolve(opening), { code: 'EBUSY', why: /^another program holds this file/ });
});

t.test('docs/ takes no change and runs nothing', async (t) => {
  const { resolver } = openFixture(t);
  t.notOk('exec' in resolver || 'write' in resolver || 'remove' in resolver);
});

t.test('a search is answered with the hits of the text search', async (t) => {
  const { resolver } = openFixture(t);
  const hits = await resolver.search?.({ text: 'refunds', limit: 3 }, {});
  t.match(hits, [{ path: 'guides/refunds.md', snippet: 'refunds 3' }]);
});

t.test('a document carries what the graph knows of it, and whether that is still so', async (t) => {
  const { folder, resolver, indexed } = openFixture(t);
  const path = sub('guides/refunds.md');
  const attributes = async (of = path) => Object.fromEntries((await resolver.attributes?.(of, {})) ?? []);
  t.same(await attributes(), {}, 'nothing before it is read');
  indexed.set(path, {
    indexedAtMs: Date.UTC(2024, 4, 6, 7, 8, 9, 10),
    sizeBytes: 10,
    modifiedNs: BigInt(MODIFIED_S) * 1_000_000_000n,
  });
  t.same(await attributes(), {
    'user.kgraphfs.type': 'Document',
    'user.kgraphfs.source': 'guides/refunds.md',
    'user.kgraphfs.indexed_at': '2024-05-06T07:08:09.010Z',
    'user.kgraphfs.stale': 'false',
  });
  utimesSync(join(folder, path), MODIFIED_S, MODIFIED_S + 1);
  t.match(await attributes(), { 'user.kgraphfs.stale': 'true' });
  writeFileSync(join(folder, path), '# Refunds, longer\n');
  utimesSync(join(folder, path), MODIFIED_S, MODIFIED_S);
  t.match(await attributes(), { 'user.kgraphfs.stale': 'true' });
  t.same(await attributes(sub('guides')), {});
  t.same(await attributes(sub('link.md')), {});
  rmSync(join(folder, path));
  await t.rejects(attributes(), { code: 'ENOENT' });
});

t.test('changes on disk are passed on until one unsubscribes', async (t) => {
  const { resolver, listeners } = openFixture(t);
  const heard: (readonly SubPath[])[] = [];
  const unsubscribe = resolver.onChange?.((changed) => heard.push(changed));
  for (const listener of listeners) listener([sub('guides')]);
  t.same(heard, [['guides']]);
  unsubscribe?.();
  t.equal(listeners.size, 0);
});
