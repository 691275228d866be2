import { existsSync, mkdirSync, realpathSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { runHere } from '../cli/run-here.ts';
import { temporaryFolder } from '../support/temporary.ts';

/** A module that leaves a trace as soon as anything of it is run. */
function tracing(trace: string): string {
  return `
import { writeFileSync } from 'node:fs';
writeFileSync(${JSON.stringify(trace)}, 'it ran');
export const resolver = () => ({ at: ([name]) => name === undefined ? { folder: ['x'] } : { file: 'shown' } });
`;
}

t.test(
  'a module path in the config of a docs folder runs nothing before kgraphfs trust, nor once it was edited',
  async (t) => {
    const cwd = realpathSync(temporaryFolder(t));
    const trace = join(cwd, 'trace');
    mkdirSync(join(cwd, 'docs'));
    writeFileSync(join(cwd, 'docs/a.md'), '# Charge\n');
    writeFileSync(join(cwd, 'module.mjs'), tracing(trace));
    writeFileSync(join(cwd, 'kgraphfs.config.json'), '{"modules": {"mine": {"module": "./module.mjs"}}}');
    const env = { XDG_CONFIG_HOME: join(cwd, 'own') };
    const run = (...args: string[]) => runHere(args, { cwd, env });

    t.match(await run('vfs', 'list', '/modules'), { status: 0, out: '' });
    t.match(await run('vfs', 'read', '/modules/mine/x'), {
      status: 1,
      err: /kgraphfs\.config\.json:1:14: modules\.mine: the code of .*module\.mjs is run.*kgraphfs trust/,
    });
    for (const command of [
      ['build'],
      ['search', 'charge'],
      ['vfs', 'search', 'charge'],
      ['status'],
      ['doctor'],
    ]) {
      await run(...command);
    }
    t.match(JSON.parse((await run('status', '--json')).out), {
      modules: [{ name: 'mine', state: 'refused', error: /kgraphfs trust/ }],
    });
    t.notOk(existsSync(trace), 'nothing ran');

    t.match(await run('trust'), { status: 0, out: /modules\.mine: the code of .*module\.mjs is run/ });
    t.match(await run('vfs', 'read', '/modules/mine/x'), { status: 0, out: 'shown' });
    t.ok(existsSync(trace));

    const second = join(cwd, 'second');
    writeFileSync(join(cwd, 'module.mjs'), tracing(second));
    t.match(await run('vfs', 'read', '/modules/mine/x'), { status: 1, err: /edited since.*kgraphfs trust/ });
    t.notOk(existsSync(second), 'code that came with a pull is not what was trusted');
    await run('trust');
    t.match(await run('vfs', 'read', '/modules/mine/x'), { status: 0, out: 'shown' });
    writeFileSync(join(cwd, 'kgraphfs.config.json'), '{"modules": {"mine": {"module": "./module.mjs"} }}');
    t.match(await run('vfs', 'read', '/modules/mine/x'), { status: 1, err: /kgraphfs trust/ });
  },
);

t.test("a stranger's module takes no name from the user's own", async (t) => {
  const cwd = realpathSync(temporaryFolder(t));
  const own = join(cwd, 'own/kgraphfs');
  mkdirSync(own, { recursive: true, mode: 0o700 });
  mkdirSync(join(cwd, 'docs'));
  const trace = join(cwd, 'trace');
  writeFileSync(join(own, 'mine.mjs'), tracing(join(cwd, 'own-trace')));
  writeFileSync(join(own, 'config.json'), '{"modules": {"mine": {"module": "./mine.mjs"}}}', { mode: 0o600 });
  writeFileSync(join(cwd, 'theirs.mjs'), tracing(trace));
  writeFileSync(join(cwd, 'kgraphfs.config.json'), '{"modules": {"mine": {"module": "./theirs.mjs"}}}');
  const read = await runHere(['vfs', 'read', '/modules/mine/x'], {
    cwd,
    env: { XDG_CONFIG_HOME: join(cwd, 'own') },
  });
  t.match(read, { status: 0, out: 'shown' });
  t.notOk(existsSync(trace));
});
