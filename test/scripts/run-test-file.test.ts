import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import t from 'tap';
import { runTestFile } from '../../scripts/run-test-file.ts';
import { startTicksOf } from '../../src/state/processes.ts';
import { temporaryFolder } from '../support/temporary.ts';

const LIMITS = { fileMs: 60_000, silentMs: 3000, readMs: 100 };

/** @returns a file that says what is given, begins `sleep`, which has its output open, and says its pid */
function fileThatBegins(folder: string, said: string, rest: string): string {
  const file = join(folder, 'one.test.mjs');
  const begin = `
    import { spawn } from 'node:child_process';
    const { pid } = spawn('sleep', ['60'], { stdio: 'inherit', detached: true });
    console.log('# pid ' + pid + ${JSON.stringify(`\n${said}`)});`;
  writeFileSync(file, `${begin}\n${rest}\n`);
  return file;
}

function pidIn(text: string): number {
  return Number(/^# pid (\d+)$/m.exec(text)?.[1]);
}

t.test('a file that hangs is killed with what it began, and its last lines are told', async (t) => {
  const said = '# Subtest: reads what never comes\n    ok 1 - not a result of this run';
  const file = fileThatBegins(temporaryFolder(t), said, 'setInterval(() => {}, 1000);');
  const { text, passed, failed } = await runTestFile(file, LIMITS);
  t.match({ passed, failed }, { passed: 0, failed: 1 });
  t.match(text, /^not ok - \S+ ended with SIGKILL and did not say what failed\. Its last lines:$/m);
  t.match(text, /^# \| # Subtest: reads what never comes$/m);
  t.match(text, /^# \| # Nothing was written for 3 s\.$/m);
  t.match(text, /^# \| # It had begun sleep \(\d+\), state S \(sleeping\)\.$/m);
  t.equal(startTicksOf(pidIn(text)), undefined);
});

t.test('a program that outlives a file is not waited for', async (t) => {
  const file = fileThatBegins(temporaryFolder(t), '# { total: 2, pass: 2 }', 'process.exit();');
  const open = openPipes();
  const { text, passed, failed } = await runTestFile(file, LIMITS);
  t.teardown(() => process.kill(pidIn(text)));
  t.match({ passed, failed }, { passed: 2, failed: 0 });
  t.not(startTicksOf(pidIn(text)), undefined);
  while (openPipes() > open) await wait(10);
});

function openPipes(): number {
  return process.getActiveResourcesInfo().filter((name) => name === 'PipeWrap').length;
}
