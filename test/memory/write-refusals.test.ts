import t from 'tap';
import { FsError } from '../../src/core/errors.ts';
import { WriteRefusals } from '../../src/memory/write-refusals.ts';

const WHY = new FsError('ENOSPC', '/context/memory/fact/a', 'there is no room');
const nothing = (): void => {};

t.test('each handle that had written is told once that its content was given up', async (t) => {
  const refusals = new WriteRefusals();
  const [one, other, reader] = [{}, {}, {}];
  refusals.wrote(one);
  refusals.wrote(other);
  refusals.givenUp(WHY);
  t.doesNotThrow(() => refusals.telling(reader, nothing));
  t.doesNotThrow(() => refusals.telling(undefined, nothing), 'a flush of all handles tells none of them');
  t.throws(() => refusals.telling(one, nothing), WHY);
  t.doesNotThrow(() => refusals.telling(one, nothing));
  refusals.leave(other);
  t.doesNotThrow(() => refusals.telling(other, nothing), 'a closed one waits for nothing');
});

t.test('what is stored cannot be given up later', async (t) => {
  const refusals = new WriteRefusals();
  const writer = {};
  refusals.wrote(writer);
  refusals.stored();
  refusals.givenUp(WHY);
  t.doesNotThrow(() => refusals.telling(writer, nothing));
});

t.test(
  'a flush that fails for a reason of its own says that, and the former reason is not told again',
  async (t) => {
    const refusals = new WriteRefusals();
    const writer = {};
    refusals.wrote(writer);
    refusals.givenUp(WHY);
    const own = new FsError('EIO', '', 'the disk fails');
    const fail = (): never => {
      throw own;
    };
    t.throws(() => refusals.telling(writer, fail), own);
    t.doesNotThrow(() => refusals.telling(writer, nothing));
  },
);
