import { readFileSync } from 'node:fs';
import { z } from 'zod';

/** A text of the mount that answers a question, or part of it. */
export interface Answer {
  /** `/docs/charges/create.md`, `/context/memory/fact/refunds`. */
  readonly path: string;
  /** What a context has to hold, word for word, to answer. Absent where only the file is labelled. */
  readonly holds?: string;
}

/** A question with what answers it. */
export interface LabelledQuestion {
  readonly id: string;
  /** What figures are given for apart: `one-hop`, `two-hop`, `chain`, `memory`. */
  readonly kind: string;
  readonly question: string;
  /** All of them are needed. */
  readonly answers: readonly Answer[];
  /** Paths that answer too, and are passed over: neither right nor wrong. */
  readonly also: readonly string[];
}

const ownSchema = z.object({
  id: z.string(),
  kind: z.string(),
  question: z.string(),
  answers: z.array(z.object({ path: z.string(), holds: z.string() })).min(1),
  also: z.array(z.string()).default([]),
});

const goldSchema = z.object({
  id: z.string(),
  corpus: z.string(),
  question: z.string(),
  gold_files: z.array(z.string()).min(1),
  hops: z.number(),
  also_ok: z.array(z.string()),
});

/** The project's own questions, as in `questions.jsonl`. @throws where a line is no question */
export function ownQuestions(file: string): LabelledQuestion[] {
  return lines(file).map((line) => ownSchema.parse(line));
}

/** Questions by corpus, of a `retrieval.jsonl` that labels files of each corpus. @throws where a line is no question */
export function goldQuestions(file: string): Map<string, LabelledQuestion[]> {
  const inDocs = (path: string) => `/docs/${path}`;
  const byCorpus = new Map<string, LabelledQuestion[]>();
  for (const line of lines(file)) {
    const { id, corpus, question, gold_files: files, hops, also_ok: also } = goldSchema.parse(line);
    const kind = hops === 1 ? 'one-hop' : 'two-hop';
    const answers = files.map((path) => ({ path: inDocs(path) }));
    const questions = byCorpus.get(corpus) ?? [];
    byCorpus.set(corpus, [...questions, { id, kind, question, answers, also: also.map(inDocs) }]);
  }
  return byCorpus;
}

function lines(file: string): unknown[] {
  return readFileSync(file, 'utf8')
    .split('\n')
    .flatMap((line) => (line === '' ? [] : [JSON.parse(line)]));
}
