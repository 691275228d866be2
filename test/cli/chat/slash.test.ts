import t from 'tap';
import { slashCommand } from '../../../src/cli/chat/slash.ts';

t.test(
  'a line that is a slash and one word is a command, whatever begins with a path is a question',
  async (t) => {
    t.same(slashCommand('/tools'), { command: 'tools' });
    t.same(slashCommand('/Sources'), { command: 'sources' });
    t.same(slashCommand('/clear'), { command: 'new' });
    t.same(slashCommand('/exit'), { command: 'quit' });
    t.equal(slashCommand('/docs/charges.md says what?'), undefined);
    t.equal(slashCommand('/tools are what?'), undefined);
    t.equal(slashCommand('what is /tools'), undefined);
  },
);

t.test('a command that there is not is refused with the one that may be meant', async (t) => {
  t.match(slashCommand('/tool'), { unknown: /there is no \/tool; did you mean \/tools\? \/help shows/ });
  t.match(slashCommand('/'), { unknown: /there is no \/.*\/help shows/ });
});
