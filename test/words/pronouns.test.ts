import t from 'tap';
import { pronounsIn } from '../../src/words/pronouns.ts';

t.test('pronouns of persons are told, in any case, and with an apostrophe behind them', async (t) => {
  const text = 'Everybody knows nobody, and somebody’s key is no one’s. Can anyone see someone?';
  t.same([...pronounsIn(text)].toSorted(), ['anyone', 'everybody', 'nobody', 'somebody', 'someone']);
  t.same([...pronounsIn('nothing is sent, everything is lost: something')], []);
});

t.test('a name is none', async (t) => {
  for (const text of ['mention @everyone', 'run as `nobody`', 'chown nobody:nogroup x', 'read_by_anyone'])
    t.same([...pronounsIn(text)], [], text);
});

t.test('the one is what another word names, unless it belongs to a noun', async (t) => {
  t.same([...pronounsIn('notes that lead to the one I read, and to this one')], ['one']);
  for (const text of ['the one time password', 'one of three', 'phase one', 'The One app'])
    t.same([...pronounsIn(text)], [], text);
});
