/** The parts of answers of GitHub's REST API that are shown. */
import { z } from 'zod';

const user = z.looseObject({ login: z.string() }).nullish();
const body = z.string().nullish();

export const issueSchema = z.looseObject({
  number: z.int().positive(),
  title: z.string(),
  state: z.string(),
  user,
  body,
  labels: z
    .array(z.union([z.string().transform((name) => ({ name })), z.looseObject({ name: z.string() })]))
    .default([]),
  comments: z.int().nonnegative().default(0),
  created_at: z.string(),
  updated_at: z.string(),
  closed_at: z.string().nullish(),
  html_url: z.string().default(''),
  /** Present if the issue is a pull request. */
  pull_request: z.unknown().optional(),
});
export type Issue = z.infer<typeof issueSchema>;

export const commentSchema = z.looseObject({
  user,
  body,
  created_at: z.string(),
  issue_url: z.string().default(''),
});
export type Comment = z.infer<typeof commentSchema>;

export const reviewCommentSchema = z.looseObject({
  user,
  body,
  created_at: z.string(),
  path: z.string().default(''),
  line: z.int().nullish(),
  pull_request_url: z.string().default(''),
});
export type ReviewComment = z.infer<typeof reviewCommentSchema>;

const branch = z.looseObject({ ref: z.string() });

export const pullSchema = z.looseObject({
  number: z.int().positive(),
  draft: z.boolean().nullish(),
  merged_at: z.string().nullish(),
  head: branch,
  base: branch,
});
export type Pull = z.infer<typeof pullSchema>;
