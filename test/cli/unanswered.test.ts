import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import t from 'tap';

const UNANSWERED = join(import.meta.dirname, '../../src/cli/unanswered.js');

t.test('a command that waits for what will never come fails, and says so', (t) => {
  const waiting = run('await new Promise(() => {})');
  t.equal(waiting.status, 1);
  t.match(waiting.stderr, /^kgraphfs: this is a bug of kgraphfs, .*: it ended before it had answered/);
  t.match(run('await new Promise((settle) => setTimeout(settle, 5))'), { status: 0, stderr: '' });
  t.match(run('process.exit(3)'), { status: 3, stderr: '' }, 'as it was told');
  t.end();
});

function run(work: string): { status: number | null; stderr: string } {
  const script = `
    const { endUnansweredAsFailure } = await import(${JSON.stringify(UNANSWERED)});
    const err = { write: (text) => process.stderr.write(text), style: (_, text) => text };
    const answered = endUnansweredAsFailure({ err, debug: false });
    const command = async () => { ${work} };
    void command().then(answered);`;
  return spawnSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8' });
}
