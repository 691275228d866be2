import type { App } from '../../src/app/app.ts';
import type { Switches } from '../../src/retrieval/engine.ts';
import { type IndexedCorpus, pathsFound } from './corpus.ts';
import type { LabelledQuestion } from './labelled.ts';
import { type Quality, qualityOf } from './measures.ts';
import type { PlainSearch } from './plain.ts';

/** A way of searching: returns the paths that answer a question, best first. */
export interface Way {
  readonly name: string;
  readonly search: (question: LabelledQuestion) => Promise<string[]>;
}

/** What one way found for each question, and how long each took. */
export interface Answered {
  readonly name: string;
  readonly found: ReadonlyMap<string, readonly string[]>;
  readonly ms: readonly number[];
}

const PLAIN = 'sections in FTS5, BM25';
const PLAIN_HITS = 60;
const OFF: Switches = { thesaurus: false, feedback: false, graph: false, vector: false };
/** Each step includes the one before it. */
const STEPS: readonly (readonly [string, Switches])[] = [
  ['keyword', OFF],
  ['+ feedback', { ...OFF, feedback: true }],
  ['+ thesaurus', { ...OFF, feedback: true, thesaurus: true }],
  ['+ graph', { ...OFF, feedback: true, thesaurus: true, graph: true }],
  ['+ vectors', { feedback: true, thesaurus: true, graph: true, vector: true }],
];
export const WITHOUT_GRAPH = '+ thesaurus';
export const WITHOUT_MODEL = '+ graph';

/** Asks all questions in all ways. */
export async function askAll(
  corpus: IndexedCorpus,
  plain: PlainSearch,
  questions: readonly LabelledQuestion[],
): Promise<Answered[]> {
  const flat: Way = {
    name: PLAIN,
    search: async ({ question, kind }) => {
      const below = scopeOf(kind);
      const sections = plain.search(question, Number.MAX_SAFE_INTEGER);
      return sections
        .map(({ path }) => path)
        .filter((path) => path.startsWith(below))
        .slice(0, PLAIN_HITS);
    },
  };
  const answered = [await askIn(flat, questions)];
  for (const [name, switches] of STEPS) {
    const app = corpus.open(switches);
    try {
      answered.push(await askIn(wayOf(name, app), questions));
    } finally {
      app.close();
    }
  }
  return answered;
}

/** @param among counts these questions alone */
export function qualityIn({ found }: Answered, among: readonly LabelledQuestion[]): Quality {
  return qualityOf(among, ({ id }) => found.get(id) ?? []);
}

function wayOf(name: string, app: App): Way {
  return { name, search: ({ question, kind }) => pathsFound(app, question, scopeOf(kind)) };
}

async function askIn({ name, search }: Way, questions: readonly LabelledQuestion[]): Promise<Answered> {
  const found = new Map<string, readonly string[]>();
  const ms: number[] = [];
  for (const question of questions) {
    const startMs = performance.now();
    found.set(question.id, await search(question));
    ms.push(performance.now() - startMs);
  }
  return { name, found, ms };
}

/** Questions about docs are searched in the docs; questions about what was said, in memory. */
function scopeOf(kind: string): string {
  return kind === 'memory' ? '/context/memory' : '/docs';
}
