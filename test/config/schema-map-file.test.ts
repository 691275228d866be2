import fs, { mkdirSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { usualMapNow, usualMaps } from '../../src/config/schema-map-file.ts';
import { type Teardown, temporaryFolder } from '../support/temporary.ts';

function subject(t: Test) {
  const base = realpathSync(temporaryFolder(t));
  const docs = join(base, 'docs');
  mkdirSync(docs);
  return { base, docs, files: usualMaps(base, docs) };
}

t.test('the first map that is there counts, and no link out of its folder', async (t) => {
  const { base, docs, files } = subject(t);
  t.equal(usualMapNow(files), undefined);
  writeFileSync(join(docs, 'kgraphfs.schema.json'), '{}');
  t.equal(usualMapNow(files), join(docs, 'kgraphfs.schema.json'));
  symlinkSync('../map', join(docs, 'kgraphfs.schema.yaml'));
  writeFileSync(join(base, 'map'), '');
  t.equal(usualMapNow(files), join(docs, 'kgraphfs.schema.json'));
  symlinkSync('kgraphfs.schema.yml', join(base, 'kgraphfs.schema.yml'));
  t.equal(
    usualMapNow(files),
    join(docs, 'kgraphfs.schema.json'),
    'a link that leads round in a ring is none',
  );
});

t.test('a map that the disk fails to look at is there', async (t) => {
  const { docs, files } = subject(t);
  const map = join(docs, 'kgraphfs.schema.yml');
  writeFileSync(map, '');
  writeFileSync(join(docs, 'kgraphfs.schema.json'), '{}');
  failToLookAt(t, map);
  t.equal(usualMapNow(files), map);
});

/** Has the disk fail at a path, for this thread alone. */
function failToLookAt(t: Teardown, failing: string): void {
  const { statSync, existsSync } = fs;
  const refusal = { code: 'EIO', errno: -5, syscall: 'stat' };
  const failingStat = new Proxy(statSync, {
    apply(target, self, args) {
      if (args[0] === failing) throw Object.assign(new Error('EIO: i/o error, stat'), refusal);
      return Reflect.apply(target, self, args);
    },
  });
  Object.assign(fs, {
    statSync: failingStat,
    existsSync: (path: string) => path !== failing && existsSync(path),
  });
  syncBuiltinESMExports();
  t.teardown(() => {
    Object.assign(fs, { statSync, existsSync });
    syncBuiltinESMExports();
  });
}
