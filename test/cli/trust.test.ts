import { mkdirSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { temporaryFolder } from '../support/temporary.ts';
import { runHere } from './run-here.ts';

t.test('trust notes a config file as it is, lists it and takes it back', async (t) => {
  const cwd = realpathSync(temporaryFolder(t));
  const env = { XDG_CONFIG_HOME: join(cwd, 'own') };
  mkdirSync(join(cwd, 'own'), { mode: 0o700 });
  const run = (...args: string[]) => runHere(args, { cwd, env });
  t.match(await run('trust'), { status: 1, err: /there is no config file to trust/ });
  const file = join(cwd, 'kgraphfs.config.json');
  writeFileSync(file, '{"search": {"embeddings": {"model": "words", "baseUrl": "http://localhost:1/v1"}}}');
  t.match(await run('trust'), {
    status: 0,
    out: /trusted as it is now\n {2}embeddings: texts of docs and memory are sent to http:\/\/localhost:1\/v1, for words\n/,
  });
  const listed = await run('trust', '--list', '--json');
  t.match(JSON.parse(listed.out), [{ file, state: 'trusted' }]);
  writeFileSync(file, '{}');
  t.match((await run('trust', '--list')).out, /kgraphfs\.config\.json +edited since/);
  t.match(await run('trust', '--json'), { status: 0, out: /asks for nothing that needs trust/ });
  t.match(await run('trust', '--revoke'), { status: 0, out: /no longer trusted/ });
  t.match(await run('trust', '--revoke'), { status: 1, err: /it is not trusted/ });
  t.match((await run('trust', '--list')).out, /no config file is trusted/);
  t.equal((await run('trust', '--list', '--revoke')).status, 2);
  await run('trust');
  rmSync(file);
  t.match((await run('trust', '--list')).out, /kgraphfs\.config\.json +gone/);
  const revoked = await run('trust', '--revoke', '--config', file);
  t.match(revoked, { status: 0, out: /no longer trusted/ }, 'one that is gone, too');
});

t.test('a file that names modules which cannot be is not trusted, and says where', async (t) => {
  const cwd = realpathSync(temporaryFolder(t));
  const env = { XDG_CONFIG_HOME: join(cwd, 'own') };
  mkdirSync(join(cwd, 'own'), { mode: 0o700 });
  const file = join(cwd, 'kgraphfs.config.json');
  writeFileSync(file, '{"modules": {"x": {"module": "nonesuch"}, "g": {"module": "git"}}}');
  t.match(await runHere(['trust'], { cwd, env }), {
    status: 1,
    out: /^$/,
    err: /config\.json:1:\d+: modules\.x\.module: there is no built-in module "nonesuch".*\nnothing is trusted until this is fixed\n$/,
  });
  t.match((await runHere(['trust', '--list'], { cwd, env })).out, /no config file is trusted/);
});
