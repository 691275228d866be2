import t from 'tap';
import { searched } from './searched.ts';

/** A page of a reference that was made from a template. */
function input(name: string): string {
  return `# ${name}\n\nFields of private metadata, which only staff and apps with the permission to manage it can read, as pairs of a key and a value.\n`;
}

const GUIDE = '# Access\n\nIn the shop staff see more than buyers do. Private metadata takes a permission.\n';

t.test('pages that say the same take the places of no others', async (t) => {
  const names = ['ChannelCreate', 'ChannelUpdate', 'ShopSettings', 'TransactionCreate', 'WarehouseUpdate'];
  const references = names.map((name) => [`reference/${name}.md`, input(name)] as const);
  const { paths } = await searched(t, { ...Object.fromEntries(references), 'guides/metadata.md': GUIDE });
  const found = await paths('who can read pairs of private metadata', { scope: '/docs' });
  t.match(found[0], /^\/docs\/reference\//, 'the best of them stays');
  t.equal(found[1], '/docs/guides/metadata.md');
  t.equal(found.length, 6, 'all are found');
});

t.test('however many pages say the same, all are found, and behind what others say', async (t) => {
  const names = Array.from({ length: 25 }, (_, index) => `Channel${index}Create`);
  const references = names.map((name) => [`reference/${name}.md`, input(name)] as const);
  const guide = `${GUIDE}\nBuyers cannot read pairs of it. ${'What they see is told by the owner of the shop in each of its rooms. '.repeat(3)}\n`;
  const { paths } = await searched(t, { ...Object.fromEntries(references), 'guides/metadata.md': guide });
  const found = await paths('who can read pairs of private metadata', { scope: '/docs', limit: 40 });
  t.equal(found.length, 26);
  t.equal(found[1], '/docs/guides/metadata.md');
});

t.test('what was remembered twice was said twice', async (t) => {
  const { app, ask } = await searched(t, {});
  const says =
    'The deploy freeze lasts from the twentieth of December to the second of January for all teams.';
  for (const key of ['freeze-one', 'freeze-two'])
    app.memory.add({ type: 'fact', key, content: Buffer.from(`${says}\n`) }, {});
  const { hits } = await ask('when is the deploy freeze', { scope: '/context/memory' });
  t.equal(hits.length, 2);
  t.equal(hits[1]?.strength, hits[0]?.strength);
});
