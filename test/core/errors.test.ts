import t from 'tap';
import { FsError } from '../../src/core/errors.ts';

t.test('a refusal says of which path it is, where it is of one', async (t) => {
  t.equal(new FsError('ENOENT', '/docs/a.md', 'no such file').message, 'ENOENT: /docs/a.md: no such file');
  t.equal(new FsError('EBUSY', '', 'the disk is busy').message, 'EBUSY: the disk is busy');
});
