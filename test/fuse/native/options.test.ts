import t from 'tap';
import { DEFAULT_MOUNT_OPTIONS } from '../../../src/fuse/driver.ts';
import { checkPointLength, mountArgument } from '../../../src/fuse/native/options.ts';

const optionsOf = (options: object) =>
  mountArgument({ ...DEFAULT_MOUNT_OPTIONS, ...options })
    .replace(/^-o/, '')
    .split(',');

t.test('a mount is safe and fast by default', async (t) => {
  const options = optionsOf({});
  for (const option of ['nosuid', 'nodev', 'noatime', 'default_permissions', 'big_writes', 'auto_cache']) {
    t.ok(options.includes(option), option);
  }
  t.ok(options.includes('subtype=kgraphfs'));
  t.ok(options.some((option) => option.startsWith('negative_timeout=')));
  t.notOk(options.includes('allow_other'));
  t.notOk(options.includes('ro'));
});

t.test('what is asked for is added', async (t) => {
  t.ok(optionsOf({ allowOther: true }).includes('allow_other'));
  t.ok(optionsOf({ readOnly: true }).includes('ro'));
  t.ok(optionsOf({ fsName: 'me@host:/docs' }).includes('fsname=me@host:/docs'));
});

t.test('a source name cannot bring options along', async (t) => {
  for (const fsName of ['a,allow_other', 'a b', 'a\\,b', '', 'ü', 'x'.repeat(65), 'a\n']) {
    t.throws(() => optionsOf({ fsName }), { name: 'UserError' }, JSON.stringify(fsName));
  }
});

t.test('a mount point that would be cut is refused', async (t) => {
  checkPointLength(`/${'a'.repeat(1022)}`);
  t.throws(() => checkPointLength(`/${'a'.repeat(1023)}`), { name: 'UserError' });
  t.throws(() => checkPointLength(`/${'é'.repeat(600)}`), { name: 'UserError' }, 'bytes count');
});
