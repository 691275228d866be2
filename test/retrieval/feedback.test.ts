import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { searched } from './searched.ts';

const SAMPLE = 'docs/sample/charges';

t.test('what is only near to a word of the question does not outdo what says it', async (t) => {
  const pages = readdirSync(SAMPLE).map((name) => [name, readFileSync(join(SAMPLE, name), 'utf8')]);
  const { app, paths } = await searched(t, Object.fromEntries(pages));
  const content = Buffer.from('Giraffes sleep standing\n');
  app.memory.add({ type: 'fact', key: 'giraffes', content }, {});
  t.equal((await paths('giraffes sleep'))[0], '/context/memory/fact/giraffes');
});
