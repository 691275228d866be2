/** `learning.json` in a state folder: what was learnt from use. */
import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { EXIT, reasonOf, systemCodeOf, UserError } from '../core/errors.ts';
import { PRIVATE_FILE_MODE } from '../core/file-modes.ts';
import type { CountsByRule, RuleCounts } from '../core/rule-counts.ts';
import { isOfFailedDisk, SEE_KERNEL } from '../disk/disk-remedy.ts';
import { UnreadableFileError, whyUnreadable } from '../disk/unreadable-file.ts';
import { writeWholeFile } from '../disk/whole-file.ts';

const judgedSchema = z.strictObject({
  verdict: z.enum(['confirmed', 'rejected']),
  /** Codes of the rules that read what was judged, each once. */
  rules: z.array(z.string().max(100)).max(100),
});

const ledgerSchema = z.strictObject({
  version: z.literal(1),
  /** Judgements, by what was judged: an entry of memory, and the edge that it states or denies. The last judgement of each counts. */
  judged: z.record(z.string(), judgedSchema),
  /** Judgements from before this time no longer count. Milliseconds since 1970. */
  rules_since_ms: z.number(),
  /**
   * Paths of the graph that were proposed, by the keys of their entries. Each is proposed once, unless the docs lost it before anybody had decided
   * (`withdrawn`).
   */
  proposed: z.record(z.string(), z.enum(['proposed', 'withdrawn'])),
  /** Use from before this time no longer counts. */
  paths_since_ms: z.number(),
});

export type LearningLedger = z.infer<typeof ledgerSchema>;
export type Judged = z.infer<typeof judgedSchema>;

/** Beyond this number the oldest are dropped: what was judged long ago says less about rules that have changed since. */
const MAX_JUDGED = 5000;

export function emptyLedger(): LearningLedger {
  return { version: 1, judged: {}, rules_since_ms: 0, proposed: {}, paths_since_ms: 0 };
}

/** Empty if there is no file. @throws UnreadableFileError if the file cannot be read; UserError if it is not one of ours */
export function readLedger(file: string): LearningLedger {
  const text = textOf(file);
  if (text === undefined) return emptyLedger();
  try {
    return ledgerSchema.parse(JSON.parse(text));
  } catch (error) {
    const why = error instanceof z.ZodError ? z.prettifyError(error) : reasonOf(error);
    throw new UserError(
      `${file}: what was learnt cannot be read (${why}); begin anew with kgraphfs learn reset`,
      EXIT.failed,
      {
        cause: error,
      },
    );
  }
}

function textOf(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    const code = systemCodeOf(error);
    if (code === undefined) throw error;
    if (code === 'ENOENT') return undefined;
    const reason = reasonOf(error);
    const ofDisk = isOfFailedDisk(code) ? { reason, remedy: SEE_KERNEL } : undefined;
    throw new UnreadableFileError(file, whyUnreadable(file, reason, ofDisk), error);
  }
}

/**
 * As `readLedger`, but empty also if the file is not one of ours. @throws UnreadableFileError if the file cannot be read, which says nothing about its content
 */
export function ledgerOrNone(file: string): LearningLedger {
  try {
    return readLedger(file);
  } catch (error) {
    if (error instanceof UserError && !(error instanceof UnreadableFileError)) return emptyLedger();
    throw error;
  }
}

/** Replaces the file as a whole. Only the latest five thousand judgements are kept. @throws the disk's error */
export function writeLedger(file: string, ledger: LearningLedger): void {
  const judged = Object.fromEntries(Object.entries(ledger.judged).slice(-MAX_JUDGED));
  writeWholeFile(file, `${JSON.stringify({ ...ledger, judged }, undefined, 1)}\n`, PRIVATE_FILE_MODE);
}

/** Runs a body while no other process runs one, as the transactions of a store do. */
export type Exclusively = (body: () => void) => void;

/**
 * Changes the file on the basis of its present content, so that what another process has learnt meanwhile stays.
 * @throws UserError if it cannot be read, or is not one of ours; the disk's error
 */
export function changeLedger(
  file: string,
  exclusively: Exclusively,
  change: (now: LearningLedger) => LearningLedger,
): void {
  exclusively(() => {
    const now = readLedger(file);
    const changed = change(now);
    if (JSON.stringify(changed) !== JSON.stringify(now)) writeLedger(file, changed);
  });
}

/** How often each rule was confirmed and rejected. It is a sum, so the order of judgements makes no difference. */
export function ruleCounts({ judged }: Pick<LearningLedger, 'judged'>): CountsByRule {
  const counts = new Map<string, RuleCounts>();
  for (const { verdict, rules } of Object.values(judged)) {
    for (const rule of rules) {
      const { confirmed, rejected } = counts.get(rule) ?? { confirmed: 0, rejected: 0 };
      const isConfirmed = verdict === 'confirmed';
      counts.set(rule, {
        confirmed: confirmed + Number(isConfirmed),
        rejected: rejected + Number(!isConfirmed),
      });
    }
  }
  return Object.fromEntries(counts);
}

/**
 * Forgets what was learnt: judgements and use from before now no longer count, and what was proposed may be proposed again.
 * @throws UnreadableFileError if the file cannot be read, since then the parts that are to stay would be lost; the disk's error
 */
export function forgetLearnt(
  file: string,
  what: { readonly rules: boolean; readonly paths: boolean },
  nowMs: number,
  exclusively: Exclusively,
): void {
  exclusively(() =>
    writeLedger(file, {
      ...ledgerOrNone(file),
      ...(what.rules ? { judged: {}, rules_since_ms: nowMs } : {}),
      ...(what.paths ? { proposed: {}, paths_since_ms: nowMs } : {}),
    }),
  );
}
