import type { CommitGraph } from '../../commit-graph/commit-graph.ts';
import type { OpenCommits } from '../../commit-graph/open.ts';
import type { LintFinding } from '../../lint/finding.ts';
import type { LintChoices } from '../../settings/lint.ts';
import type { CommonArguments } from '../command.ts';
import { withCommits } from '../commits.ts';
import type { Io } from '../io.ts';
import type { Place } from '../project.ts';

/** Findings in the staged files, as they are staged, and findings elsewhere that these files cause. @throws UserError if there is no repository */
export function stagedFindings(args: CommonArguments, io: Io, choices: LintChoices): Promise<LintFinding[]> {
  const find = async (_graph: CommitGraph, { settings }: Place, opened: OpenCommits) => {
    const [{ lintStaged, stagedIn }, { lintSettings }, { requirementsBy }] = await Promise.all([
      import('../../hooks/staged-lint.ts'),
      import('../../app/lint-settings.ts'),
      import('../../schema/requirements.ts'),
    ]);
    const { selection, templates } = settings;
    return lintStaged(opened, stagedIn(opened.docs), lintSettings(selection, choices), {
      requirementsOf: requirementsBy(templates),
    });
  };
  return withCommits(args, io, find, 'kept-where-possible');
}
