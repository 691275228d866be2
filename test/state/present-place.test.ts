import { mkdirSync, renameSync, rmdirSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { holdPlace } from '../../src/state/present-place.ts';
import { temporaryFolder } from '../support/temporary.ts';

t.test('a folder that is held is found where it was moved to, whatever lies in its old place', (t) => {
  const folder = temporaryFolder(t);
  const [here, there] = [join(folder, 'here'), join(folder, 'there\n')];
  mkdirSync(here);
  const place = holdPlace(here);
  t.teardown(() => place.close());
  t.equal(place.path(), here);
  renameSync(here, there);
  t.equal(place.path(), there);
  mkdirSync(here);
  t.equal(place.path(), there);
  rmdirSync(there);
  t.equal(place.path(), here, 'one that was removed is known by the path that it had');
  const other = holdPlace(here);
  renameSync(here, there);
  t.equal(other.path(), there);
  other.close();
  other.close();
  t.equal(other.path(), here, 'and so is one that is held no more');
  t.end();
});

t.test('what cannot be held stays at its path', (t) => {
  const gone = join(temporaryFolder(t), 'gone');
  const place = holdPlace(gone);
  t.equal(place.path(), gone);
  place.close();
  t.end();
});
