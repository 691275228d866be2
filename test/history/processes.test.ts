import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import Sqlite from 'better-sqlite3';
import t from 'tap';
import type { ContextStore } from '../../src/store/context-store.ts';
import type { Teardown } from '../support/temporary.ts';
import { contentOf, recording } from './fixture.ts';

const PROGRAM = fileURLToPath(new URL('enter-program.js', import.meta.url));
const KILLS = 8;
const SESSION = 'shared';

/** Another process that enters changes into the history, once its input ends. */
function entering(t: Teardown, file: string, name: string, count: number) {
  const child = spawn(process.execPath, [PROGRAM, file, SESSION, name, `${count}`], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  t.teardown(() => child.kill('SIGKILL'));
  return child;
}

async function heard(lines: AsyncIterator<string>, expected: string): Promise<void> {
  for (;;) {
    const { done, value } = await lines.next();
    if (done) throw new Error(`it ended before it said ${expected}`);
    if (value === expected) return;
  }
}

/** The files of the session, whose lines are all there and whole. */
function linesOf(store: ContextStore): { path: string; actor: string }[] {
  return store.history.files().flatMap((file) => {
    const content = contentOf(store, file, 1000);
    if (content.length !== file.sizeBytes) throw new Error(`${content.length} of ${file.sizeBytes} bytes`);
    const lines = content.toString().split('\n').slice(0, -1);
    if (lines.length !== file.entries) throw new Error(`${lines.length} lines, not ${file.entries}`);
    return lines.map((line) => JSON.parse(line));
  });
}

function changesBy(lines: readonly { path: string; actor: string }[], name: string): number[] {
  const prefix = `/context/memory/fact/${name}/`;
  return lines
    .filter(({ path }) => path.startsWith(prefix))
    .map(({ path }) => Number(path.slice(prefix.length)));
}

t.test('processes that enter into one file at once lose nothing, and each keeps its order', async (t) => {
  const { store, file } = recording(t);
  const count = 300;
  const names = ['a', 'b', 'c'];
  const children = names.map((name) => entering(t, file, name, count));
  const ended = children.map((child) => once(child, 'close'));
  const said = children.map((child) => createInterface(child.stdout)[Symbol.asyncIterator]());
  // However fast one is, none has done more than half before all others have.
  for (const place of ['ready', 'half']) {
    await Promise.all(said.map((lines) => heard(lines, place)));
    for (const child of children) child.stdin.write('\n');
  }
  await Promise.all(said.map((lines) => heard(lines, String(count - 1))));
  t.same(
    (await Promise.all(ended)).map(([status]) => status),
    [0, 0, 0],
  );
  const lines = linesOf(store);
  t.equal(lines.length, names.length * count * 2);
  for (const name of names) {
    t.same(
      changesBy(lines, name),
      Array.from({ length: count }, (_, number) => number),
    );
  }
  const turns = lines.filter(({ actor }, index) => actor !== lines[index - 1]?.actor).length;
  t.ok(turns > names.length, 'they took turns');
});

t.test(
  'what was entered survives the end of its process at any moment, whole and with its file',
  async (t) => {
    const { store, file } = recording(t);
    for (let kill = 0; kill < KILLS; kill += 1) {
      const name = `k${kill}`;
      const child = entering(t, file, name, 1_000_000);
      child.stdin.end();
      let last = -1;
      for await (const line of createInterface(child.stdout)) {
        if (line !== 'ready') last = Number(line);
        if (last === 1 + kill * 7) child.kill('SIGKILL');
      }
      const entered = changesBy(linesOf(store), name);
      t.ok(last > 0 && entered.length >= last + 1, `${entered.length} of ${last + 1} are there`);
      t.same(
        entered,
        entered.map((_, index) => index),
      );
    }
    const raw = new Sqlite(file, { readonly: true });
    t.teardown(() => raw.close());
    t.equal(raw.pragma('integrity_check', { simple: true }), 'ok');
  },
);
