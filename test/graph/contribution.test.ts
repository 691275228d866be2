import t from 'tap';
import type { Mention, Statement } from '../../src/core/graph-model.ts';
import { contributionOf } from '../../src/graph/contribution.ts';

/** With all that JSON writes otherwise than it stands. */
const TEXT = 'a "b" \\ c\n\u2028\ud800\u0001é';

t.test(
  'what a document says once of a node or a relation is written as JSON.stringify writes it',
  async (t) => {
    const mention: Mention = {
      key: 'concept:charge',
      type: 'Concept',
      label: TEXT,
      line: 3,
      confidence: 0.1 + 0.2,
      declares: true,
    };
    const statement: Statement = {
      source: 'concept:charge',
      type: 'triggers',
      target: 'concept:refund',
      line: 4,
      confidence: 0.35,
    };
    const bodiesOf = (given: Partial<Mention>, stated: Partial<Statement>): (string | undefined)[] => {
      const { mentions, statements } = contributionOf({
        title: 'Charges',
        problems: [],
        mentions: [{ ...mention, ...given }],
        statements: [{ ...statement, ...stated }],
      });
      return [mentions[0]?.body, statements[0]?.body];
    };
    const node = {
      declares: true,
      votes: { Concept: 0.3 },
      labels: { [TEXT]: 0.3 },
      confidence: 0.1 + 0.2,
      lines: [3],
      citedLine: 3,
    };
    const edge = { confidence: 0.35, lines: [4] };
    t.strictSame(bodiesOf({}, {}), [JSON.stringify(node), JSON.stringify(edge)]);
    t.strictSame(
      bodiesOf({ description: '' }, { description: '' }),
      [JSON.stringify(node), JSON.stringify(edge)],
      'a description that says nothing is none',
    );
    const said = { description: TEXT, properties: { [TEXT]: TEXT, method: 'GET' } };
    t.strictSame(bodiesOf({ declares: false, ...said }, { rule: 'named', description: TEXT }), [
      JSON.stringify({ ...node, declares: false, ...said }),
      JSON.stringify({ confidence: 0.35, rule: 'named', lines: [4], description: TEXT }),
    ]);
  },
);
