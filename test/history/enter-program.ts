import { readSync, writeSync } from 'node:fs';
import { systemClock } from '../../src/core/clock.ts';
import { openHistory } from '../../src/history/history.ts';
import { openContextStore } from '../../src/store/context-store.ts';
import { opened, written } from './fixture.ts';

/**
 * Run as a program: enters so many changes into the history of a session, each with a read before it, and says the number of each when
 * it is entered. Before that it says that it is ready, and in the midst of it that half is done; each time it waits for a byte to read, or for
 * its input to end.
 */
const [file = '', session = '', name = '', count = '0'] = process.argv.slice(2);
const store = openContextStore(file);
const history = openHistory({
  store,
  clock: systemClock,
  actor: name,
  session,
  onFailure: (error) => {
    throw error;
  },
});

function waitAt(place: string): void {
  writeSync(1, `${place}\n`);
  readSync(0, Buffer.alloc(1));
}

waitAt('ready');
for (let number = 0; number < Number(count); number += 1) {
  if (number === Number(count) / 2) waitAt('half');
  history.record(opened(`/docs/${name}/${number}`));
  store.transact(() => history.record(written(`/context/memory/fact/${name}/${number}`)));
  writeSync(1, `${number}\n`);
}
history.close();
store.close();
