import t from 'tap';
import type { ParsedQuery } from '../../src/core/search.ts';
import { parseQuery } from '../../src/retrieval/language/parse-query.ts';
import { Scope } from '../../src/retrieval/scope.ts';

const scope = (query: string, option?: string) => {
  const parsed: ParsedQuery = parseQuery(query);
  return new Scope(parsed, option === undefined ? { limit: 1 } : { limit: 1, scope: option });
};

t.test('without scopes everything is in it', async (t) => {
  for (const all of [scope('refund'), scope('refund', '/'), scope('in:/ refund')]) {
    t.ok(all.isEverything && all.holds('/docs/a.md') && all.holdsAll('memory') && all.reaches('history'));
    t.notOk(all.names('history'));
  }
});

t.test('a folder holds what is below it, and nothing that only begins like it', async (t) => {
  const docs = scope('refund', '/docs/api/');
  t.ok(docs.holds('/docs/api/cards.md') && docs.holds('/docs/api'));
  t.notOk(docs.holds('/docs/apis.md') || docs.holds('/graph/nodes/Card'));
  t.ok(docs.reaches('document') && docs.names('document') && !docs.holdsAll('document'));
  t.notOk(docs.reaches('memory') || docs.reaches('node'));
});

t.test(
  'a folder above others reaches what lies in them, and one of several holds not all of a kind',
  async (t) => {
    const context = scope('refund', '/context');
    t.ok(context.reaches('memory') && context.holdsAll('memory') && context.reaches('history'));
    t.notOk(context.reaches('document') || context.names('memory'));
    const docs = scope('refund in:/docs');
    t.ok(docs.holds('/docs/a.md') && docs.names('document'));
    t.notOk(docs.holdsAll('document'), 'documents of modules are elsewhere');
  },
);

t.test('of several in: any counts, and the option holds besides', async (t) => {
  const both = scope('in:/docs in:/context/memory refund');
  t.ok(both.holds('/docs/a.md') && both.holds('/context/memory/fact/a') && !both.holds('/graph/nodes/A'));
  t.notOk(both.names('document'), 'documents are not asked for alone');
  const narrowed = scope('in:/docs in:/context/memory refund', '/context');
  t.ok(narrowed.holds('/context/memory/fact/a') && !narrowed.holds('/docs/a.md'));
});
