import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Test } from 'tap';

/** Variables under which Git knows nothing of this machine's user, and always the same author. */
function gitVariables(home: string): NodeJS.ProcessEnv {
  const { PATH, NODE_OPTIONS } = process.env;
  return {
    PATH,
    NODE_OPTIONS,
    HOME: home,
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_AUTHOR_NAME: 'Ana',
    GIT_AUTHOR_EMAIL: 'ana@example.org',
    GIT_COMMITTER_NAME: 'Ana',
    GIT_COMMITTER_EMAIL: 'ana@example.org',
  };
}

/** Keys of a configuration that name a program. */
const RUN_BY_GIT = [
  'core.fsmonitor',
  'core.pager',
  'pager.log',
  'pager.blame',
  'diff.external',
  'diff.trap.textconv',
  'diff.trap.command',
  'filter.trap.smudge',
  'filter.trap.clean',
  'gpg.program',
  'core.sshCommand',
  'core.editor',
];

/** A repository in a folder of its own, removed when the test ends. */
export class GitSandbox {
  folder: string;
  readonly variables: NodeJS.ProcessEnv;
  #seconds = 1_700_000_000;

  constructor(t: Test) {
    this.folder = realpathSync(mkdtempSync(join(tmpdir(), 'kgraphfs-git-')));
    t.teardown(() => rmSync(this.folder, { recursive: true, force: true }));
    this.variables = gitVariables(this.folder);
    this.git('init', '-q', '-b', 'main');
    // Nothing is tidied behind a command's back, in a folder that is being removed.
    this.git('config', 'maintenance.auto', 'false');
  }

  /** Runs Git at the top of the repository; each call is a second after the one before. */
  git(...command: string[]): string {
    this.#seconds += 1;
    const date = `${this.#seconds} +0000`;
    return execFileSync('git', command, {
      cwd: this.folder,
      env: { ...this.variables, GIT_AUTHOR_DATE: date, GIT_COMMITTER_DATE: date },
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
    }).trim();
  }

  /** The same, of a command that may fail. */
  attempt(...command: string[]): { status: number | null; stderr: string } {
    const { status, stderr } = spawnSync('git', command, {
      cwd: this.folder,
      env: this.variables,
      encoding: 'utf8',
    });
    return { status, stderr };
  }

  /**
   * Makes two commits of `a.md`, and has all that a repository's configuration can name run a program which leaves a file behind.
   * @returns the commits, and that file
   */
  trapped(): { first: string; second: string; trap: string } {
    const trap = join(this.folder, 'trap');
    this.write('a.md', '# A\n');
    this.write('.gitattributes', '*.md diff=trap filter=trap\n');
    const first = this.commit('first');
    this.write('a.md', '# A changed\n');
    const second = this.commit('second');
    for (const name of RUN_BY_GIT) this.git('config', name, `touch ${trap}; false`);
    this.git('config', 'log.showSignature', 'true');
    return { first, second, trap };
  }

  /** Moves all of it elsewhere. */
  move(): void {
    const moved = `${this.folder}-moved`;
    renameSync(this.folder, moved);
    this.folder = moved;
  }

  write(path: string, text: string | Uint8Array): void {
    const file = join(this.folder, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }

  remove(path: string): void {
    rmSync(join(this.folder, path));
  }

  /** Commits all there is. @returns the name of the commit */
  commit(subject: string): string {
    this.git('add', '-A');
    this.git('commit', '-q', '--allow-empty', '-m', subject);
    return this.git('rev-parse', 'HEAD');
  }
}
