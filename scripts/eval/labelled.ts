import { readFileSync } from 'node:fs';
import { z } from 'zod';

/** A text of the mount that answers a question, or a part of it. */
export interface Answer {
  /** `/docs/charges/create.md`, `/context/memory/fact/refunds`. */
  readonly path: string;
  /** The words that a context has to contain, verbatim, to answer. Absent if only the file is labelled. */
  readonly holds?: string;
}

/** A question with its answers. */
export interface LabelledQuestion {
  readonly id: string;
  /** The kind of question, by which figures are separated: `one-hop`, `two-hop`, `chain`, `memory`. */
  readonly kind: string;
  readonly question: string;
  /** All of them are needed for the answer. */
  readonly answers: readonly Answer[];
  /** Paths that answer as well. They are ignored: neither right nor wrong. */
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

/** The project's own questions, in the form of `questions.jsonl`. @throws if a line is no question */
export function ownQuestions(file: string): LabelledQuestion[] {
  return lines(file).map((line) => ownSchema.parse(line));
}

/** Questions by corpus, from a `retrieval.jsonl` that labels files of each corpus. @throws if a line is no question */
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
