import t from 'tap';
import { weightByStyle } from '../../src/retrieval/style-sheets.ts';
import { identifiersIn } from '../../src/words/identifiers.ts';
import { indexedTermsOf, termsOf } from '../../src/words/tokens.ts';
import { searched } from './searched.ts';

function weigh(question: string, title: string, headings = ''): number {
  const terms = [...termsOf(question), ...identifiersIn(question).map(({ term }) => term)];
  const asked = terms.map((term) => ({ word: term, term, weights: new Map([[term, 1]]) }));
  return weightByStyle(asked)({ titleTerms: indexedTermsOf(title).join(' '), headings });
}

t.test('a style sheet counts less than any page', async (t) => {
  for (const name of ['theme.css', 'custom-theme.scss', 'site.min.css'])
    t.equal(weigh('which pages have none', name), 0.3, name);
  for (const name of ['theme.js', 'theme', 'Custom CSS', 'css.md', 'data.json', ''])
    t.equal(weigh('which pages have none', name), 1, name);
  t.equal(weigh('which pages have none', 'theme.css', 'Colors'), 1, 'a page that is called so');
});

t.test('but not where styles or something in code are asked for', async (t) => {
  for (const question of ['what color has a button', 'our styles', 'the CSS of tables', 'list-style_type'])
    t.equal(weigh(question, 'theme.css'), 1, question);
});

t.test('so its keywords do not answer for words of English', async (t) => {
  const { paths } = await searched(t, {
    'theme.css': '.hidden { content: none; visibility: hidden }\n',
    'notes.md': `# Notes\n\nA note may be hidden. ${'Everybody sees the others at once. '.repeat(9)}\n`,
  });
  t.equal((await paths('hidden'))[0], '/docs/notes.md');
  t.equal((await paths('visibility'))[0], '/docs/theme.css');
});
