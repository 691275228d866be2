import { spawnSync } from 'node:child_process';
import { needsFuse } from '../../fuse/fuse-available.ts';
import { onEachDriver } from '../../support/each-driver.ts';
import { kgraphfs } from '../run-cli.ts';
import { mountPlace } from './mount-place.ts';

const TO_AND_FRO = `
  cd "$1/context" && echo 'Refunds take 5 days' > memory/fact/refunds &&
  setfattr -n user.kgraphfs.tags -v money,time memory/fact/refunds &&
  mv memory/fact/refunds scratchpad/ && echo 'They are free' >> scratchpad/refunds &&
  mv scratchpad/refunds memory/fact/back && cat memory/fact/back &&
  getfattr --only-values -n user.kgraphfs.tags memory/fact/back`;

onEachDriver(
  'a memory that is moved to the scratchpad and back keeps what was said of it, and mv complains of nothing',
  needsFuse(),
  async (t, driver) => {
    const { mountpoint, at } = mountPlace(t);
    t.match(kgraphfs(['mount', mountpoint, '--wait', '--driver', driver, ...at]), { status: 0 });
    const { status, stdout, stderr } = spawnSync(
      'timeout',
      ['-s', 'KILL', '60', 'bash', '-c', TO_AND_FRO, 'bash', mountpoint],
      { encoding: 'utf8', env: { ...process.env, LC_ALL: 'C' } },
    );
    t.same(
      { status, stdout, stderr },
      { status: 0, stdout: 'Refunds take 5 days\nThey are free\nmoney,time', stderr: '' },
    );
  },
);
