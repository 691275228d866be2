/** The module `github`: issues and pull requests of one repository, with their comments, as markdown. */
import { hash } from 'node:crypto';
import { z } from 'zod';
import { GITHUB_URL } from '../../config/modules.ts';
import { jsonText } from '../../core/json-text.ts';
import type { ModuleHost, ModulePlace, ModuleResolver } from '../module.ts';
import { GithubApi } from './github-api.ts';
import { issueText, type Threads } from './github-markdown.ts';
import { commentSchema, type Issue, issueSchema, pullSchema, reviewCommentSchema } from './github-schema.ts';

export const config = z.strictObject({
  /** The repository, such as `torvalds/linux`. */
  repository: z.string().regex(/^[A-Za-z0-9._-]+\/[A-Za-z0-9._-]+$/, 'a repository is named owner/name'),
  /** The address of the REST API. Default: that of github.com. */
  baseUrl: z.url({ protocol: /^https?$/ }).optional(),
  /** How many pages of 100 items are read of each list. Older items can be read by their number. Default 10. */
  pages: z.int().min(1).max(100).optional(),
  /** How many seconds an answer is used before the server is asked again. Default 60. */
  refreshSeconds: z.number().min(1).optional(),
});

const README = `# Issues and pull requests

- issues/<number>.md       an issue with its comments
- pulls/<number>.md        a pull request with its comments and those of reviews
- issues.jsonl, pulls.jsonl  one a line: number, state, title, author, labels, updated_at
- status.json              whether the server answers, as of when this is, what is left of the rate limit,
                           why answers are not kept where the disk takes none

What is older than the lists reach is there by its number, though not listed. Without the network all is as of the last time; each file says so.
`;

export function resolver(settings: z.infer<typeof config>, host: ModuleHost): ModuleResolver {
  return new Repository(settings, host);
}

/** Everything that is listed, as of one moment. */
interface Listed {
  readonly issues: ReadonlyMap<number, Issue>;
  readonly threads: Threads;
}

type Kind = 'issues' | 'pulls';

class Repository implements ModuleResolver {
  readonly #api: GithubApi;
  readonly #refreshMs: number;
  #listed: { readonly promise: Promise<Listed>; readonly atMs: number } | undefined;

  constructor(
    { repository, baseUrl = GITHUB_URL, pages = 10, refreshSeconds = 60 }: z.infer<typeof config>,
    host: ModuleHost,
  ) {
    const url = `${baseUrl.replace(/\/+$/, '')}/repos/${repository}`;
    this.#refreshMs = refreshSeconds * 1000;
    this.#api = new GithubApi({
      url,
      pages,
      refreshMs: this.#refreshMs,
      token: host.secrets['GITHUB_TOKEN'],
      folder: host.stateFolder,
    });
  }

  async at([top, name, ...rest]: readonly string[]): Promise<ModulePlace | undefined> {
    if (rest.length > 0) return undefined;
    if (top === undefined)
      return { folder: ['README.md', 'status.json', 'issues.jsonl', 'pulls.jsonl', 'issues/', 'pulls/'] };
    if (top === 'issues' || top === 'pulls')
      return name === undefined ? this.#folder(top) : this.#file(top, name);
    if (name !== undefined) return undefined;
    switch (top) {
      case 'README.md':
        return { file: README };
      case 'status.json':
        return { file: jsonText(this.#api.status()) };
      case 'issues.jsonl':
        return this.#lines('issues');
      case 'pulls.jsonl':
        return this.#lines('pulls');
      default:
        return undefined;
    }
  }

  /** Changes whenever an item does: a new comment gives its item a new time, too. */
  async revision(): Promise<string> {
    const { issues } = await this.#lists();
    const items = [...issues.values()].map(
      ({ number, updated_at, comments }) => `${number} ${updated_at} ${comments}`,
    );
    return hash('sha1', items.join('\n'));
  }

  async #folder(kind: Kind): Promise<ModulePlace> {
    return { folder: (await this.#of(kind)).map(({ number }) => `${number}.md`) };
  }

  async #lines(kind: Kind): Promise<ModulePlace> {
    const lines = (await this.#of(kind)).map(({ number, state, title, user, labels, updated_at }) =>
      JSON.stringify({
        number,
        state,
        title,
        author: user?.login ?? null,
        labels: labels.map(({ name }) => name),
        updated_at,
      }),
    );
    return { file: lines.map((line) => `${line}\n`).join('') };
  }

  async #file(kind: Kind, name: string): Promise<ModulePlace | undefined> {
    const number = Number(/^([1-9]\d{0,9})\.md$/.exec(name)?.[1] ?? Number.NaN);
    if (Number.isNaN(number)) return undefined;
    const listed = await this.#lists();
    const issue = listed.issues.get(number) ?? (await this.#api.one(`/issues/${number}`, issueSchema));
    if (issue === undefined || kindOf(issue) !== kind) return undefined;
    const text = issueText(issue, await this.#threads(issue, listed), this.#api.oldNote());
    const modified = Date.parse(issue.updated_at);
    return { file: text, ...(Number.isNaN(modified) ? {} : { modified }) };
  }

  /** If the lists do not have all comments of an issue, the server is asked for the comments of that one. */
  async #threads(issue: Issue, { issues, threads }: Listed): Promise<Threads> {
    const { number } = issue;
    const known = threads.comments.get(number) ?? [];
    const isListed = issues.has(number);
    const comments =
      known.length >= issue.comments
        ? known
        : await this.#api.all(`/issues/${number}/comments`, commentSchema);
    const isPull = kindOf(issue) === 'pulls';
    const pull =
      threads.pulls.get(number) ?? (isPull ? await this.#api.one(`/pulls/${number}`, pullSchema) : undefined);
    const reviews =
      isPull && !isListed
        ? await this.#api.all(`/pulls/${number}/comments`, reviewCommentSchema)
        : (threads.reviews.get(number) ?? []);
    return {
      comments: new Map([[number, comments]]),
      reviews: new Map([[number, reviews]]),
      pulls: new Map(pull === undefined ? [] : [[number, pull]]),
    };
  }

  async #of(kind: Kind): Promise<Issue[]> {
    const { issues } = await this.#lists();
    return [...issues.values()].filter((issue) => kindOf(issue) === kind).sort((a, b) => b.number - a.number);
  }

  #lists(): Promise<Listed> {
    if (this.#listed !== undefined && performance.now() - this.#listed.atMs < this.#refreshMs)
      return this.#listed.promise;
    const promise = this.#read();
    this.#listed = { promise, atMs: performance.now() };
    promise.catch(() => {
      this.#listed = undefined;
    });
    return promise;
  }

  async #read(): Promise<Listed> {
    const [issues, comments, pulls, reviews] = await Promise.all([
      this.#api.all('/issues?state=all&sort=updated&direction=desc', issueSchema),
      this.#api.all('/issues/comments?sort=updated&direction=desc', commentSchema),
      this.#api.all('/pulls?state=all&sort=updated&direction=desc', pullSchema),
      this.#api.all('/pulls/comments?sort=updated&direction=desc', reviewCommentSchema),
    ]);
    return {
      issues: new Map(issues.map((issue) => [issue.number, issue])),
      threads: {
        comments: byNumber(comments, ({ issue_url }) => issue_url),
        reviews: byNumber(reviews, ({ pull_request_url }) => pull_request_url),
        pulls: new Map(pulls.map((pull) => [pull.number, pull])),
      },
    };
  }
}

function kindOf({ pull_request }: Issue): Kind {
  return pull_request === undefined || pull_request === null ? 'issues' : 'pulls';
}

/** Items by the number of the issue that an address ends with. */
function byNumber<Item>(items: readonly Item[], urlOf: (item: Item) => string): Map<number, Item[]> {
  const groups = new Map<number, Item[]>();
  for (const item of items) {
    const url = urlOf(item);
    const number = Number(url.slice(url.lastIndexOf('/') + 1));
    const group = groups.get(number);
    if (group === undefined) groups.set(number, [item]);
    else group.push(item);
  }
  return groups;
}
