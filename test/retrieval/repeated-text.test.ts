import t from 'tap';
import { BETWEEN_HEADINGS } from '../../src/core/headings.ts';
import { weightByRepetition } from '../../src/retrieval/repeated-text.ts';
import { searched } from './searched.ts';

const INHERITED =
  '## Options inherited from parent commands\n\nThe file with the settings, the password of the database and the key that its rows are encrypted with, each with the host and its port.\n';

/** The page of a command, whose second section is that of each of them. */
function command(name: string): string {
  return `# shop ${name}\n\nTo ${name} an order, give its number.\n\n${INHERITED}`;
}

const GUIDE = `# Secrets\n\nA password or a key need not stand in the settings. ${'Name a folder instead, from which each is read at the start. '.repeat(4)}\n`;
const QUESTION = 'keep the password and the key out of the file with the settings';

function pagesOf(titles: readonly string[]): Record<string, string> {
  return Object.fromEntries(titles.map((title, at) => [`commands-${at}/page.md`, command(title)]));
}

t.test('what pages of several titles have just so comes behind what one page says', async (t) => {
  const { paths } = await searched(t, {
    ...pagesOf(['cancel', 'refund', 'ship']),
    'secrets.md': GUIDE,
  });
  const found = await paths(QUESTION, { scope: '/docs' });
  t.equal(found[0], '/docs/secrets.md');
  t.equal(found.length, 4, 'all are found');
});

t.test('two pages may share a text, and so may all versions of one page', async (t) => {
  for (const titles of [
    ['cancel', 'refund'],
    ['cancel', 'cancel', 'cancel', 'cancel'],
  ]) {
    const { paths } = await searched(t, { ...pagesOf(titles), 'secrets.md': GUIDE });
    t.match((await paths(QUESTION, { scope: '/docs' }))[0], /^\/docs\/commands-/, titles.join(' '));
  }
});

t.test('what pages of a template say below their titles alone is what each of them has to say', async (t) => {
  const page = (title: string) => `# shop ${title}\n\n${INHERITED.replace(/^##.*\n\n/, '')}`;
  const { paths } = await searched(t, {
    'cancel/page.md': page('cancel'),
    'refund/page.md': page('refund'),
    'ship/page.md': page('ship'),
    'secrets.md': GUIDE,
  });
  t.equal((await paths(QUESTION, { scope: '/docs' }))[0], '/docs/cancel/page.md');
});

/** @param own what follows the title, which is in front matter alone */
function titled(name: string, own: string): string {
  return `---\ntitle: shop ${name}\n---\n\n${own}`;
}

const NAMES = ['cancel', 'refund', 'ship'];

t.test('so it does if the pages have their titles in front matter', async (t) => {
  const { paths } = await searched(t, {
    ...Object.fromEntries(NAMES.map((name) => [`${name}/page.md`, titled(name, INHERITED)])),
    'secrets.md': GUIDE,
  });
  t.equal((await paths(QUESTION, { scope: '/docs' }))[0], '/docs/secrets.md');
});

t.test(
  'the heading of a whole page is none of a section, though front matter calls it otherwise',
  async (t) => {
    const own = (name: string) => INHERITED.replace(/^##.*/, `# How to ${name} an order`);
    const { paths } = await searched(t, {
      ...Object.fromEntries(NAMES.map((name) => [`${name}/page.md`, titled(name, own(name))])),
      'secrets.md': GUIDE,
    });
    t.equal((await paths(QUESTION, { scope: '/docs' }))[0], '/docs/cancel/page.md');
  },
);

t.test('what counts less is text of the docs alone that is too long to be the same by chance', (t) => {
  const weightOf = (name: 'docs' | 'memory', bodyLength: number) => {
    const passages = ['one', 'two', 'three'].map((titleTerms) => ({
      corpus: { name },
      passage: { bodyBag: 'bag', bodyLength, titleTerms, headings: `${titleTerms}${BETWEEN_HEADINGS}rules` },
    }));
    return weightByRepetition(passages)({ bodyBag: 'bag', headings: '' });
  };
  t.equal(weightOf('docs', 8), 0.5);
  t.equal(weightOf('docs', 7), 1, 'a few words');
  t.equal(weightOf('memory', 8), 1, 'what was remembered is no page of a template');
  t.end();
});
