import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { temporaryFolder } from '../support/temporary.ts';
import { runHere } from './run-here.ts';

t.test("every command of a project refuses a config of the user's own that is wrong", async (t) => {
  const cwd = temporaryFolder(t);
  mkdirSync(join(cwd, 'docs'));
  mkdirSync(join(cwd, 'own/kgraphfs'), { recursive: true, mode: 0o700 });
  writeFileSync(join(cwd, 'docs/charge.md'), '# Charge\n');
  const file = join(cwd, 'own/kgraphfs/config.json');
  const env = { XDG_CONFIG_HOME: join(cwd, 'own') };
  const commands = [
    ['build'],
    ['stats'],
    ['status'],
    ['nodes'],
    ['search', 'charge'],
    ['ask', 'charge', '--no-llm'],
    ['context', 'history'],
    ['session', 'list'],
    ['check'],
  ];
  for (const [text, wrong] of [
    ['{bad', /own\/kgraphfs\/config\.json:1:2: this is not JSON/],
    ['{"lmm": {}}', /own\/kgraphfs\/config\.json:1:2: unknown key lmm/],
  ] as const) {
    writeFileSync(file, text, { mode: 0o600 });
    for (const command of commands)
      t.match(await runHere(command, { cwd, env }), { status: 2, out: '', err: wrong }, command.join(' '));
  }
  t.notOk(existsSync(join(cwd, '.kgraphfs')), 'nothing was made');
  writeFileSync(file, '{"allowModelWrites": true}');
  t.match(await runHere(['build'], { cwd, env }), { status: 0, err: '' });
});
