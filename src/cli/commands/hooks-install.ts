import type { CommitGraph } from '../../commit-graph/commit-graph.ts';
import { wayOf } from '../../core/docs-selection.ts';
import { UserError } from '../../core/errors.ts';
import { defineCommand } from '../command.ts';
import { withCommits } from '../commits.ts';
import { withRepository, writeStates } from '../hooks.ts';
import { bringUpToDate, type Place } from '../project.ts';

export const hooksInstall = defineCommand({
  verb: 'hooks install',
  summary: "add kgraphfs to the repository's git hooks: lint before a commit, sync after it",
  details:
    'The hooks are written where core.hooksPath says, .husky included, and run before the hooks that are there, which run as before.\n' +
    'pre-commit checks what is staged, as it is staged, and refuses a commit that breaks a link; git commit --no-verify or\n' +
    'KGRAPHFS_SKIP_HOOKS=1 skips the check. post-commit, post-checkout, post-merge and post-rewrite bring the graph of commits to HEAD\n' +
    'and never fail. Running the command again changes nothing.',
  positionals: {},
  options: {},
  example: 'kgraphfs hooks install',
  run: (args, io) =>
    withRepository(args, io, async (repository, place) => {
      const [{ installHooks }, { tellOfUnrecordedCommits }] = await Promise.all([
        import('../../hooks/install.ts'),
        import('../only-read.ts'),
      ]);
      const workingFolder = io.workingFolder();
      const isInside = `${workingFolder}/`.startsWith(`${repository.topFolder}/`);
      const states = await installHooks({
        repository,
        folder: isInside ? workingFolder : repository.topFolder,
        options: isInside ? asGiven(args, place) : inFull(place),
        stateFolder: place.settings.state,
      });
      writeStates(states, args.json === true, io);
      if (tellOfUnrecordedCommits(place, io)) return 0;
      await bringUpToDate(place, io);
      await withCommits(args, io, async (graph) => bringToHead(graph));
      return 0;
    }),
});

/** Records the commits up to HEAD, so that the first commit after the install does not have to wait for that. */
function bringToHead(graph: CommitGraph): void {
  try {
    graph.bringTo(graph.commitOf('HEAD'));
  } catch (error) {
    // Before the first commit there is nothing to read.
    if (!(error instanceof UserError)) throw error;
  }
}

type Options = [name: string, path: string][];

function asGiven(
  { docs, state, config }: { readonly docs: unknown; readonly state?: unknown; readonly config?: unknown },
  { settings }: Place,
): Options {
  const hasDocs = Array.isArray(docs) && docs.length > 0;
  return [
    ...(hasDocs ? docsOf(settings) : []),
    ...(state === undefined ? [] : stateOf(settings)),
    ...(config === undefined ? [] : configOf(settings)),
  ];
}

/** The options spelt out, so that the hook does the same wherever it is run. */
function inFull({ settings }: Place): Options {
  return [...docsOf(settings), ...stateOf(settings), ...configOf(settings)];
}

function docsOf({ selection }: Place['settings']): Options {
  return selection.folders.map((root) => ['docs', wayOf(root)]);
}

function stateOf({ state }: Place['settings']): Options {
  return [['state', state]];
}

function configOf({ configFile }: Place['settings']): Options {
  return configFile === undefined ? [] : [['config', configFile]];
}
