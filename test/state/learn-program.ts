import { readSync, writeSync } from 'node:fs';
import { changeLedger } from '../../src/state/learning-file.ts';
import { openContextStore } from '../../src/store/context-store.ts';

/** Run as a program: learns so many judgements, one after another, in a folder. Before that it says that it is ready, and waits for its input to end. */
const [folder = '', name = '', count = '0'] = process.argv.slice(2);
const store = openContextStore(`${folder}/context.sqlite`);
writeSync(1, 'ready\n');
readSync(0, Buffer.alloc(1));
for (let number = 0; number < Number(count); number += 1) {
  changeLedger(
    `${folder}/learning.json`,
    (body) => store.transact(body),
    (now) => ({
      ...now,
      judged: { ...now.judged, [`${name}-${number}`]: { verdict: 'confirmed', rules: ['named'] } },
    }),
  );
}
store.close();
