import t from 'tap';
import { FsError } from '../../src/core/errors.ts';
import { whenLetGo } from '../../src/disk/held-file.ts';

t.test(
  'a file that another program does not let go of is asked for again for so long, and no longer',
  async (t) => {
    let asked = 0;
    const open = (): string => {
      asked += 1;
      throw new FsError('EBUSY', '/a.md', 'another program holds it');
    };
    await t.rejects(async () => whenLetGo(open, {}, 30), { code: 'EBUSY' });
    t.ok(asked > 1, `${asked} times`);
  },
);
