import { setTimeout as delay } from 'node:timers/promises';
import t from 'tap';
import { showingTakingIn } from '../../src/cli/search/taking-in.ts';
import { Listeners } from '../../src/core/listeners.ts';
import { memoryOutput } from './memory-output.ts';

const HIDDEN = '\r\u001b[K';
/** A task that takes less is not shown. */
const A_MOMENT_MS = 510;

function takingIn() {
  const listeners = new Listeners<[left: number]>();
  const app = { onTakenIn: (listener: (left: number) => void) => listeners.add(listener) };
  return { app, tell: (left: number) => listeners.tell(left) };
}

t.test('a terminal shows how much of memory a search has taken in, until nothing is left', async (t) => {
  const terminal = memoryOutput(100);
  const { app, tell } = takingIn();
  const answer = await showingTakingIn(terminal, app, async () => {
    tell(400);
    await delay(A_MOMENT_MS);
    tell(300);
    t.match(terminal.text(), /indexing memory █*░+ 100 of 400$/);
    tell(0);
    t.ok(terminal.text().endsWith(HIDDEN), 'the line is gone before the answer is written');
    return 'answer';
  });
  t.equal(answer, 'answer');
  const before = terminal.text();
  tell(5);
  t.equal(terminal.text(), before);
});

t.test('the line is gone where the search fails', async (t) => {
  const terminal = memoryOutput(100);
  const { app, tell } = takingIn();
  const failing = showingTakingIn(terminal, app, async () => {
    tell(400);
    await delay(A_MOMENT_MS);
    tell(300);
    throw new Error('no room');
  });
  await t.rejects(failing, /no room/);
  t.ok(terminal.text().endsWith(HIDDEN));
});
