import { foldSpace } from '../../text/fold-space.ts';
import type { Comment, Issue, Pull, ReviewComment } from './github-schema.ts';

/** Comments by the number of the issue. */
export interface Threads {
  readonly comments: ReadonlyMap<number, readonly Comment[]>;
  readonly reviews: ReadonlyMap<number, readonly ReviewComment[]>;
  readonly pulls: ReadonlyMap<number, Pull>;
}

/**
 * An issue or pull request with all comments, oldest first.
 * @param oldNote says that the text is from an earlier time, if it is
 */
export function issueText(
  issue: Issue,
  { comments, reviews, pulls }: Threads,
  oldNote: string | undefined,
): string {
  const { number, title, body } = issue;
  const said = [
    ...(comments.get(number) ?? []).map((comment) => ({ ...comment, where: 'Comment' })),
    ...(reviews.get(number) ?? []).map((comment) => ({ ...comment, where: reviewPlace(comment) })),
  ].sort((a, b) => (a.created_at < b.created_at ? -1 : 1));
  const parts = [
    `# ${foldSpace(title)} (#${number})`,
    ...(oldNote === undefined ? [] : [`> ${oldNote}`]),
    factsOf(issue, pulls.get(number)).join('\n'),
    textOf(body),
    ...said.flatMap(({ where, user, created_at, body }) => [
      `## ${where} by @${user?.login ?? 'ghost'}, ${created_at}`,
      textOf(body),
    ]),
  ];
  return `${parts.filter((part) => part !== '').join('\n\n')}\n`;
}

function factsOf(
  { state, user, labels, created_at, updated_at, closed_at, html_url }: Issue,
  pull: Pull | undefined,
): string[] {
  const merged = pull?.merged_at;
  return [
    `- state: ${merged ? 'merged' : state}${pull?.draft ? ', draft' : ''}`,
    `- author: @${user?.login ?? 'ghost'}`,
    ...(labels.length === 0 ? [] : [`- labels: ${labels.map(({ name }) => foldSpace(name)).join(', ')}`]),
    ...(pull === undefined
      ? []
      : [`- branches: ${foldSpace(pull.head.ref)} into ${foldSpace(pull.base.ref)}`]),
    `- created: ${created_at}`,
    `- updated: ${updated_at}`,
    ...(closed_at ? [`- closed: ${closed_at}`] : []),
    ...(html_url === '' ? [] : [`- url: ${foldSpace(html_url)}`]),
  ];
}

function reviewPlace({ path, line }: ReviewComment): string {
  return `Review of ${foldSpace(path)}${line ? `:${line}` : ''}`;
}

function textOf(body: string | null | undefined): string {
  return (body ?? '').replaceAll('\r\n', '\n').trim();
}
