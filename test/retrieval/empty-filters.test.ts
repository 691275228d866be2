import t from 'tap';
import { emptyFilters } from '../../src/retrieval/empty-filters.ts';
import { misreadFilters } from '../../src/retrieval/language/misread-filters.ts';
import { parseQuery } from '../../src/retrieval/language/parse-query.ts';
import { fakeCorpus } from './fake-corpus.ts';
import { searched } from './searched.ts';

const GRAPH = {
  around: (name: string) => (name === 'Card' ? new Set(['/docs/a.md']) : undefined),
  speakingOf: (type: string) => new Set(type === 'endpoint' ? ['/docs/a.md'] : []),
};
const { corpus: docs } = fakeCorpus('docs', [
  { kind: 'document', path: '/docs/web/a.md', tags: ['billing'], type: 'guide', shownType: 'Guide' },
  { kind: 'node', path: '/graph/nodes/Card', type: 'apiobject', shownType: 'APIObject' },
  { kind: 'node', path: '/graph/nodes/Charge', type: 'apiobject', shownType: 'APIObject' },
]);
const { corpus: memory } = fakeCorpus('memory', [
  { kind: 'memory', path: '/context/memory/fact/salary', type: 'fact', tags: ['secret'] },
]);

const said = (question: string) => emptyFilters(parseQuery(question), [docs, memory], GRAPH);

t.test('what a filter asks for that nothing has is said', async (t) => {
  t.same(said('type:colour'), [
    'nothing is of the type "colour"; there are document, node, memory, history, APIObject, Guide',
  ]);
  t.same(said('type:apiobjects'), ['nothing is of the type "apiobjects"; did you mean APIObject?']);
  t.same(said('tag:biling'), ['nothing has the tag "biling"; did you mean billing?']);
  t.same(said('tag:secrets'), ['nothing has the tag "secrets"'], 'a tag of a memory is not told');
  t.same(said('in:/docs/api'), ['nothing that is searched lies in /docs/api']);
  t.same(said('related:None~2'), ['there is no node "None"']);
  t.equal(said('in:/docs/web in:/docs/api type:guide type:page tag:x').length, 3, 'each by itself');
});

t.test('nothing is said of a filter that lets something through', async (t) => {
  for (const question of [
    'words alone',
    'type:memory',
    'type:history type:node',
    'type:guide tag:billing in:/docs/web',
    'type:endpoint',
    'type:fact tag:secret in:memory',
    'in:/graph in:/docs/web/a.md in:/',
    'in:/context/history/2026-11-21_s.jsonl',
    'related:Card',
  ])
    t.same(said(question), [], question);
});

t.test('an answer without hits says so, and one with hits does not', async (t) => {
  const { ask } = await searched(t, { 'a.md': '# Refunds\n\nA Refund requires a Charge.\n' });
  t.match(await ask('refund type:colour'), {
    hits: [],
    empty: [/^nothing is of the type "colour"; there are /],
  });
  t.match(await ask('tag:nope'), { hits: [], empty: ['nothing has the tag "nope"'] });
  t.notOk('empty' in (await ask('refund type:colour type:document')));
  t.notOk('empty' in (await ask('zzqxarble')));
});

t.test('a filter that counts as words is told, and words with a colon are not', async (t) => {
  const toldOf = (query: string) => misreadFilters(query, parseQuery(query));
  t.match(toldOf('🔥 refund in:nowhere'), [
    /^in:nowhere counts as words: nothing in "nowhere" is searched; there/,
  ]);
  t.match(toldOf('after:tomorrow before:2026'), [
    /^after:tomorrow counts as words: "tomorrow" is not a date/,
  ]);
  t.match(toldOf('-type:node'), [/^-type:node counts as words: a filter cannot be excluded/]);
  t.same(toldOf('error:404 note:well "a 5" b'), []);
});
