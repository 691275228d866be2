import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import t from 'tap';
import { randomNumbers } from '../../scripts/corpus.ts';
import { needsFuse } from '../fuse/fuse-available.ts';
import { DEFAULT_DRIVER, DRIVERS } from '../support/drivers.ts';
import type { Teardown } from '../support/temporary.ts';
import type { CrashReport } from './crash-writer.ts';
import { type LiveMount, Place, shell } from './place.ts';

const PROGRAM = fileURLToPath(new URL('./crash-writer.js', import.meta.url));
/** Kills of a daemon in all, as many as a few seconds allow: `make soak` has more of them. */
const ROUNDS = Number(process.env['KGRAPHFS_CRASH_ROUNDS'] ?? 8);
/** Another seed has other kills at other moments. */
const SEED = Number(process.env['KGRAPHFS_CRASH_SEED'] ?? Date.now() % 1_000_000);
/** State folders that are tried at the same time, each with the next driver: most of a round is waiting for a daemon to begin. */
const LANES = 2;
const LIMIT_MS = 120_000 + ROUNDS * 8000;
/** All of them append to this one; see crash-writer.ts. */
const SHARED_LOG = 'shared-log';
/** With so many, a flush that is left out once in fifty times shows in nearly every run. */
const MOST_ACKNOWLEDGED = 600;
const RESUME_EVERY = 5;

/** A program that writes; see crash-writer.ts. */
class Writer {
  readonly #child: ChildProcess;
  readonly #lines: AsyncIterator<string>;
  readonly #folderOf: (mount: LiveMount) => string;
  readonly log: string;

  constructor(
    t: Teardown,
    logs: string,
    kind: 'memory' | 'scratchpad',
    name: string,
    seed: number,
    more: readonly 'copies'[] = [],
  ) {
    this.log = join(logs, name);
    writeFileSync(this.log, '');
    this.#folderOf = (mount) => (kind === 'memory' ? mount.memory : mount.scratchpad);
    const args = [PROGRAM, kind, name, String(seed), this.log, ...more];
    this.#child = spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'inherit'] });
    const ended = once(this.#child, 'exit');
    t.teardown(async () => {
      this.#child.kill('SIGKILL');
      await ended;
    });
    const { stdout } = this.#child;
    if (stdout === null) throw new Error('the output of the writer is not read');
    this.#lines = createInterface(stdout)[Symbol.asyncIterator]();
  }

  /** Looks whether all is there that was acknowledged. */
  look(mount: LiveMount): Promise<CrashReport> {
    return this.#tell('look', mount, () => {});
  }

  /** Writes until the mount dies. @param onAcknowledged after each change */
  write(mount: LiveMount, onAcknowledged: () => void): Promise<CrashReport> {
    return this.#tell('write', mount, onAcknowledged);
  }

  async #tell(what: 'look' | 'write', mount: LiveMount, onAcknowledged: () => void): Promise<CrashReport> {
    this.#child.stdin?.write(`${what} ${this.#folderOf(mount)}\n`);
    for (;;) {
      const { done, value } = await this.#lines.next();
      if (done) throw new Error('the writer has ended');
      if (value !== '.') return JSON.parse(value);
      onAcknowledged();
    }
  }

  /** How often each path was acknowledged to be written. */
  acknowledged(): Map<string, number> {
    const counts = new Map<string, number>();
    for (const path of readFileSync(this.log, 'utf8').split('\n').slice(0, -1))
      counts.set(path, (counts.get(path) ?? 0) + 1);
    return counts;
  }
}

/** Mounts again where the last one died; now and then by way of `session resume`. */
async function goOn(place: Place, round: number, session: string | undefined): Promise<LiveMount> {
  if (session === undefined) return place.mount('ctx');
  if (round % RESUME_EVERY !== 0) return place.mount('ctx', '--session', session);
  await place.kgraphfs('session', 'resume', session);
  return place.mount('ctx');
}

function problemsOf(reports: readonly CrashReport[]): string[] {
  return reports.flatMap(({ problems }) => [...problems]);
}

/** What the history should tell, and does not. */
async function missingIn(mount: LiveMount, writers: readonly Writer[]): Promise<string[]> {
  const history = await mount.history();
  const entered = new Map<string, number>();
  for (const { event_type, path, data } of history) {
    const to = event_type === 'rename' ? String(data?.['to']) : path;
    if (!['create', 'write', 'rename'].includes(event_type) || to === undefined) continue;
    entered.set(to, (entered.get(to) ?? 0) + 1);
  }
  const expected = new Map<string, number>();
  for (const writer of writers) {
    for (const [path, count] of writer.acknowledged()) {
      // Temporary files of editors are no memories, and nobody asks for their history.
      if (!path.endsWith('.tmp')) expected.set(path, (expected.get(path) ?? 0) + count);
    }
  }
  const ofLog = history.findLast(
    ({ path, event_type }) => path === `/context/memory/fact/${SHARED_LOG}` && event_type !== 'read',
  );
  const { output } = await shell('! [ -e "$1" ] || sha256sum < "$1"', join(mount.memory, SHARED_LOG));
  if (output.split(' ')[0] !== (ofLog?.data?.['sha256'] ?? ''))
    return [`${SHARED_LOG} is not as it was entered last`];
  return [...expected].flatMap(([path, count]) => {
    const found = entered.get(`/context/memory/fact/${path}`) ?? 0;
    return found >= count ? [] : [`${path} was written ${count} times, and ${found} of them are entered`];
  });
}

t.jobs = LANES;
t.setTimeout(LIMIT_MS);
for (let lane = 0; lane < LANES; lane += 1) {
  const driver = DRIVERS[lane % DRIVERS.length] ?? DEFAULT_DRIVER;
  t.test(
    `a daemon that is killed again and again loses nothing (${lane + 1}, ${driver})`,
    { ...needsFuse(), buffered: true, timeout: LIMIT_MS },
    async (t) => {
      const rounds = Math.ceil((ROUNDS - lane) / LANES);
      const seed = SEED + lane;
      const random = randomNumbers(seed);
      const logs = mkdtempSync(join(tmpdir(), 'kgraphfs-crash-'));
      t.teardown(() => rmSync(logs, { recursive: true }));
      const place = new Place(t, driver);
      // With fuse-native, the removal of an open file is carried out a moment after its answer.
      const more = driver === DEFAULT_DRIVER ? (['copies'] as const) : [];
      const remembering = ['ana', 'ben'].map(
        (name, index) => new Writer(t, logs, 'memory', name, seed * 10 + index, more),
      );
      const scribbling = new Writer(t, logs, 'scratchpad', 'pad', seed * 10 + 2);
      const writers = [...remembering, scribbling];
      let session: string | undefined;
      let total = 0;
      for (let round = 0; round <= rounds; round += 1) {
        const mount = await goOn(place, round, session);
        if (session !== undefined) t.equal(mount.session, session);
        session = mount.session;
        const found = problemsOf(await Promise.all(writers.map((writer) => writer.look(mount))));
        t.same(found, [], `round ${round}: content`);
        t.same(await missingIn(mount, remembering), [], `round ${round}: history`);
        writeFileSync(
          join(place.docs, `${round % 10}.md`),
          `# Order ${round}\n\nAn Order requires a Charge.\n`,
        );
        const killAfter = 1 + Math.floor(random() * MOST_ACKNOWLEDGED);
        let acknowledged = 0;
        let killed: Promise<void> | undefined;
        const kill = () => {
          killed ??= mount.kill();
        };
        const reports = await Promise.all(
          writers.map(async (writer) => {
            const report = await writer.write(mount, () => {
              acknowledged += 1;
              if (acknowledged >= killAfter) kill();
            });
            // One that was refused something writes no more.
            kill();
            return report;
          }),
        );
        await killed;
        t.same(problemsOf(reports), [], `round ${round}, killed after ${killAfter}`);
        t.equal(place.integrityOf('context.sqlite'), 'ok');
        t.equal(place.integrityOf('index.sqlite'), 'ok');
        for (const report of reports) total += report.acknowledged;
      }
      t.comment(`seed ${seed}: ${rounds} kills looked after, ${total} acknowledged changes`);
    },
  );
}
