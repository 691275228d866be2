import { lstatSync, mkdirSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import t from 'tap';
import { temporaryFolder } from '../support/temporary.ts';
import { anyCommands, type Command, PadUser } from './commands.ts';
import { bytesOnDisk, emptyPad } from './fixture.ts';
import { PlainFolder } from './plain-folder.ts';

const RUNS = 300;
const LIST_OF_PIECES_BYTES = 4096;
/** Counts what was answered, so that a test of nothing but refusals is seen. */
const answers = new Map<string, number>();

t.test('a scratchpad answers as a plain folder does, and leaves the same', async (t) => {
  await fc.assert(
    fc.asyncProperty(anyCommands, async (commands) => {
      const teardowns: (() => unknown)[] = [];
      const scope = { teardown: (action: () => unknown) => teardowns.unshift(action) };
      try {
        const { pad, folder } = emptyPad(scope);
        const plain = join(temporaryFolder(scope), 'plain');
        mkdirSync(plain, { mode: 0o700 });
        const [user, oracle] = [new PadUser(pad), new PlainFolder(plain)];
        scope.teardown(() => user.close());
        scope.teardown(() => oracle.close());
        for (const command of commands) await compare(command, user, oracle);
        if (JSON.stringify(contentOf(folder)) !== JSON.stringify(contentOf(plain))) {
          throw new Error(`${JSON.stringify(contentOf(folder))} is not ${JSON.stringify(contentOf(plain))}`);
        }
        user.close();
        const { totalBytes, freeBytes } = pad.space();
        const miscountedBytes = Math.abs(totalBytes - freeBytes - bytesOnDisk(folder));
        if (miscountedBytes > bytesOfItsOwn(commands)) {
          throw new Error(`${totalBytes - freeBytes} bytes are counted, ${bytesOnDisk(folder)} are there`);
        }
      } finally {
        for (const teardown of teardowns) teardown();
      }
    }),
    { numRuns: RUNS },
  );
  for (const outcome of [
    'EEXIST',
    'ENOENT',
    'ENOTDIR',
    'EISDIR',
    'ENOTEMPTY',
    'EINVAL',
    'ELOOP',
    'EBADF',
    'ENODATA',
    'EPERM',
  ]) {
    t.ok((answers.get(outcome) ?? 0) > 0, `${outcome} was met`);
  }
  t.ok((answers.get('done') ?? 0) > 5000, 'most was done');
});

/**
 * The disk keeps a list of a file's pieces in a block of its own where they are many, and takes or gives it back when it writes, whenever that is:
 * so many bytes may have come or gone since they were counted. Pieces come from room that is set aside here and there.
 */
function bytesOfItsOwn(commands: readonly Command[]): number {
  return commands.filter((command) => command.do === 'allocate').length > 1 ? LIST_OF_PIECES_BYTES : 0;
}

async function compare(command: Command, user: PadUser, oracle: PlainFolder): Promise<void> {
  if (['path', 'to'].some((part) => oracle.leadsThroughLink(String(Reflect.get(command, part) ?? ''))))
    return;
  // chmod(2) follows a link, and this kernel has no other.
  if (command.do === 'change mode' && oracle.isLink(command.path)) return;
  const expected = oracle.run(command);
  const found = await user.run(command);
  const outcome = typeof expected === 'string' && /^E[A-Z]+$/.test(expected) ? expected : 'done';
  answers.set(outcome, (answers.get(outcome) ?? 0) + 1);
  if (JSON.stringify(found) === JSON.stringify(expected)) return;
  throw new Error(
    `${JSON.stringify(command)} gives ${JSON.stringify(found)}, not ${JSON.stringify(expected)}`,
  );
}

/** All that can be seen of a tree, but for the times of folders and of what was not set. */
function contentOf(folder: string): unknown[] {
  return readdirSync(folder)
    .sort()
    .map((name) => {
      const path = join(folder, name);
      const status = lstatSync(path);
      const mode = status.mode.toString(8);
      if (status.isSymbolicLink()) return [name, mode, readlinkSync(path)];
      if (status.isDirectory()) return [name, mode, contentOf(path)];
      return [name, mode, status.nlink, readFileSync(path, 'latin1')];
    });
}
