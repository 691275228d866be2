import t from 'tap';
import { ModelError } from '../../src/core/model-error.ts';
import { readAnswer } from '../../src/model-extraction/read-answer.ts';

const EDGE = {
  source: 'Invoice',
  type: 'triggers',
  target: 'Charge',
  line: 3,
  quote: 'An Invoice triggers a Charge',
};
const JSON_TEXT = JSON.stringify({ nodes: [], edges: [EDGE] });

t.test('an answer of JSON is taken as it is', async (t) => {
  const { answer, wasRepaired } = readAnswer(JSON_TEXT);
  t.same(answer, { nodes: [], edges: [EDGE], unreadable: 0 });
  t.notOk(wasRepaired);
});

t.test(
  'almost-JSON is mended: fences, prose around it, single quotes, a comma too many, an end that is missing',
  async (t) => {
    const almost = [
      `\`\`\`json\n${JSON_TEXT}\n\`\`\``,
      `Here is the graph:\n\n\`\`\`\n${JSON_TEXT}\n\`\`\`\nTell me if you need more.`,
      `Sure! ${JSON_TEXT} Is there anything else?`,
      JSON_TEXT.replaceAll('"', "'"),
      JSON_TEXT.replace('}]', '},]'),
      JSON_TEXT.slice(0, -2),
    ];
    for (const text of almost) {
      const { answer, wasRepaired } = readAnswer(text);
      t.same(answer.edges, [EDGE], text);
      t.ok(wasRepaired, text);
    }
  },
);

t.test('prose may have braces of its own, before the answer and after it', async (t) => {
  const around = [
    `I look at {"name": "Charge"} and {so on}.\n${JSON_TEXT}\nOf a document without facts I would say {"nodes": [], "edges": []}.`,
    `As asked, {"nodes": [], "edges": []} or more:\n${JSON_TEXT}`,
    `I hope {this helps}: ${JSON_TEXT.replace('}]', '},]')}\nMore?`,
  ];
  for (const text of around) t.same(readAnswer(text).answer.edges, [EDGE], text);
});

t.test('JSON in a fence is taken as it is, whatever its strings hold', async (t) => {
  const edge = { ...EDGE, quote: `app.post('/h', raw({ type: '*/*' }), (q, r) => { const { t, v1 } = "\\"{` };
  const json = JSON.stringify({ nodes: [], edges: [edge] });
  t.same(readAnswer(`\`\`\`json\n${json}\n\`\`\`\nDone.`).answer.edges, [edge]);
  t.same(readAnswer(json.replace('}]}', '},],}')).answer.edges, [edge], 'with commas too many');
});

t.test('an answer without end is none, and does not keep the others waiting', async (t) => {
  for (const text of ['{'.repeat(100_000), 'x'.repeat(2_000_000)])
    t.throws(() => readAnswer(text), ModelError, text.slice(0, 20));
  t.same(readAnswer(`{"nodes": ["${'\\\\'.repeat(400_000)}"]}.`).answer.nodes, []);
});

t.test('what is no JSON, and JSON of something else, is malformed', async (t) => {
  for (const text of ['I cannot do that.', '', '[1, 2]', '{"answer": 42}', 'null', '{"nodes": "none"}']) {
    t.throws(() => readAnswer(text), ModelError, text);
  }
});

t.test(
  'entries that are no facts are counted and left out, and other words for the fields are understood',
  async (t) => {
    const { answer } = readAnswer(
      JSON.stringify({
        entities: [
          { label: 'Charge', type: 'APIObject', evidence: 'A Charge', line: '7' },
          { name: 'x', type: 'Person' },
          'Charge',
        ],
        relationships: [
          { from: 'Invoice', to: 'Charge', relation: 'triggers', evidence: 'triggers' },
          { source: 'Invoice' },
        ],
      }),
    );
    t.match(answer.nodes, [{ name: 'Charge', type: 'APIObject', quote: 'A Charge', line: 7 }]);
    t.match(answer.edges, [{ source: 'Invoice', target: 'Charge', type: 'triggers', line: 0 }]);
    t.equal(answer.unreadable, 3);
  },
);
