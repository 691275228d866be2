import { openDocsRoot } from '../../src/source/docs-root.ts';
import { scan } from '../../src/source/scan.ts';

/** Run as a program, by a user without a privileged one's rights: prints as JSON what the docs folder in its argument gives. */
const problems: string[] = [];
const refusals: Record<string, string> = {};

function attempt(name: string, action: () => unknown): void {
  try {
    action();
    refusals[name] = 'nothing refused';
  } catch (error) {
    refusals[name] = error instanceof Error ? error.message : String(error);
  }
}

const folder = process.argv[2] ?? '';
const root = openDocsRoot(folder, { report: ({ code, path }) => problems.push(`${code} ${path}`) });
const listed = root.list('').map(({ name }) => name);
const scanned = [...scan(root)].map(({ path }) => path);
attempt('list', () => root.list('locked'));
attempt('open', () => root.open('secret.md'));
attempt('below', () => root.stat('closed/x.md'));
attempt('root', () => openDocsRoot(`${folder}/locked`, { report: () => {} }));
process.stdout.write(JSON.stringify({ listed, scanned, problems, refusals }));
