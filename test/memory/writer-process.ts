/**
 * A process that writes memories until it is done or killed: `writer-process.js FILE NAME COUNT`. Each number that it prints is a write that
 * was acknowledged: a note of its own, a line in a file that others append to, and a whole new content of a file that others replace.
 */
import { writeSync } from 'node:fs';
import { systemClock } from '../../src/core/clock.ts';
import { ErrorLog } from '../../src/core/error-log.ts';
import { openMemory } from '../../src/memory/open-memory.ts';
import { openContextStore } from '../../src/store/context-store.ts';
import { append, fact, write } from './fixture.ts';
import { noteText, sharedText } from './written.ts';

const [file = '', name = '', count = '0'] = process.argv.slice(2);
const store = openContextStore(file);
const { files } = openMemory({
  store,
  record: () => {},
  clock: systemClock,
  errors: new ErrorLog(systemClock),
  limits: { maxEntryBytes: 1_000_000 },
  actorOf: () => name,
  sessionOf: () => name,
});
for (let number = 0; number < Number(count); number += 1) {
  write(files, fact(`${name}-${number % 20}`), noteText(name, number));
  append(files, fact('log'), `${name} ${number}\n`);
  write(files, fact('shared'), sharedText(name, number));
  writeSync(1, `${number}\n`);
}
