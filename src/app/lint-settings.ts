import { basename } from 'node:path';
import { type DocsSelection, pathInDocs } from '../core/docs-selection.ts';
import type { LintSettings } from '../lint/lint.ts';
import type { LintChoices } from '../settings/lint.ts';
import { FileChoice } from '../source/file-choice.ts';

/** What the rules need to know of config and docs roots. */
export function lintSettings({ folders }: DocsSelection, choices: LintChoices): LintSettings {
  const [first] = folders;
  const ignored = FileChoice.of({ include: [], exclude: choices.ignore }, '');
  return {
    rules: choices.rules,
    siteRoot: choices.siteRoot,
    rootName: first !== undefined && folders.length === 1 ? basename(first.folder) : '',
    roots: folders.flatMap((root) => (root.name === '' ? [] : [pathInDocs(root, '')])),
    ignores: (path) => ignored !== undefined && !ignored.shows(path, 'file'),
  };
}
