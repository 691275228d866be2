import t from 'tap';
import { failureLine } from '../../src/app/failure-line.ts';
import { FullDiskError, UserError } from '../../src/core/errors.ts';

t.test('a process that may not open more files says so, whatever could not be opened', async (t) => {
  // As Node says it of a thread that cannot begin, and as a thread tells of what it could not open: their codes say nothing of it.
  for (const text of ['Worker initialization failure: EMFILE', 'a question failed: EMFILE: open']) {
    const { code, message } = failureLine(new Error(text));
    t.equal(code, 'ENFILE');
    t.ok(message.startsWith(`${text}: this process may not have as many files open`), message);
    t.match(message, /ulimit -n/);
    t.equal(failureLine(new Error(message)).message, message, 'what another thread said is not said twice');
    t.notMatch(message, /\n/, 'it is no bug, so nobody wants its stack');
  }
  const refused = Object.assign(new Error('too many'), { code: 'ENFILE', syscall: 'open' });
  t.match(failureLine(refused), { code: 'ENFILE', message: /sysctl fs\.file-max/ });
  t.same(failureLine(new UserError('a.sqlite: cannot be opened (EMFILE)')), {
    code: 'ENFILE',
    message: 'a.sqlite: cannot be opened (EMFILE)',
  });
});

t.test('all else is a bug, with its stack, or what a person can mend', async (t) => {
  t.match(failureLine(new TypeError('no such thing')), { code: 'EIO', message: /no such thing\n +at / });
  t.same(failureLine(new FullDiskError('no room', 'ENOSPC')), { code: 'ENOSPC', message: 'no room' });
  t.same(failureLine(new UserError('no such key')), { code: 'EIO', message: 'no such key' });
  t.same(failureLine('text'), { code: 'EIO', message: 'text' });
});
