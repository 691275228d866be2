import t from 'tap';
import { answered, shownDocument } from '../model-extraction/asked-document.ts';
import type { ScriptedReply } from '../support/chat-server.ts';
import { askPlace } from './ask-place.ts';

const COUNT = 400;
/** A fifth fails. */
const ANSWERED = 320;

t.test(
  '400 documents of which a fifth fails: all are there, and tokens, cost and failures are told',
  async (t) => {
    const docs = Object.fromEntries(
      Array.from({ length: COUNT }, (_, index) => [
        `d/${index}.md`,
        `# Thing ${index}\n\nA **Thing${index}** is kept for each **Customer**.\n`,
      ]),
    );
    const { server, run, json } = await askPlace(t, docs);
    const busy = new Set<string>();
    server.otherwise((seen): ScriptedReply => {
      const { path, lines } = shownDocument(seen);
      const number = Number(/\d+/.exec(path)?.[0]);
      const quote = lines.get(3);
      const edge = { source: `Thing${number}`, type: 'belongs_to', target: 'Customer', line: 3, quote };
      if (number % 5 !== 0) return answered({ edges: [edge] });
      if (number % 2 === 0) return { text: 'no JSON at all' };
      if (busy.has(path)) return { status: 413, message: 'too much' };
      busy.add(path);
      return { status: 503 };
    });
    const args = [
      'build',
      '--llm',
      '--base-url',
      server.url,
      '--model',
      'a/model',
      '--concurrency',
      '16',
      '--json',
    ];
    const { status, out } = await run(args);
    t.equal(status, 0);
    const built = JSON.parse(out);
    t.match(built, {
      documents: COUNT,
      llm: { asked: COUNT, answered: ANSWERED, failed: COUNT - ANSWERED, left: 0, stopped_by: null },
    });
    t.equal(built.llm.failures.length, 50, 'as many as anybody reads');
    t.ok(built.llm.cost_usd >= 0.36 && built.llm.input_tokens >= 36_000, 'answers that were none cost, too');
    t.match(await json(['stats']), {
      nodes_by_type: { Document: COUNT },
      edges_by_type: { belongs_to: ANSWERED },
    });
    const errors = (await run(['vfs', 'read', '/.kgraphfs/errors.jsonl'])).out;
    t.match(errors, /gave no answer/);
  },
);
