import { readdirSync, readFileSync } from 'node:fs';
import { type Example, examplesIn } from './console.ts';

/** All that people read, by its path in the repository. */
export const PAGES: ReadonlyMap<string, string> = new Map(
  [
    'README.md',
    'CONTRIBUTING.md',
    ...readdirSync('docs')
      .filter((name) => name.endsWith('.md'))
      .map((name) => `docs/${name}`),
  ].map((page) => [page, readFileSync(page, 'utf8')] as const),
);

/** Pages of which another test makes all that stands on them. */
const MADE: Readonly<Record<string, string>> = {
  'docs/cli.md': 'test/cli/registry.test.ts',
  'docs/shell-agent.md': 'test/docs/shell-agent.test.ts',
};

/** What no test can run as it stands, and the test that does the same: as root, with paths of its own. */
export const DONE_ELSEWHERE: readonly { readonly command: RegExp; readonly by: string }[] = [
  { command: /^sudo (?:ln -s|mount -t fuse\.kgraphfs) /, by: 'test/cli/mount/mount-helper.test.ts' },
  { command: /^systemctl --user |^loginctl |^journalctl --user /, by: 'test/systemd/unit.test.ts' },
  { command: /^npm (?:install|link)\b/, by: 'test/cli/built-program.test.ts' },
  { command: /^make (?:demo|test|setup|build)\b/, by: 'test/docs/commands.test.ts' },
];

/** The commands of a page that are run for what it says. */
export function examplesOf(page: string): Example[] {
  if (page in MADE) return [];
  return examplesIn(PAGES.get(page) ?? '').filter(
    ({ command }) => !DONE_ELSEWHERE.some((one) => one.command.test(command)),
  );
}
