import t from 'tap';
import { lintSettings } from '../../src/app/lint-settings.ts';
import type { DocsFolder } from '../../src/core/docs-selection.ts';

const CHOICES = { rules: {}, siteRoot: undefined, ignore: ['drafts/**'] };

function settingsOf(...folders: readonly DocsFolder[]) {
  return lintSettings({ folders, include: [], exclude: [] }, CHOICES);
}

t.test('the name of its folder is that of a root only where there is one root', async (t) => {
  t.match(settingsOf({ name: '', folder: '/home/me/handbook' }), { rootName: 'handbook', roots: [] });
  t.match(settingsOf({ name: 'a', folder: '/home/me/handbook' }, { name: 'b', folder: '/home/me/api' }), {
    rootName: '',
    roots: ['a', 'b'],
  });
});

t.test('what the config leaves out is ignored, in every root by its path', async (t) => {
  const { ignores } = settingsOf({ name: '', folder: '/home/me/handbook' });
  t.ok(ignores('drafts/plan.md'));
  t.notOk(ignores('plans/drafts.md'));
});
