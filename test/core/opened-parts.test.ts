import t from 'tap';
import { openingParts } from '../../src/core/opened-parts.ts';

t.test('what was opened is closed where the rest cannot be opened, the latest first', async (t) => {
  const closed: string[] = [];
  const part = (name: string) => ({ close: () => closed.push(name) });
  const opens = () =>
    openingParts((opened) => {
      opened.add(part('first'));
      opened.add(part('second'));
      throw new Error('the third cannot be opened');
    });
  t.throws(opens, { message: 'the third cannot be opened' });
  t.same(closed, ['second', 'first']);
});

t.test(
  'one that cannot be closed keeps no other open, and does not hide why the rest could not be opened',
  async (t) => {
    const closed: string[] = [];
    const opens = () =>
      openingParts((opened) => {
        opened.add({ close: () => closed.push('first') });
        opened.add({
          close: () => {
            throw new Error('a disk that fails');
          },
        });
        throw new Error('the third cannot be opened');
      });
    t.throws(opens, { message: 'the third cannot be opened' });
    t.same(closed, ['first']);
  },
);

t.test('at the end all are closed, and what the first failure was is told', async (t) => {
  const closed: string[] = [];
  const whole = openingParts((opened) => {
    opened.add({ close: () => closed.push('first') });
    for (const reason of ['of the second', 'of the third']) {
      opened.add({
        close: () => {
          throw new Error(reason);
        },
      });
    }
    return opened;
  });
  t.throws(() => whole.close(), { message: 'of the third' });
  t.same(closed, ['first']);
});
