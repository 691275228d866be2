import fc from 'fast-check';
import t from 'tap';
import { GitSandbox } from '../git/sandbox.ts';
import { openCommits, pagesOf, pagesOfRebuild, pastPages } from './fixture.ts';

const NAMES = ['charges.md', 'refunds.md', 'guide/start.md', 'guide/end.md', 'api/charges.md', 'notes.txt'];
const THINGS = ['Charge', 'Refund', 'Customer', 'Payout', 'Balance'];
const BRANCHES = ['main', 'one', 'feature/two'];

const path = fc.constantFrom(...NAMES);
const thing = fc.constantFrom(...THINGS);
const branch = fc.constantFrom(...BRANCHES);

type Step =
  | {
      readonly kind: 'write';
      readonly path: string;
      readonly things: readonly [string, string];
      readonly to: string;
    }
  | { readonly kind: 'remove' | 'ignore'; readonly path: string }
  | { readonly kind: 'rename'; readonly path: string; readonly to: string }
  | { readonly kind: 'branch' | 'merge' | 'rebase' | 'force'; readonly branch: string }
  | { readonly kind: 'back' };

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constant('write' as const),
      path,
      things: fc.tuple(thing, thing),
      to: path,
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constantFrom('remove' as const, 'ignore' as const), path }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('rename' as const), path, to: path }) },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constantFrom('branch' as const, 'merge' as const, 'rebase' as const, 'force' as const),
      branch,
    }),
  },
  { weight: 1, arbitrary: fc.constant({ kind: 'back' as const }) },
);

function document([subject, object]: readonly [string, string], to: string): string {
  return `# ${subject}\n\nA ${subject} belongs to a ${object}. See [more](/${to}).\n\n## Relationships\n\n- ${subject} requires ${object}\n`;
}

/** Git refuses some of these: then nothing happens. */
function take(git: GitSandbox, step: Step): void {
  const attempt = (...command: string[]) => {
    try {
      git.git(...command);
      return true;
    } catch {
      return false;
    }
  };
  switch (step.kind) {
    case 'write':
      git.write(step.path, document(step.things, step.to));
      git.commit(`write ${step.path}`);
      break;
    case 'remove':
      if (attempt('rm', '-q', step.path)) git.commit(`remove ${step.path}`);
      break;
    case 'ignore':
      git.write('.kgraphfsignore', `${step.path}\n`);
      git.commit(`ignore ${step.path}`);
      break;
    case 'rename':
      if (attempt('mv', '-k', step.path, step.to)) git.commit(`rename ${step.path}`);
      break;
    case 'branch':
      if (!attempt('checkout', '-q', step.branch)) attempt('checkout', '-q', '-b', step.branch);
      break;
    case 'merge':
      if (!attempt('merge', '-q', '--no-edit', step.branch)) attempt('merge', '--abort');
      break;
    case 'rebase':
      if (!attempt('rebase', '-q', step.branch)) attempt('rebase', '--abort');
      break;
    case 'force':
      attempt('branch', '-f', step.branch, 'HEAD~1');
      break;
    case 'back':
      attempt('reset', '-q', '--hard', 'HEAD~1');
  }
}

t.test(
  'whatever became of a repository, the graph is the one that its commit gives, then and later',
  async (t) => {
    fc.assert(
      fc.property(fc.array(step, { minLength: 4, maxLength: 14 }), (steps) => {
        const git = new GitSandbox(t);
        git.write('charges.md', document(['Charge', 'Customer'], 'refunds.md'));
        git.commit('first');
        const opened = openCommits(git, 'commits.sqlite');
        const expected = new Map<string, Map<string, string>>();
        try {
          for (const step of steps) {
            take(git, step);
            const commit = git.git('rev-parse', 'HEAD');
            opened.graph.bringTo(commit);
            if (!expected.has(commit)) expected.set(commit, pagesOfRebuild(git, commit));
            assertSame(pagesOf(opened.store), expected.get(commit));
          }
          for (const { commit } of opened.graph.log()) {
            if (!expected.has(commit)) expected.set(commit, pagesOfRebuild(git, commit));
          }
          const names = new Set([...expected.values()].flatMap((pages) => [...pages.keys()]));
          for (const [commit, pages] of expected) assertSame(pastPages(opened, commit, names), pages);
        } finally {
          opened.store.close();
        }
      }),
      { numRuns: 6 },
    );
  },
);

function assertSame(found: Map<string, string>, wanted: Map<string, string> | undefined): void {
  const lines = (pages: Map<string, string> | undefined) =>
    [...(pages ?? [])].sort().map(([name, page]) => `${name}\n${page}`);
  const [a, b] = [lines(found).join('\n'), lines(wanted).join('\n')];
  if (a !== b) throw new Error(`found:\n${a}\nwanted:\n${b}`);
}
