import t from 'tap';
import { systemClock } from '../../src/core/clock.ts';
import { ErrorLog } from '../../src/core/error-log.ts';
import { FullDiskError } from '../../src/core/errors.ts';
import { Faults } from '../../src/daemon/faults.ts';

t.test('a line has the code of what went wrong, and the same failure has one line', async (t) => {
  const errors = new ErrorLog(systemClock);
  const faults = new Faults(errors);
  const full = () => {
    throw new FullDiskError('/s/context.sqlite: the disk is full', 'ENOSPC');
  };
  t.equal(faults.aside('refresh', full), undefined);
  t.equal(faults.aside('refresh', full), undefined);
  const open = { code: 'EMFILE', errno: -24, syscall: 'open' };
  faults.add('look', Object.assign(new Error('EMFILE: too many open files, open'), open));
  const write = { code: 'EDQUOT', errno: -122, syscall: 'write' };
  faults.add('status', Object.assign(new Error('EDQUOT: disk quota exceeded, write'), write));
  faults.add('index', 'it ended');
  t.match(errors.entries(), [
    { code: 'ENOSPC', path: '/', message: 'refresh: /s/context.sqlite: the disk is full' },
    { code: 'ENFILE', message: /^look: EMFILE/ },
    { code: 'EDQUOT', message: /^status: EDQUOT/ },
    { code: 'EIO', message: 'index: it ended' },
  ]);
  t.equal(errors.total(), 4);
});

t.test('what is wrong with the watch is shown for as long as it lasts', async (t) => {
  const errors = new ErrorLog(systemClock);
  const faults = new Faults(errors);
  const shown = () => errors.entries().map(({ message }) => message);
  faults.add('index', 'it ended');
  faults.state('watch', 'the docs folder /d does not exist');
  faults.add('status', 'no room');
  faults.state('watch', 'the docs folder /d was replaced');
  t.same(shown(), ['index: it ended', 'status: no room', 'watch: the docs folder /d was replaced']);
  let told = 0;
  errors.onChange(() => {
    told += 1;
  });
  faults.state('watch', undefined);
  faults.state('watch', undefined);
  t.same(shown(), ['index: it ended', 'status: no room']);
  t.equal(told, 1, 'whoever shows them is told');
});

t.test('a line that later ones have pushed out takes none of them along when it is over', async (t) => {
  const errors = new ErrorLog(systemClock, 2);
  const faults = new Faults(errors);
  faults.state('watch', 'the docs folder /d does not exist');
  faults.add('index', 'it ended');
  faults.add('status', 'no room');
  faults.state('watch', undefined);
  t.same(
    errors.entries().map(({ message }) => message),
    ['index: it ended', 'status: no room'],
  );
});
