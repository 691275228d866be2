import t from 'tap';
import { searched } from './searched.ts';

/** All numbers stand in codes of every kind, and those of another kind most often. */
const PAGES: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    Array.from({ length: 20 }, (_, place) => [
      `epics/${place}.md`,
      `# Epic of team ${place}\n\nEPIC-${place} is for ${place} people, after ADR-${20 + place} and BUG-${40 + place}.\n`,
    ]),
  ),
  'decisions/cache.md': '# Cache\n\nDecided in ADR-0007, against BUG-3.\n',
  'bugs/login.md': '# BUG-7 login\n\nBUG-7 is open. BUG-7 comes of ADR-3.\n',
  'bugs/mail.md': '# BUG-9 mail\n\nSee ADR-9, ADR-11 and ADR-12. ADR-12 is older.\n',
  'stories/login.md': '# STORY-7\n\nSTORY-7 waits for BUG-7, and STORY-3 for it.\n',
  'keys.md': '# Keys\n\nKeys are hashed with SHA-256, 256 of them in a block.\n',
  'blocks.md': '# Blocks 256\n\nA block has 256 rows, 256 columns and a SHA-1.\n',
};

t.test('who asks for a code gets what has the very code first', async (t) => {
  const { paths } = await searched(t, PAGES);
  const first = async (question: string) => (await paths(question, { scope: '/docs' }))[0];
  t.equal(await first('ADR-0007'), '/docs/decisions/cache.md');
  t.equal(await first('what is ADR-7 about'), '/docs/decisions/cache.md', 'without its zeros');
  t.equal(await first('adr 7'), '/docs/decisions/cache.md', 'without its stroke');
  t.equal(await first('ADR-12 mail'), '/docs/bugs/mail.md');
  t.equal(await first('sha256'), '/docs/keys.md', 'in one word');
});

t.test('two codes with one number are both looked for', async (t) => {
  const { paths } = await searched(t, PAGES);
  for (const question of ['ADR-7 or BUG-7', 'BUG-7 or ADR-7']) {
    // The third says BUG-7, too.
    const best = (await paths(question, { scope: '/docs' })).slice(0, 3).toSorted();
    t.same(best, ['/docs/bugs/login.md', '/docs/decisions/cache.md', '/docs/stories/login.md'], question);
  }
});

t.test(
  'a title in two words stays the whole of a question where another page has them with a stroke',
  async (t) => {
    const { paths } = await searched(t, {
      ...PAGES,
      'phase.md': '# Phase 2\n\nIn phase 2 the kiln is at 900 degrees. Phase 2 ends by itself.\n',
      'wires.md': '# Wiring\n\nThe wires are named phase-1, phase-2 and phase-3, red, black and grey.\n',
    });
    t.equal((await paths('phase 2', { scope: '/docs' }))[0], '/docs/phase.md');
  },
);

t.test('a page that is called by nothing but the code is its page', async (t) => {
  const { paths } = await searched(t, {
    ...PAGES,
    'plan.md': '# Plan\n\nSTORY-7, then STORY-7 again, and STORY-7 at last: STORY-7.\n',
  });
  t.equal((await paths('STORY-7', { scope: '/docs' }))[0], '/docs/stories/login.md');
});

t.test('a code that stands nowhere is looked for by its parts', async (t) => {
  const { paths } = await searched(t, PAGES);
  const [first] = await paths('BUG-11', { scope: '/docs' });
  t.equal(first, '/docs/epics/11.md');
});
