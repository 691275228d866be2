import t from 'tap';
import { searched } from './searched.ts';

const ASKED = 'which crane lifts the boat';

function handbook(sections: number): string {
  const others = Array.from(
    { length: sections },
    (_, day) => `\n## Notice ${day}\n\nThe ${day}th notice of the yard tells of paint, ropes and meals.\n`,
  );
  return `# Handbook\n\n## Hall\n\nThe yellow crane lifts the boat, as no other crane does.\n\n## Gate\n\nNo boat waits here.\n${others.join('')}`;
}

const SHORT = '# Slip\n\nOn windy days it is the green crane that lifts a boat out there.\n';

t.test(
  'of pages that say as much, the one that says little else comes before a handbook of everything',
  async (t) => {
    const { paths } = await searched(t, { 'handbook.md': handbook(40), 'slip.md': SHORT });
    t.strictSame(await paths(ASKED, { scope: '/docs' }), ['/docs/slip.md', '/docs/handbook.md']);
  },
);

t.test('a page of usual length loses nothing', async (t) => {
  const { paths } = await searched(t, { 'handbook.md': handbook(4), 'slip.md': SHORT });
  t.strictSame(await paths(ASKED, { scope: '/docs' }), ['/docs/handbook.md', '/docs/slip.md']);
});
