import t from 'tap';
import { searched } from './searched.ts';

const FOOT = '"note": "Glaze the foot of the bowl last."';
const ROWS = Array.from(
  { length: 60 },
  (_, row) => `  { "id": ${row}, "url": "https://kiln.example/${row}" }`,
);
const LONG = `[\n  { ${FOOT} },\n${ROWS.join(',\n')}\n]`;
const GUIDE =
  '# Finishing\n\nWax keeps glaze off. Before the foot is glazed, turn the bowl round and let it dry for a day, as a bowl that is wet sticks to what it stands on.\n';

const apiWith = (sample: string) =>
  `# Bowls\n\n## Get bowls\n\n\`GET /bowls\` gives all that there are.\n\n\`\`\`json\n${sample}\n\`\`\`\n`;

t.test('a value in a long sample of data does not stand before what says it in words', async (t) => {
  const { paths } = await searched(t, { 'bowls.md': apiWith(LONG), 'finishing.md': GUIDE });
  t.strictSame(await paths('how to glaze the foot of bowls', { scope: '/docs' }), [
    '/docs/finishing.md',
    '/docs/bowls.md',
  ]);
});

t.test('a short sample is found by title and headings as the text beside it', async (t) => {
  const { paths } = await searched(t, {
    'bowls.md': apiWith(`{ ${FOOT} }`),
    'finishing.md':
      '# Finishing\n\nWax keeps glaze off the foot, and is put on with a brush before the kiln is lit.\n',
  });
  t.equal((await paths('how to glaze the foot of bowls', { scope: '/docs' }))[0], '/docs/bowls.md');
});

t.test('a section that is nothing but a long sample is found by its heading', async (t) => {
  const { paths } = await searched(t, {
    'bowls.md': `# Pottery\n\n## Response of the oven\n\n\`\`\`json\n${LONG}\n\`\`\`\n`,
  });
  t.strictSame(await paths('response of the oven', { scope: '/docs' }), ['/docs/bowls.md']);
});
