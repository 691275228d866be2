import t from 'tap';
import { FsError, reasonOf, systemCodeOf } from '../../src/core/errors.ts';

t.test('a refusal says of which path it is, where it is of one', async (t) => {
  t.equal(new FsError('ENOENT', '/docs/a.md', 'no such file').message, 'ENOENT: /docs/a.md: no such file');
  t.equal(new FsError('EBUSY', '', 'the disk is busy').message, 'EBUSY: the disk is busy');
});

t.test('what Node has no name for is told as the system names it', async (t) => {
  const unnamed = 'Unknown system error -122';
  const error = Object.assign(new Error(`${unnamed}: ${unnamed}, open '/state/a'`), {
    code: unnamed,
    errno: -122,
    syscall: 'open',
  });
  t.equal(systemCodeOf(error), 'EDQUOT');
  t.equal(reasonOf(error), "EDQUOT: disk quota exceeded, open '/state/a'");
  const other = 'Unknown system error -999';
  t.equal(systemCodeOf(Object.assign(new Error(''), { code: other, syscall: 'open' })), other);
  t.equal(reasonOf(new Error(`${other}: ${other}, open`)), `${other}: ${other}, open`);
});

t.test('so is what Node calls unknown, as writeSync does', async (t) => {
  const error = Object.assign(new Error('UNKNOWN: unknown error, write'), {
    code: 'UNKNOWN',
    errno: -122,
    syscall: 'write',
  });
  t.equal(systemCodeOf(error), 'EDQUOT');
  t.equal(reasonOf(error), 'EDQUOT: disk quota exceeded, write');
  const other = Object.assign(new Error('UNKNOWN: unknown error, write'), {
    code: 'UNKNOWN',
    errno: -999,
    syscall: 'write',
  });
  t.equal(systemCodeOf(other), 'UNKNOWN');
  t.equal(reasonOf(other), 'UNKNOWN: unknown error, write');
});
