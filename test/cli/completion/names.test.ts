import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { printNames } from '../../../src/cli/completion/names.ts';
import { readEnvironment } from '../../../src/config/environment.ts';
import { temporaryFolder } from '../../support/temporary.ts';
import { memoryOutput } from '../memory-output.ts';
import { runHere } from '../run-here.ts';

async function names(cwd: string, ...tokens: string[]): Promise<string[]> {
  const [out, err] = [memoryOutput(), memoryOutput()];
  const io = {
    out,
    err,
    input: process.stdin,
    workingFolder: () => cwd,
    debug: false,
    environment: readEnvironment({}),
  };
  t.equal(await printNames(tokens, io), 0);
  t.equal(err.text(), '');
  return out.text().split('\n').slice(0, -1);
}

t.test('names are those of the project that options, config file or folder say', async (t) => {
  const folder = temporaryFolder(t);
  mkdirSync(join(folder, 'handbook'));
  writeFileSync(join(folder, 'handbook/a.md'), '# 100% sure\n\nA **Charge** requires a **Customer**.\n');
  t.same(await names(folder, 'nodes', ''), [], 'no index yet');
  const at = ['--docs', 'handbook', '--state', 'kept'];
  await runHere(['context', 'memory', 'add', 'fact/a_b', 'x', ...at], { cwd: folder });
  t.same(await names(folder, 'nodes', '', ...at), ['100% sure', 'Charge', 'Customer']);
  t.same(await names(folder, 'nodes', 'c', '--docs=handbook', '--state=kept'), ['Charge', 'Customer']);
  t.same(await names(folder, 'nodes', '100%', ...at), ['100% sure']);
  t.same(await names(folder, 'memories', 'fact/a_', ...at), ['fact/a_b']);
  t.same(await names(folder, 'memories', 'fact/a%', ...at), []);
  t.same(await names(folder, 'sessions', '', ...at), []);
  writeFileSync(join(folder, 'kgraphfs.config.json'), JSON.stringify({ docs: 'handbook', state: 'kept' }));
  t.same(await names(folder, 'nodes', 'cha'), ['Charge']);
  writeFileSync(
    join(folder, 'kgraphfs.config.json'),
    JSON.stringify({ docs: [{ name: 'api', path: 'handbook' }, 'gone', 7], state: 'kept' }),
  );
  t.same(await names(folder, 'nodes', 'cha'), ['Charge']);
  for (const config of ['{', '[]', '{"docs": 7}', '{"docs": "handbook", "state": "/"}']) {
    writeFileSync(join(folder, 'kgraphfs.config.json'), config);
    t.same(await names(folder, 'nodes', 'cha'), [], config);
  }
});
