import type { Repository } from '../git/repository.ts';
import type { HookState } from '../hooks/install.ts';
import type { CommonArguments } from './command.ts';
import { type Io, writeJson } from './io.ts';
import { findPlace, type Place } from './project.ts';
import { writeTable } from './text/table.ts';

/** Opens the repository of the docs. @throws UserError if there is none */
export async function withRepository<T>(
  args: CommonArguments,
  io: Io,
  use: (repository: Repository, place: Place) => Promise<T>,
): Promise<T> {
  const [{ docsInGit }, { wholeEnvironment }] = await Promise.all([
    import('../commit-graph/docs-in-git.ts'),
    import('../config/environment.ts'),
  ]);
  const place = await findPlace(args, io);
  const caller = { variables: wholeEnvironment(), workingFolder: io.workingFolder() };
  return use(docsInGit(place.settings.selection, caller).repository, place);
}

export function writeStates(states: readonly HookState[], isJson: boolean, { out }: Io): void {
  if (isJson) {
    writeJson(out, states);
    return;
  }
  writeTable(out, states, [
    { title: 'hook', value: ({ hook }) => hook },
    { title: 'state', value: stateText },
    { title: 'file', value: ({ file }) => file, isName: true },
  ]);
}

function stateText({ installed, chained }: HookState): string {
  if (!installed) return 'not installed';
  return chained ? 'installed, before another' : 'installed';
}
