/** Looks for daemons of a state folder, with no descriptor left and then with all that it takes. Prints what came of both, as JSON. */
import { closeSync, openSync } from 'node:fs';
import { reasonOf } from '../../src/core/errors.ts';
import { liveDaemons, staleRecords } from '../../src/state/daemons.ts';
import { stateOfProcess } from '../../src/state/processes.ts';
import { stateFolderAt } from '../../src/state/state-folder.ts';

const [, , folder = '', pid = '', startTicks = ''] = process.argv;
const state = stateFolderAt(folder);

function tried(look: () => unknown): unknown {
  try {
    return look();
  } catch (error) {
    return reasonOf(error);
  }
}

function looks(): unknown[] {
  const known = { pid: Number(pid), startTicks };
  return [
    tried(() => stateOfProcess(known)),
    tried(() => liveDaemons(state).length),
    tried(() => staleRecords(state)),
  ];
}

const taken: number[] = [];
try {
  for (;;) taken.push(openSync('/dev/null', 'r'));
} catch {
  // There are no more.
}
const without = looks();
for (const descriptor of taken) closeSync(descriptor);
process.stdout.write(JSON.stringify({ without, afterwards: looks() }));
