import t from 'tap';
import { searched } from './searched.ts';

const MOVED = 'The page has moved. Whoever wants to glaze a bowl reads on elsewhere.\n';
const GUIDE = '# Colours\n\nTo glaze a bowl, dip it in glaze, wipe its foot and let the bowl dry.\n';

for (const key of ['omitFromSearch: true', 'search: false', 'exclude_from_search: true']) {
  t.test(`a page whose front matter says ${key} does not come first by its title`, async (t) => {
    const { paths } = await searched(t, {
      'glaze-a-bowl.md': `---\n${key}\n---\n\n${MOVED}`,
      'colours.md': GUIDE,
    });
    t.strictSame(await paths('how to glaze a bowl', { scope: '/docs' }), [
      '/docs/colours.md',
      '/docs/glaze-a-bowl.md',
    ]);
  });
}

t.test('one that says that it is searched does', async (t) => {
  const { paths } = await searched(t, {
    'glaze-a-bowl.md': `---\nomitFromSearch: false\nsearch: true\n---\n\n${MOVED}`,
    'colours.md': GUIDE,
  });
  t.equal((await paths('how to glaze a bowl', { scope: '/docs' }))[0], '/docs/glaze-a-bowl.md');
});

t.test('a log that is left out counts no more than one that is not', async (t) => {
  const news =
    'Glaze bowls: glazing a bowl got faster. To glaze a bowl, dip.\n\nGlazing of a bowl is now more even. Glaze a bowl in a kiln.\n';
  const others = 'Then there are many other colours that a kiln may give, of which nobody says more.';
  const { paths } = await searched(t, {
    'changelog.md': `---\ntitle: Changelog\nsearch: false\n---\n\n${news}`,
    'colours.md': `# Colours\n\nMuch is said of colours, and of kilns that have them. To glaze a bowl, dip it in glaze, wipe its foot and let the bowl dry. ${others}\n`,
  });
  t.equal((await paths('how to glaze a bowl')).at(-1), '/docs/changelog.md');
});
