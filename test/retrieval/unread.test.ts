import { realpathSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { unreadText } from '../../src/core/unread-sources.ts';
import { Filter } from '../../src/retrieval/filter.ts';
import { parseQuery } from '../../src/retrieval/language/parse-query.ts';
import { literalUnread } from '../../src/retrieval/literal.ts';
import { nothingFound } from '../../src/retrieval/nothing-found.ts';
import { whyNotAll } from '../../src/toolkit/searched.ts';
import { failingDisk } from '../support/failing-disk.ts';
import { fakeCorpus } from './fake-corpus.ts';
import { searched } from './searched.ts';

const TOLD = 'cannot be read now, and may say it: /docs/a.md';

t.test('a page that may say a phrase, and that the disk fails to read, is told', async (t) => {
  const text = 'Refunds take five days.\n';
  const { app, ask } = await searched(t, { 'a.md': `# A\n\n${text}`, 'b.md': `# B\n\n${text}` });
  const disk = failingDisk(t);
  const [root] = app.settings.selection.folders;
  const file = realpathSync(join(root?.folder ?? '', 'a.md'));
  disk.failAt(file);
  const answer = await ask('"five days"');
  t.match(answer, { hits: [{ path: '/docs/b.md' }], unread: ['/docs/a.md'] });
  t.same(
    whyNotAll(answer, () => undefined),
    { hits_note: TOLD },
  );
  t.notOk('unread' in (await ask('refunds')), 'without a phrase it is a hit');
  t.notOk('unread' in (await ask('"seven months"')), 'its words are known');
  disk.failAt();
  t.match(await ask('"five days"'), { hits: { length: 2 }, unread: undefined }, 'it is asked anew');
});

t.test('where nothing was found, so is what could not be read', async (t) => {
  const hints = {
    engine: { search: () => ({ hits: [], named: [] }) },
    similar: () => [],
    readSoFar: () => undefined,
    unread: ['/docs/a.md'],
  };
  const { lines } = await nothingFound('"five days"', parseQuery('"five days"'), hints, { limit: 10 });
  t.ok(lines.includes(TOLD));
});

t.test('so is what a look through all text could not read', async (t) => {
  const { app, ask, remove } = await searched(t, {
    'a.md': '# A\n\nThe zzqxarble runs twice.\n',
    'b.md': '# B\n\nAs the zzqxarble says.\n',
    'c/c.md': '# C\n\nOf nothing.\n',
  });
  const disk = failingDisk(t);
  const folder = realpathSync(app.settings.selection.folders[0]?.folder ?? '');
  disk.failAt(join(folder, 'a.md'), join(folder, 'c/c.md'));
  t.match(await ask('qxarbl'), {
    hits: [{ path: '/docs/b.md', retrievers: { literal: 1 } }],
    unread: ['/docs/a.md', '/docs/c/c.md'],
  });
  t.match(
    await ask('qxarbl in:/docs/c'),
    { hits: { length: 0 }, unread: ['/docs/c/c.md'] },
    'where it is asked for',
  );
  disk.failAt();
  t.match(await ask('qxarbl'), { hits: { length: 2 }, unread: undefined });
  remove('a.md');
  t.notOk('unread' in (await ask('qxarbl')), 'what is gone says nothing');
});

t.test('a docs folder that is away is told where it holds what is asked for', (t) => {
  const paths = ['/docs/web/a.md', '/docs/api/b.md'];
  const { corpus } = fakeCorpus(
    'docs',
    paths.map((path) => ({ kind: 'document', path })),
  );
  const graph = { around: () => undefined, speakingOf: () => new Set<string>() };
  const toldOf = (question: string, ...unread: string[]) =>
    literalUnread(unread, {
      corpora: [corpus],
      filter: new Filter(parseQuery(question), { limit: 10 }, graph),
    });
  t.same(toldOf('x', ''), ['/docs']);
  t.same(toldOf('x', 'web', 'api', 'other'), ['/docs/web', '/docs/api']);
  t.same(toldOf('x in:/docs/web', 'web', 'api'), ['/docs/web']);
  t.same(toldOf('x type:memory', ''), []);
  t.end();
});

t.test('all docs are looked through once, however many files that are not indexed cannot be read', (t) => {
  const { corpus } = fakeCorpus('docs', [{ kind: 'document', path: '/docs/web/deep/a.md' }]);
  let looks = 0;
  const counting = {
    ...corpus,
    sources() {
      looks += 1;
      return corpus.sources();
    },
  };
  const graph = { around: () => undefined, speakingOf: () => new Set<string>() };
  const filter = new Filter(parseQuery('x'), { limit: 10 }, graph);
  const toldOf = (unread: string[]) => literalUnread(unread, { corpora: [counting], filter });
  const files = Array.from({ length: 1000 }, (_, index) => `web/locked/${index}.md`);
  t.same(toldOf([...files, 'web', 'web/deep', 'we']), ['/docs/web', '/docs/web/deep']);
  t.equal(looks, 1);
  t.same(toldOf(['web/deep/a.md']), ['/docs/web/deep/a.md']);
  t.equal(looks, 1, 'and not at all for those that are');
  t.end();
});

t.test('of many the first are named', (t) => {
  t.equal(unreadText(['a', 'b', 'c', 'd', 'e']), 'cannot be read now, and may say it: a, b, c, and 2 more');
  t.end();
});
