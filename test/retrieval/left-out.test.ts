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
