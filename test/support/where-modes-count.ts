import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import t, { type Test } from 'tap';

/** `CAP_DAC_OVERRIDE` and `CAP_DAC_READ_SEARCH` of capabilities(7): who has them passes by the modes of files and folders. */
const PASSES_MODES = 0b110n;
const NO_PASSING = '-dac_override,-dac_read_search';
const WITHOUT_PASSING = ['setpriv', `--inh-caps=${NO_PASSING}`, `--bounding-set=${NO_PASSING}`] as const;

/** Registers a test of what the modes of files refuse. Root, whom they refuse nothing, has a process run it that has given that up. */
export function testWhereModesCount(
  title: string,
  run: (t: Test) => Promise<void>,
  options: { readonly skip?: string | false; readonly timeout?: number } = {},
): void {
  t.test(title, options, passesModes() ? (t) => runElsewhere(t, title) : run);
}

function passesModes(): boolean {
  const effective = /^CapEff:\s*([0-9a-f]+)$/m.exec(readFileSync('/proc/self/status', 'utf8'))?.[1];
  return (BigInt(`0x${effective ?? '0'}`) & PASSES_MODES) !== 0n;
}

/** Runs the one test of this file that has the title. */
async function runElsewhere(t: Test, title: string): Promise<void> {
  const [command, ...args] = [...WITHOUT_PASSING, process.execPath, ...process.execArgv];
  const pattern = title.replace(/[^\w ]/g, '\\$&');
  const child = spawn(command, [...args, ...process.argv.slice(1)], {
    env: { ...process.env, TAP: '1', TAP_GREP: `/^${pattern}$/` },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  t.teardown(() => child.kill());
  const [output, [status]] = await Promise.all([text(child.stdout), once(child, 'close')]);
  const said = output.split('\n').filter((line) => line.includes(`- ${title}`));
  t.same(
    { status, passed: said.map((line) => /^ok \d+ - .*# time=/.test(line)) },
    { status: 0, passed: [true] },
    { output },
  );
}
