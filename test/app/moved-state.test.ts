import { existsSync, renameSync } from 'node:fs';
import t from 'tap';
import { openApp } from '../../src/app/app.ts';
import type { VfsPath } from '../../src/core/paths.ts';
import { indexedSample } from '../support/indexed-sample.ts';

t.test(
  'where the state folder was moved, what needs the index anew is refused with what happened',
  async (t) => {
    const { settings } = await indexedSample(t);
    const app = openApp({ settings, slowInThread: true });
    t.teardown(() => app.close());
    renameSync(settings.state, `${settings.state}-moved`);
    const why = /^the file of the index was removed or replaced .*unmount and mount again/;
    await t.rejects(app.contexts.summary(''), { name: 'UserError', message: why });
    const paths = ['/graph/edges/requires.jsonl', '/graph/at/HEAD/nodes/Charge', '/.kgraphfs/lint.jsonl'];
    for (const path of paths) await t.rejects(async () => app.fs.stat(path as VfsPath, {}), path);
    for (const { code, message } of app.errors.entries())
      t.match({ code, message }, { code: 'EIO', message: why });
    t.equal(app.errors.entries().length, paths.length);
    t.match(await app.fs.stat('/graph/nodes/Charge' as VfsPath, {}), { kind: 'file' }, 'the rest goes on');
    t.notOk(existsSync(settings.state), 'nothing is made at the old place');
  },
);
