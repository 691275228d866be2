import fc from 'fast-check';
import t from 'tap';
import type { Outline } from '../../src/core/outline.ts';
import { extractDocument } from '../../src/ingest/extract/extract.ts';
import { headingTest, RuleMatcher } from '../../src/schema/matching.ts';
import { parseSchemaMap } from '../../src/schema/parse-map.ts';
import { cpuMsOf } from '../support/cpu-time.ts';

const nameIn = (heading: string, title: string) => headingTest({ heading })({ title, level: 2 });

t.test(
  'a heading is matched without case, with stars for any text, the first of them the name',
  async (t) => {
    t.equal(nameIn('Story: *', 'STORY:  Fast  refunds'), 'Fast refunds');
    t.equal(nameIn('Story: *', 'Story:'), undefined, 'a star is some text');
    t.equal(nameIn('* (*)', 'Queue (draft)'), 'Queue');
    t.equal(nameIn('* story', 'A story'), 'A');
    t.equal(nameIn('Status', 'status:'), 'status');
    t.equal(nameIn('Status', 'Statuses'), undefined);
    t.equal(nameIn('a.c', 'abc'), undefined, 'no other character stands for anything');
  },
);

t.test('what a star stands for is found again', async () => {
  const words = fc.string({
    unit: fc.constantFrom('a', 'b', ' ', ':', '.', 'Ä'),
    minLength: 1,
    maxLength: 8,
  });
  fc.assert(
    fc.property(words, words, (name, end) => {
      const wanted = name.replace(/\s+/g, ' ').trim();
      fc.pre(wanted !== '');
      const found = nameIn('epic *', `Epic ${name}`);
      return (
        found === wanted && (end.trim() === '' || nameIn(`* -${end}`, `${wanted} -${end}`) !== undefined)
      );
    }),
  );
});

t.test('a rule about a field is about documents that have it, in any case', async (t) => {
  const map = 'frontMatter:\n  - key: Kind\n    property: kind\n  - key: team\n    edge: owned_by\n';
  const matcher = new RuleMatcher(parseSchemaMap(map, 'map.yaml'));
  const about = (fields: Outline['fields']) => {
    const rules = matcher.rulesFor('a.md', { fields, sections: [] });
    return rules.map((rule) => (rule.kind === 'field' ? rule.key : rule.kind));
  };
  const stamp = (fields: Outline['fields']) => matcher.stampFor('a.md', { fields, sections: [] });
  t.same(about({}), []);
  t.same(about({ status: 1 }), []);
  t.same(about({ KIND: 1 }), ['Kind']);
  t.same(about({ team: 1, kind: 2 }), ['Kind', 'team']);
  t.equal(stamp({ status: 1 }), '');
  t.equal(stamp({ kind: 1 }).length, 16);
  t.equal(stamp({ kind: 1 }), stamp({ KIND: 2, status: 3 }));
  t.not(stamp({ kind: 1 }), stamp({ team: 1 }));
});

t.test('hostile documents take time in line with their length', async (t) => {
  const map = parseSchemaMap(
    'headings: [{heading: "* a * b", type: Odd}, {heading: Status, property: status}]\nphrases: [{phrase: is verified by, edge: verified_by}, {phrase: blocks, edge: blocks}]',
    'm',
  );
  const matcher = new RuleMatcher(map);
  const took = (text: string) => cpuMsOf(() => extractDocument('x.md', text, undefined, matcher));
  const texts: readonly ((count: number) => string)[] = [
    (count) => '# Status\n\n'.repeat(count),
    (count) => `# ${'a '.repeat(150)}\n\n`.repeat(count / 20),
    (count) => 'blocks '.repeat(count),
    (count) => 'is  verified '.repeat(count),
    (count) => `is${' '.repeat(count)}`.repeat(2),
    (count) => '**A** blocks **B** '.repeat(count / 4),
  ];
  for (const textOf of texts) {
    took(textOf(4000));
    const [shortMs, longMs] = [took(textOf(4000)), took(textOf(32_000))];
    t.ok(longMs < 24 * shortMs + 200, `${textOf(1).slice(0, 12)}: ${shortMs} ms, ${longMs} ms`);
  }
});
