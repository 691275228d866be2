import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';

/** A REST API of the shape that GitHub's has, on a free port of this machine. What it answers is put in by path. */
export interface GithubServer {
  readonly url: string;
  /** Each as `path?query`, with `304` behind it where nothing had changed. */
  readonly requests: string[];
  /** The value of the header `authorization`, of each request. */
  readonly tokens: (string | undefined)[];
  /** Lists, in pages of two, and single things. */
  readonly answers: Map<string, unknown>;
  /** What all further requests get. */
  trouble:
    | { readonly status: number; readonly headers?: Record<string, string>; readonly body?: string }
    | undefined;
  close(): Promise<void>;
}

const PAGE = 2;

export async function startGithubServer(): Promise<GithubServer> {
  const requests: string[] = [];
  const tokens: (string | undefined)[] = [];
  const answers = new Map<string, unknown>();

  function answer(request: IncomingMessage, response: ServerResponse): void {
    const url = new URL(request.url ?? '/', served.url);
    tokens.push(request.headers.authorization);
    const { trouble } = served;
    if (trouble !== undefined) {
      requests.push(`${url.pathname} ${trouble.status}`);
      response.writeHead(trouble.status, trouble.headers).end(trouble.body ?? '{"message": "as scripted"}');
      return;
    }
    const found = answers.get(url.pathname);
    if (found === undefined) {
      requests.push(`${url.pathname} 404`);
      response.writeHead(404).end('{"message": "Not Found"}');
      return;
    }
    const page = Number(url.searchParams.get('page') ?? '1');
    const body = JSON.stringify(Array.isArray(found) ? found.slice((page - 1) * PAGE, page * PAGE) : found);
    const etag = `W/"${Buffer.from(body).toString('base64url').slice(-40)}${body.length}"`;
    const isSame = request.headers['if-none-match'] === etag;
    requests.push(`${url.pathname}?${page}${isSame ? ' 304' : ''}`);
    const hasMore = Array.isArray(found) && found.length > page * PAGE;
    url.searchParams.set('page', String(page + 1));
    response.writeHead(isSame ? 304 : 200, {
      etag,
      'content-type': 'application/json',
      'x-ratelimit-remaining': '4999',
      ...(hasMore ? { link: `<${url.href}>; rel="next", <${url.href}>; rel="last"` } : {}),
    });
    response.end(isSame ? undefined : body);
  }

  const server = createServer(answer);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const served: GithubServer = {
    url: `http://127.0.0.1:${port}`,
    requests,
    tokens,
    answers,
    trouble: undefined,
    async close() {
      if (!server.listening) return;
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
  return served;
}

/** A repository with two issues, a pull request, and what was said of them. */
export function fill({ answers, url }: GithubServer): void {
  const repository = '/repos/acme/pay';
  const said = { created_at: '2026-01-02T00:00:00Z', user: { login: 'bo' } };
  const common = {
    created_at: '2026-01-01T00:00:00Z',
    updated_at: '2026-01-03T00:00:00Z',
    user: { login: 'ana' },
    html_url: `${url}/x`,
  };
  const issue = {
    ...common,
    number: 1,
    title: 'Refunds are slow',
    state: 'open',
    body: 'They take **5** days.\r\nWhy?',
    labels: [{ name: 'bug' }],
    comments: 1,
  };
  const old = {
    ...common,
    number: 2,
    title: 'Closed one',
    state: 'closed',
    body: null,
    labels: ['old'],
    comments: 0,
    closed_at: '2026-01-04T00:00:00Z',
  };
  const pull = {
    ...common,
    number: 3,
    title: 'Faster refunds',
    state: 'closed',
    body: 'Fixes #1',
    labels: [],
    comments: 0,
    pull_request: { url: 'x' },
  };
  const far = {
    ...common,
    number: 99,
    title: 'From long ago',
    state: 'closed',
    body: 'Old.',
    labels: [],
    comments: 1,
  };
  answers.set(`${repository}/issues`, [issue, old, pull]);
  answers.set(`${repository}/issues/99`, far);
  answers.set(`${repository}/issues/99/comments`, [
    { ...said, body: 'Long ago.', issue_url: `${url}${repository}/issues/99` },
  ]);
  answers.set(`${repository}/issues/comments`, [
    { ...said, body: 'Same here.', issue_url: `${url}${repository}/issues/1` },
  ]);
  answers.set(`${repository}/pulls`, [
    {
      ...common,
      number: 3,
      draft: false,
      merged_at: '2026-01-05T00:00:00Z',
      head: { ref: 'fast' },
      base: { ref: 'main' },
    },
  ]);
  answers.set(`${repository}/pulls/comments`, [
    {
      ...said,
      body: 'Nice.',
      path: 'src/refund.ts',
      line: 7,
      pull_request_url: `${url}${repository}/pulls/3`,
    },
  ]);
}
