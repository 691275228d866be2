import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { type App, openApp } from '../../src/app/app.ts';
import { loadSettings } from '../../src/config/settings.ts';
import type { Switches } from '../../src/retrieval/engine.ts';
import { parseQuery } from '../../src/retrieval/language/parse-query.ts';
import { DEFAULT_EMBEDDING_BATCH, DEFAULT_QUESTION_TIMEOUT_MS } from '../../src/settings/embeddings.ts';

const PROGRAM = resolve('dist/cli/main.js');
/** The vectors come from a test server, which makes the same ones for every model. */
const MODEL = 'words';
/** So many hits are in more than ten files. */
const HITS = 60;

const run = promisify(execFile);

/** Docs, and possibly memories, indexed in a state folder of their own. */
export interface IndexedCorpus {
  open(switches?: Partial<Switches>): App;
  close(): void;
}

export interface CorpusSource {
  readonly docs: string;
  /** A file of JSON lines to import. */
  readonly memories?: string;
  /** An OpenAI-compatible API that makes the vectors. */
  readonly embeddingsUrl: string;
}

/** Builds the index with the program itself. @throws if that fails */
export async function indexCorpus(source: CorpusSource): Promise<IndexedCorpus> {
  const { memories, embeddingsUrl } = source;
  const docs = resolve(source.docs);
  const state = mkdtempSync(join(tmpdir(), 'kgraphfs-eval-'));
  const at = ['--docs', docs, '--state', state];
  const kgraphfs = (...args: string[]) => run(process.execPath, [PROGRAM, ...args, ...at], { cwd: tmpdir() });
  if (memories !== undefined) await kgraphfs('context', 'memory', 'import', resolve(memories));
  await kgraphfs('build', '--embed', '--embeddings-url', embeddingsUrl, '--embeddings-model', MODEL);
  const settings = loadSettings({ docs: [docs], state }, tmpdir());
  return {
    open: (switches = {}) =>
      openApp({
        settings,
        audit: false,
        searchSwitches: switches,
        ...(switches.vector === true
          ? {
              embeddings: {
                model: MODEL,
                baseUrl: embeddingsUrl,
                batchSize: DEFAULT_EMBEDDING_BATCH,
                memory: true,
                questionTimeoutMs: DEFAULT_QUESTION_TIMEOUT_MS,
              },
            }
          : {}),
      }),
    close: () => rmSync(state, { recursive: true, force: true }),
  };
}

/** The paths that an app finds, best first. @param scope a path of the mount */
export async function pathsFound(app: App, question: string, scope: string): Promise<string[]> {
  const { hits } = await app.search.search(parseQuery(question), { limit: HITS, scope });
  return hits.map(({ path }) => path);
}
