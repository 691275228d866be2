import { existsSync } from 'node:fs';
import { UserError } from '../../core/errors.ts';
import type { Finding } from '../../integrity/finding.ts';
import type { StateFolder } from '../../state/state-folder.ts';
import { counted } from '../../text/counted.ts';
import { printable } from '../../text/printable.ts';
import { defineCommand } from '../command.ts';
import { leavingNothing } from '../interrupt.ts';
import { type Output, writeJson } from '../io.ts';
import { progressBar } from '../progress.ts';
import { findPlace, howToRead } from '../project.ts';
import { provenanceOf } from '../provenance.ts';
import { refuseStrangers } from '../refuse-strangers.ts';

const SHOWN_ITEMS = 5;
/** Problems that concern one file: their items do not count what is wrong. */
const ABOUT_ONE_FILE: ReadonlySet<string> = new Set([
  'file-damaged',
  'file-unreadable',
  'file-lost',
  'nothing-recovered',
  'only-read',
]);

export const check = defineCommand({
  verb: 'check',
  summary: 'check the index, memory and history for errors, and repair them',
  details:
    'Reads all docs again and compares the result with the index, node by node and edge by edge. Checks each memory, each earlier\n' +
    'content and each entry of the history. --repair repairs what it can. The index can be made again. Before memory and history are\n' +
    'repaired, they are copied, and a damaged file is put aside, never removed. The command works while a daemon runs, except if a file\n' +
    'has to be replaced: then it says so. The exit status is 1 if something is wrong and not repaired.',
  positionals: {},
  options: { repair: { type: 'boolean', summary: 'repair what is wrong' } },
  example: 'kgraphfs check --docs docs/sample',
  async run(args, io) {
    const provenance = provenanceOf('check', args);
    const [
      place,
      { refuseOthersFolder },
      { checkProject },
      { removeUnfinished },
      { daemonsAtWork },
      { prepareStateFolder },
    ] = await Promise.all([
      findPlace(args, io),
      import('../../disk/own-folder.ts'),
      import('../../integrity/check.ts'),
      import('../../integrity/check-state.ts'),
      import('../../state/daemons.ts'),
      import('../../state/state-folder.ts'),
    ]);
    const { state } = place;
    if (existsSync(state.path)) refuseOthersFolder(state.path);
    else prepareStateFolder(state);
    // The repair must not replace what a running daemon shows by what other docs say.
    await refuseStrangers(place, daemonsAtWork(state));
    const bar = progressBar(io.err, 'checking');
    const options = {
      ...(await howToRead(place)),
      state,
      repair: args.repair ?? false,
      onProgress: bar.update,
    };
    const { findings, memories, versions, historyEntries, stopped } = await leavingNothing(
      () => removeUnfinished(state),
      () => checkProject(options).finally(() => bar.end()),
    );
    const isWell = stopped === undefined && findings.every(({ mended }) => mended);
    if (args.json) {
      const found = { ok: isWell, memories, versions, history_entries: historyEntries, findings };
      writeJson(io.out, { ...found, ...provenance(await revisionIn(state)) });
    } else {
      for (const one of findings) writeFinding(io.out, one);
      const looked = `${counted(memories, 'memory', 'memories')}, ${historyEntries} entries of the history`;
      if (isWell && findings.length === 0)
        io.out.write(`all is well: index and docs say the same; ${looked}\n`);
    }
    if (stopped !== undefined) throw stopped.error;
    return isWell ? 0 : 1;
  },
});

/** The revision of the index; null if there is no index that can be read. */
async function revisionIn({ indexFile }: StateFolder): Promise<number | null> {
  if (!existsSync(indexFile)) return null;
  const [{ openStore }, { isDamage }] = await Promise.all([
    import('../../store/store.ts'),
    import('../../disk/damage.ts'),
  ]);
  try {
    const store = openStore(indexFile, { readOnly: true });
    try {
      return store.revision();
    } finally {
      store.close();
    }
  } catch (error) {
    // What is wrong with the index is among the findings.
    if (!(error instanceof UserError || isDamage(error))) throw error;
    return null;
  }
}

function writeFinding(
  { style, write }: Output,
  { part, problem, message, items, count, mended, remedy }: Finding,
): void {
  const state = mended ? style('green', 'repaired') : style('red', 'wrong   ');
  const number = count === 0 || ABOUT_ONE_FILE.has(problem) ? '' : `: ${count}`;
  write(`${state} ${part}: ${printable(message)}${number}\n`);
  for (const item of items.slice(0, SHOWN_ITEMS)) write(`          ${printable(item)}\n`);
  if (count > SHOWN_ITEMS) write(`          … ${count - SHOWN_ITEMS} more\n`);
  if (!mended) write(`          fix: ${remedy}\n`);
}
