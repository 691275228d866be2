import fc from 'fast-check';
import t from 'tap';
import { z } from 'zod';
import type { ToolReply } from '../../src/toolkit/call.ts';
import { fitted } from '../../src/toolkit/fit.ts';
import { countTokens } from './sample-box.ts';

const TOOL = 'navigate';
/** An item that is shown whole, or cut. */
const moreSchema = z.object({ left: z.number(), call: z.object({ args: z.object({ offset: z.number() }) }) });

function headOf(args: object) {
  return { call: { tool: TOOL, args }, duration_ms: 12, revision: 3 };
}

function tokensOf(reply: ToolReply): number {
  return countTokens(JSON.stringify(reply));
}

/** The least that an answer is: what was asked, that it does not fit, and how to go on. */
const HEAD_TOKENS = 120;

t.test(
  'no answer is over its ceiling, but for a head that does not fit, and all of a list is reached',
  async (t) => {
    const item = fc.record({
      node: fc.string({ maxLength: 400 }),
      evidence: fc.array(fc.string(), { maxLength: 8 }),
    });
    const property = fc.property(
      fc.array(item, { maxLength: 40 }),
      fc.dictionary(fc.string({ maxLength: 10 }), fc.string({ maxLength: 3000 }), { maxKeys: 4 }),
      fc.integer({ min: 100, max: 800 }),
      (items, extra, ceiling) => {
        const fields = { node: 'Charge', extra };
        let offset = 0;
        let reached = 0;
        for (let calls = 0; calls <= items.length; calls += 1) {
          const list = { name: 'neighbours', items: items.slice(offset), offset };
          const reply = fitted(headOf({ node: 'Charge', offset }), { fields, list }, ceiling, countTokens);
          if (tokensOf(reply) > Math.max(ceiling, HEAD_TOKENS)) return false;
          const more = moreSchema.safeParse(reply['more']).data;
          if (more === undefined) return reached + items.length - offset === items.length;
          if (more.call.args.offset <= offset || more.left !== items.length - more.call.args.offset)
            return false;
          reached += more.call.args.offset - offset;
          offset = more.call.args.offset;
        }
        return false;
      },
    );
    t.doesNotThrow(() => fc.assert(property, { numRuns: 200 }));
  },
);

t.test('what is cut says so, and what was given is said back as far as it tells something', async (t) => {
  const long = 'word '.repeat(1000);
  const reply = fitted(headOf({ content: long }), { fields: { text: long } }, 400, countTokens);
  t.match(reply['text'], /… \(cut\)$/);
  t.match(JSON.stringify(reply.call.args), /… \(cut\)"\}$/);
  t.ok(tokensOf(reply) <= 400);
  const tight = fitted(headOf({}), { fields: { a: long, b: Array(99).fill(long) } }, 30, countTokens);
  t.match(tight, { note: /does not fit/, call: { tool: TOOL } });
});

t.test('an error is told at any ceiling', async (t) => {
  const error = { code: 'ENOENT', message: `/docs/${'nope'.repeat(1000)}: there is nothing` };
  const { error: told } = fitted(headOf({}), { fields: { error } }, 1, countTokens);
  t.match(told, { code: 'ENOENT', message: /^\/docs\/nope.*… \(cut\)$/ });
});

t.test('an offset behind the end is no silence', async (t) => {
  const found = { list: { name: 'neighbours', items: [], offset: 70 } };
  t.match(fitted(headOf({ offset: 70 }), found, 500, countTokens), { note: 'there is nothing from 70 on' });
});
