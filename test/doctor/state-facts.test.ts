import { chmodSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { stateFacts } from '../../src/doctor/state-facts.ts';
import { temporaryFolder } from '../support/temporary.ts';

t.test('what is where the state folder should be is told, and left as it is', async (t) => {
  const folder = temporaryFolder(t);
  mkdirSync(join(folder, 'open'));
  chmodSync(join(folder, 'open'), 0o755);
  symlinkSync('open', join(folder, 'link'));
  writeFileSync(join(folder, 'file'), '');
  const at = (name: string) => stateFacts({ path: join(folder, name) });
  t.match(await at('open'), { kind: 'there', mode: 0o755 });
  t.match(await at('link'), { kind: 'unusable', problem: 'it is a link' });
  t.match(await at('file'), { kind: 'unusable', problem: 'it is no folder' });
  t.match(await at('none/at/all'), { kind: 'missing' });
  t.same(await stateFacts({ problem: 'no docs' }), { kind: 'unknown', problem: 'no docs' });
  t.same(readdirSync(folder).sort(), ['file', 'link', 'open']);
});
