import { existsSync } from 'node:fs';
import { UserError } from '../../core/errors.ts';
import { counted } from '../../text/counted.ts';
import { printableName } from '../../text/printable.ts';
import { defineCommand } from '../command.ts';
import { type Io, writeJson } from '../io.ts';
import { findPlace, type Place } from '../project.ts';
import { canAsk, Questions } from '../questions.ts';
import { usageError } from '../usage-error.ts';

export const wipe = defineCommand({
  verb: 'wipe',
  summary: 'remove what the state folder holds, after asking',
  details:
    'By default, removes the index and everything else that can be made again from the docs. Memory, history and scratchpads cannot be\n' +
    'made again: only --memory or --all removes them. Nothing outside the state folder is touched, and no file in it that is not ours.\n' +
    'Without a terminal, --yes is needed. While a daemon uses the state folder, even one that began after the question, nothing is\n' +
    'removed.',
  positionals: {},
  options: {
    memory: { type: 'boolean', summary: 'remove memory, history, sessions and scratchpads instead' },
    all: {
      type: 'boolean',
      summary: 'remove everything: the index, what --memory removes, and what models answered to build --llm',
    },
    yes: { type: 'boolean', short: 'y', summary: 'do not ask' },
  },
  example: 'kgraphfs wipe --yes --docs docs/sample',
  async run(args, io) {
    const [place, state] = await Promise.all([
      findPlace({ ...args, mayHoldLinks: true, mayMissDocs: true }, io, { keepsLast: true }),
      import('../../state/wipe.ts'),
    ]);
    const { all = false, memory = false } = args;
    const choice = { index: all || !memory, memory: all || memory };
    const names = state.toWipe(place.state, choice);
    state.refuseWhileServed(place.state);
    if (names.length > 0) await refuseOnlyRead(place);
    if (names.length > 0 && !args.yes) {
      const what = await lossOf(place, choice);
      if (!canAsk(io))
        throw usageError(
          `wipe would remove ${what}; there is no terminal to ask on, so confirm with --yes`,
          'wipe',
        );
      if (!(await isWanted(place, what, io))) {
        io.out.write('nothing was removed\n');
        return 1;
      }
    }
    const { clearDeadMounts } = await import('../mount/dead-mounts.ts');
    // The records of dead mounts are in the folder that is removed: without them nothing would tell of these mounts any more.
    const cleared = await clearDeadMounts(place.state);
    await state.wipe(place.state, names);
    if (args.json) writeJson(io.out, { state_dir: place.state.path, removed: names, cleared });
    else if (names.length === 0) io.out.write('there is nothing to remove\n');
    else io.out.write(`removed from ${place.state.path}: ${names.join(', ')}\n`);
    if (!args.json)
      for (const point of cleared) io.out.write(`removed the dead mount at ${printableName(point)}\n`);
    return 0;
  },
});

/** Refuses a state folder in which nothing can be removed, before the user is asked. @throws UserError */
async function refuseOnlyRead({ state: { path, daemonsLock } }: Place): Promise<void> {
  const { whyKeptFromWriting } = await import('../../store/disk-state.ts');
  const why = whyKeptFromWriting(daemonsLock);
  if (why === undefined) return;
  throw new UserError(
    `${path}: nothing can be removed from this state folder (${why.reason}); ${why.remedy}`,
  );
}

async function isWanted({ state }: Place, what: string, io: Io): Promise<boolean> {
  const questions = new Questions(io);
  try {
    io.err.write(`${state.path} holds ${what}.\n`);
    return await questions.isYes('Remove that?', { usual: 'no' });
  } finally {
    questions.close();
  }
}

/** Describes what will be lost. */
async function lossOf(
  { state }: Place,
  { index, memory }: { readonly index: boolean; readonly memory: boolean },
): Promise<string> {
  const parts = index ? ['the index (the docs stay, and it can be made again from them)'] : [];
  if (memory) parts.push(`${await memoryLoss(state.contextFile)}, which cannot be made again`);
  if (index && memory && existsSync(state.extractionsFile))
    parts.push('what models answered about the docs, which cost money');
  return parts.join(', and ');
}

async function memoryLoss(contextFile: string): Promise<string> {
  const all = 'all memories, the history and all scratchpads';
  if (!existsSync(contextFile)) return all;
  const { ContextCheck } = await import('../../store/context-check.ts');
  try {
    const check = new ContextCheck(contextFile);
    try {
      const { memories, historyEntries } = check.counts();
      return `${counted(memories, 'memory', 'memories')}, ${counted(historyEntries, 'entry', 'entries')} of the history and all scratchpads`;
    } finally {
      check.close();
    }
  } catch {
    // The index is damaged, which may be the reason to remove it.
    return all;
  }
}
