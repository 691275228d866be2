import { constants } from 'node:os';
import t from 'tap';
import { FsError } from '../../src/core/errors.ts';
import { ERRNO, errnoOf } from '../../src/fuse/errno.ts';

t.test('a refusal is answered with the number of its code, and is no bug', async (t) => {
  const bugs: unknown[] = [];
  const answer = errnoOf(new FsError('ENOTDIR', '/a', 'why'), 'getattr', (error) => bugs.push(error));
  t.equal(answer, 20);
  t.same(bugs, []);
});

t.test('anything else is answered with EIO and reported as it was thrown', async (t) => {
  for (const thrown of [new Error('x'), 'text', undefined, null, { code: 'ENOENT' }, 2]) {
    const bugs: unknown[] = [];
    t.equal(
      errnoOf(thrown, 'open', (error, operation) => bugs.push(error, operation)),
      5,
    );
    t.same(bugs, [thrown, 'open']);
  }
});

t.test('every code is one of this system', async (t) => {
  const known = new Map<string, number>(Object.entries(constants.errno));
  for (const [code, number] of Object.entries(ERRNO)) t.equal(number, known.get(code), code);
});
