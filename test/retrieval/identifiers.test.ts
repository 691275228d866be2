import t from 'tap';
import { documentNumbersOf } from '../../src/ingest/passages/document-numbers.ts';
import { identifierOf } from '../../src/words/identifiers.ts';
import { searched } from './searched.ts';

/** Each page has the words of what is asked for, and more often than the one that has it as it is written. */
const PAGES = {
  'log_skip.md': '# log_skip\n\nSkips a log. To skip the log of a request, log_skip is written.\n',
  'server.md':
    '# Server\n\n## Limits\n\nThe body of a request may be large. What is too large a body is refused.\n',
  'errors.md':
    '# Errors\n\n## Codes\n\nOf the service, as clients have them.\n\n| code | when |\n|---|---|\n| `SVC_BODY_TOO_LARGE` | it was cut |\n',
  'upgrading.md':
    '# Upgrading\n\nSettings of old files go on as they were. `skip_log` is now called otherwise.\n',
  'limits.md': '# Body limit\n\nThe limit of a body. A body has a limit, and the limit is set.\n',
  'options.md': '# Options\n\nGiven at the start, `bodyLimit` among them, and kept.\n',
  'codes.md': '# Codes\n\n## Two factors\n\nA code has two factors. Of two factors, a code is a factor.\n',
  'phones.md': '# Phones\n\nA two-factor device that was lost is replaced.\n',
};

t.test('who asks for an identifier gets where it is written so, not where its words are', async (t) => {
  const { paths } = await searched(t, PAGES);
  const first = async (question: string) => (await paths(question, { scope: '/docs' }))[0];
  t.equal(await first('skip_log'), '/docs/upgrading.md');
  t.equal(await first('log_skip'), '/docs/log_skip.md');
  t.equal(await first('SVC_BODY_TOO_LARGE'), '/docs/errors.md');
  t.equal(await first('what is svc_body_too_large'), '/docs/errors.md');
  t.equal(await first('bodyLimit'), '/docs/options.md');
  t.equal(await first('body limit'), '/docs/limits.md', 'words are words');
  t.equal(await first('two-factor code'), '/docs/codes.md', 'and English has hyphens');
});

t.test(
  'a numbered document is found by what its kind is called and its number, which it does not say itself',
  async (t) => {
    const { paths } = await searched(t, {
      'adr/0007-split-state.md': '# Split the state\n\nEach oven has a state of its own.\n',
      'architecture-decisions/0012-no-cache.md': '# 12. No cache\n\nAnswers are made anew.\n',
      'architecture-decisions/0013-clock.md': '# 13. The clock\n\nAll ovens have one clock.\n',
      'request-for-comments/0031-glaze.md': '# Glaze\n\nIs put on twice.\n',
      'decisions/5-firing.md': '# Firing\n\nIs done at night.\n',
      'notes/adr-40-lids.md': '# Lids\n\nStay closed.\n',
      'proposals/9.txt': 'Kilns are bricked up.\n',
      'guide/7-adr.md':
        '# How an ADR is written\n\nAn ADR has 7 parts, and each ADR has a number: 5, 7, 12, 31, 40.\n',
      'notes/2021-05-clay.md': '# Clay\n\nIs dug in May.\n',
      'sales.md': '# Sales\n\nA note of 2021 says that more was sold.\n',
      'blog/2031-05-07-open-day.md': '# Open day\n\nAn ADR was shown, and 12 more.\n',
    });
    const first = async (question: string) => (await paths(question, { scope: '/docs' }))[0];
    t.equal(await first('what does ADR 7 say'), '/docs/adr/0007-split-state.md');
    t.equal(await first('ADR-0007'), '/docs/adr/0007-split-state.md');
    t.equal(await first('adr 12'), '/docs/architecture-decisions/0012-no-cache.md');
    t.equal(await first('decision 13'), '/docs/architecture-decisions/0013-clock.md');
    t.equal(await first('RFC 31'), '/docs/request-for-comments/0031-glaze.md');
    t.equal(await first('ADR-005'), '/docs/decisions/5-firing.md');
    t.equal(await first('proposal 9'), '/docs/proposals/9.txt');
    t.equal(await first('ADR 40'), '/docs/notes/adr-40-lids.md');
    t.same(documentNumbersOf('user-stories/0021-lids.md'), [identifierOf(['story', '21'])]);
    t.equal(await first('note 2021'), '/docs/sales.md', 'a month is no number');
  },
);
