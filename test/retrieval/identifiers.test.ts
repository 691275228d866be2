import t from 'tap';
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
