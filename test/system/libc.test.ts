import { spawnSync } from 'node:child_process';
import t from 'tap';

/** Waits for what never comes, and exits. */
const PROGRAM = `
  const { waitToRead } = await import(process.argv[1]);
  const { openSocketPair } = await import(process.argv[2]);
  void waitToRead(openSocketPair().ours);
  setTimeout(() => process.exit(7), 50);
`;

t.test('a process that waits to read can exit all the same', (t) => {
  const modules = ['libc', 'socket-pair'].map(
    (name) => new URL(`../../src/system/${name}.js`, import.meta.url).href,
  );
  const { status, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', PROGRAM, ...modules], {
    encoding: 'utf8',
    timeout: 60_000,
  });
  t.same({ status, stderr }, { status: 7, stderr: '' });
  t.end();
});
