import t from 'tap';
import { FsError, isFsError } from '../../src/core/errors.ts';
import { isOutOfFiles, refusalOf } from '../../src/source/disk-error.ts';

function ofDisk(code: string): Error {
  return Object.assign(new Error(code), { code, syscall: 'open' });
}

t.test('what a disk refuses is told by the code that a reader knows what to do with', (t) => {
  const codes = {
    EACCES: 'EACCES',
    EPERM: 'EACCES',
    ENOENT: 'ENOENT',
    ENOTDIR: 'ENOTDIR',
    ELOOP: 'ELOOP',
    ENXIO: 'ENOENT',
    ENAMETOOLONG: 'ENAMETOOLONG',
    EAGAIN: 'EBUSY',
    EMFILE: 'ENFILE',
    ENFILE: 'ENFILE',
    ESTALE: 'EIO',
  };
  for (const [code, told] of Object.entries(codes)) {
    const refusal = refusalOf(ofDisk(code), 'a.md');
    t.equal(isFsError(refusal) && refusal.code, told, code);
  }
  const bug = new TypeError('a bug');
  t.equal(refusalOf(bug, 'a.md'), bug);
  t.end();
});

t.test('want of descriptors says nothing of what is on disk, whoever says so', (t) => {
  for (const code of ['EMFILE', 'ENFILE']) {
    t.ok(isOutOfFiles(ofDisk(code)), code);
    t.ok(isOutOfFiles(refusalOf(ofDisk(code), '')), `${code}, refused`);
  }
  for (const error of [ofDisk('ENOENT'), new FsError('EIO', '', ''), new Error('a bug')])
    t.notOk(isOutOfFiles(error));
  t.end();
});
