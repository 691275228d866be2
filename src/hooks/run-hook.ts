import { existsSync } from 'node:fs';
import { relative } from 'node:path';
import type { OpenCommits } from '../commit-graph/open.ts';
import { hasConfigFile } from '../config/config-file.ts';
import type { LoadedConfig } from '../config/load.ts';
import type { Settings } from '../config/settings.ts';
import { systemClock } from '../core/clock.ts';
import { type DocsSelection, placeOf } from '../core/docs-selection.ts';
import { reasonOf } from '../core/errors.ts';
import type { GitCaller } from '../git/repository.ts';
import type { DocsInTree } from '../git/tree-files.ts';
import type { LintFinding } from '../lint/finding.ts';
import { prepareStateFolder, type StateFolder, stateFolderAt } from '../state/state-folder.ts';
import type { HookCall } from './hook-call.ts';
import { logFailure } from './hook-log.ts';
import { REFUSED } from './hook-names.ts';

/** What runs a hook and reads its output. */
export interface HookCaller extends GitCaller {
  tell(text: string): void;
}

/** A hook that somebody waits for does not itself wait for long. */
const WAIT_MS = 200;

/** Does the work of one hook. @returns the exit status: {@link REFUSED} or 0. Never throws */
export async function runHook(call: HookCall, caller: HookCaller): Promise<number> {
  let state: StateFolder | undefined;
  try {
    const settled = await settingsOf(call);
    const settings =
      settled.schemaMap === undefined
        ? settled
        : (await import('../app/schema-settings.ts')).withSchema(settled);
    const folder = stateFolderAt(settings.state);
    prepareStateFolder(folder);
    state = folder;
    return call.hook === 'pre-commit'
      ? await checkStaged(settings, state, caller)
      : await follow(call, settings, state, caller);
  } catch (error) {
    if (state !== undefined) logFailure(state.hooksLogFile, call.hook, error);
    if (call.hook === 'pre-commit')
      caller.tell(`kgraphfs: the docs were not checked: ${reasonOf(error).split('\n')[0]}\n`);
    return 0;
  }
}

/** The code that reads a config file takes as long to load as everything else, so it is only loaded if there is a config file. */
async function settingsOf({ folder, flags }: HookCall): Promise<Settings> {
  const loaded: LoadedConfig = hasConfigFile(folder, flags.config)
    ? (await import('../config/load.ts')).loadConfig(folder, flags.config)
    : { file: undefined, config: {} };
  const { settleAnswering } = await import('../app/settle-answering.ts');
  return settleAnswering(flags, folder, loaded);
}

async function open(
  settings: Settings,
  state: StateFolder,
  caller: GitCaller,
  docs: DocsInTree,
  { mayBeOnlyRead } = { mayBeOnlyRead: false },
): Promise<OpenCommits> {
  const { openCommits } = await import('../commit-graph/open.ts');
  return openCommits({
    file: state.commitsFile,
    indexFile: state.indexFile,
    settings: {
      selection: settings.selection,
      excluded: [settings.state],
      maxBytes: settings.maxDocumentBytes,
    },
    caller,
    docs,
    clock: systemClock,
    waitMs: WAIT_MS,
    mayBeOnlyRead,
  });
}

async function checkStaged(settings: Settings, state: StateFolder, caller: HookCaller): Promise<number> {
  const { docsInGit } = await import('../commit-graph/docs-in-git.ts');
  const { lintStaged, stagedIn } = await import('./staged-lint.ts');
  const docs = docsInGit(settings.selection, caller);
  const staged = stagedIn(docs);
  if (staged.changes.length === 0) return 0;
  const { lintSettings } = await import('../app/lint-settings.ts');
  const opened = await open(settings, state, caller, docs, { mayBeOnlyRead: true });
  try {
    const onSlow = () =>
      caller.tell('kgraphfs: reading the docs of this commit; later commits need not wait\n');
    const { requirementsBy } = await import('../schema/requirements.ts');
    const findings = lintStaged(opened, staged, lintSettings(settings.selection, settings.lint), {
      onSlow,
      requirementsOf: requirementsBy(settings.templates),
    });
    return await report(findings, settings.selection, caller);
  } finally {
    opened.close();
  }
}

async function report(
  findings: readonly LintFinding[],
  selection: DocsSelection,
  { tell, workingFolder }: HookCaller,
): Promise<number> {
  const errors = findings.filter(({ severity }) => severity === 'error');
  if (errors.length === 0) return 0;
  const { findingLine } = await import('../lint/format.ts');
  const fileName = (file: string) => {
    const place = placeOf(selection, file);
    return place === undefined ? file : relative(workingFolder, `${place.root.folder}/${place.path}`);
  };
  for (const error of errors) tell(`${findingLine(error, fileName)}\n`);
  const count = errors.length === 1 ? '1 error' : `${errors.length} errors`;
  tell(`kgraphfs: ${count} in what is staged; fix them, or commit with --no-verify\n`);
  return REFUSED;
}

async function follow(
  call: HookCall,
  settings: Settings,
  state: StateFolder,
  caller: HookCaller,
): Promise<number> {
  const { isAmongMany, syncAfter, syncInBackground } = await import('./sync-after.ts');
  const { docsInGitIfAny } = await import('../commit-graph/docs-in-git.ts');
  const docs = docsInGitIfAny(settings.selection, caller);
  if (docs === undefined || isAmongMany(call, docs.repository.gitFolder)) return 0;
  if (existsSync(state.commitsFile)) {
    const opened = await open(settings, state, caller, docs);
    try {
      if (syncAfter(opened)) return 0;
    } finally {
      opened.close();
    }
  }
  syncInBackground(call, state.hooksLogFile, caller.variables);
  caller.tell('kgraphfs: the graph of this commit is made in the background\n');
  return 0;
}
