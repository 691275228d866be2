import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { FsError } from '../../src/core/errors.ts';
import { isSecretFile } from '../../src/source/secret-file.ts';
import { listed, openFixture, readText } from './docs-fixture.ts';

t.test('files of passwords and private keys are told by their names', async (t) => {
  for (const name of [
    '.env',
    '.env.local',
    '.ENV',
    '.netrc',
    '.git-credentials',
    'id_ed25519',
    'server.pem',
    'a.pfx',
  ])
    t.ok(isSecretFile(name), name);
  for (const name of [
    '.env.example',
    '.env.sample',
    'env',
    '.envrc.md',
    'id_rsa.pub',
    'pem.md',
    '.pem',
    'environment.md',
  ])
    t.notOk(isSecretFile(name), name);
});

t.test('they are in no folder of the docs, and cannot be read by name or through a link', async (t) => {
  const { folder, root } = openFixture(t, {
    'a.md': 'A\n',
    '.env': 'KEY=secret\n',
    '.env.example': 'KEY=\n',
    'deploy/id_rsa': 'secret\n',
  });
  symlinkSync('../.env', join(folder, 'deploy/notes.md'));
  t.same(listed(root), ['.env.example', 'a.md', 'deploy/']);
  t.same(listed(root, 'deploy'), []);
  for (const path of ['.env', 'deploy/id_rsa', 'deploy/notes.md'])
    t.throws(() => readText(root, path), FsError, path);
});
