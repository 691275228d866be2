import t from 'tap';
import { searched } from './searched.ts';

/** A page of which each version says something of its own, so that none is a copy of another. */
function jobs(says: string): string {
  return `---\ntitle: Background jobs\n---\n\nA background job is stopped by its name, or by the queue in which it waits for a worker. ${says}\n`;
}

const PAGES = {
  'reference/5.1/jobs.md': jobs('Stop a job, stop a background job, by the name of the job: Stop-Job.'),
  'reference/7.2/jobs.md': jobs('Workers are told first, and ended after a minute.'),
  'reference/7.10/jobs.md': jobs('Whoever waits for its answer gets none.'),
  'guides/queues.md': '# Queues\n\nA background job that waits in a queue is stopped with it, or by name.\n',
};
const QUESTION = 'how do I stop a background job by name';

t.test(
  'of the versions of a page the newest comes first, and what else answers before the others',
  async (t) => {
    const { paths } = await searched(t, PAGES);
    const found = await paths(QUESTION, { scope: '/docs' });
    t.equal(found[0], '/docs/reference/7.10/jobs.md');
    t.ok(found.indexOf('/docs/guides/queues.md') < found.indexOf('/docs/reference/5.1/jobs.md'));
    t.strictSame(
      found.toSorted(),
      Object.keys(PAGES)
        .map((path) => `/docs/${path}`)
        .toSorted(),
      'all are found',
    );
  },
);

t.test('the version that a question names comes first', async (t) => {
  const { paths } = await searched(t, PAGES);
  const [first] = await paths(`${QUESTION} in 7.2`, { scope: '/docs' });
  t.equal(first, '/docs/reference/7.2/jobs.md');
});

t.test('pages of other titles are no versions of one another', async (t) => {
  const { paths } = await searched(t, {
    'v1/start.md': '# Stop a background job by name\n\nA job has a name, by which it is stopped.\n',
    'v2/start.md': '# Move to another host\n\nJobs are stopped before.\n',
  });
  const [first] = await paths(QUESTION, { scope: '/docs' });
  t.equal(first, '/docs/v1/start.md');
});

t.test('a version is named as people write it, with or without the parts that follow', async (t) => {
  const { paths } = await searched(t, {
    'v1_2/jobs.md': jobs('Workers are told first.'),
    'v1_3/jobs.md': jobs('Workers are ended after a minute.'),
    '3.1/jobs.md': jobs('Whoever waits gets no answer.'),
    'version-4.0/jobs.md': jobs('Nobody waits any more.'),
  });
  const firstOf = async (question: string) => (await paths(question, { scope: '/docs' }))[0];
  t.equal(await firstOf(`${QUESTION} in 1.3`), '/docs/v1_3/jobs.md');
  t.equal(await firstOf(`${QUESTION} in version 3`), '/docs/3.1/jobs.md');
  t.equal(await firstOf(`${QUESTION} in 3.1.4`), '/docs/3.1/jobs.md');
});

t.test(
  'pages of one name that tell of other things are no versions, and the one that answers stays first',
  async (t) => {
    const { paths } = await searched(t, {
      'api/v1/overview.md':
        '# Overview\n\nThe REST API takes JSON. Each request is signed with an HMAC of its body, and the signature stands in the header `X-Sign`.\n',
      'api/v2/overview.md': '# Overview\n\nThe GraphQL API has one address. A request has a bearer token.\n',
      'guides/hooks.md': '# Hooks\n\nA webhook is a request that has a signature.\n',
    });
    const firstOf = async (question: string) => (await paths(question, { scope: '/docs' }))[0];
    t.equal(await firstOf('which header has the signature of the request'), '/docs/api/v1/overview.md');
    t.equal(
      await firstOf('what has a request of v2 in place of a signature'),
      '/docs/api/v2/overview.md',
      'unless the question names one',
    );
  },
);

t.test('notes of a month are no version of those of another, however alike', async (t) => {
  const notes = (limit: number, month: string) =>
    `# Notes\n\nPresent were Ana, Bo and Cy. The limit of refunds of ${month} is ${limit} euros, and Bo looks at those beyond it.\n`;
  const { paths } = await searched(t, {
    '2031-03/notes.md': notes(500, 'March'),
    '2031-04/notes.md': notes(700, 'April'),
    '2031-05/notes.md': notes(900, 'May'),
  });
  const [first] = await paths('what was the limit of refunds in March', { scope: '/docs' });
  t.equal(first, '/docs/2031-03/notes.md');
});

t.test(
  'a page that only an older version has comes behind one of the newest that answers nearly as well',
  async (t) => {
    const needs = 'Behind a proxy the server needs the header with the host.';
    const old = `# Proxies\n\n${needs}\n`;
    const latest = `# Servers and proxies\n\n${needs} Its port is 80 unless another number stands in the settings, and the log says more.\n`;
    const firstOf = async (pages: Readonly<Record<string, string>>, question: string) =>
      (await (await searched(t, pages)).paths(question, { scope: '/docs' }))[0];
    const asked = 'which header does the server need behind a proxy';
    // A page that both have makes them versions of the same docs.
    const inBoth = '# Ports\n\nThe port of the server stands in the settings.\n';
    const numbered = {
      '2.8/proxies.md': old,
      '2.8/ports.md': inBoth,
      '3.1/server.md': latest,
      '3.1/ports.md': inBoth,
    };
    t.equal(await firstOf(numbered, asked), '/docs/3.1/server.md');
    t.equal(
      await firstOf(
        {
          ...numbered,
          '2.7/hosts.md':
            '# Logs\n\nEach header is in the log, in a line of its own with the number of the port and the names of all hosts.\n',
        },
        asked,
      ),
      '/docs/3.1/server.md',
      'also where a still older one is found behind it',
    );
    t.equal(
      await firstOf(numbered, `${asked} in 2.8`),
      '/docs/2.8/proxies.md',
      'unless the question names it',
    );
    t.equal(
      await firstOf(
        {
          'versioned_docs/version-2.8/proxies.md': old,
          'versioned_docs/version-2.8/ports.md': inBoth,
          'docs/server.md': latest,
          'docs/ports.md': inBoth,
        },
        asked,
      ),
      '/docs/docs/server.md',
    );
    t.equal(
      await firstOf(
        {
          '2.8/proxies.md': old,
          '2.8/ports.md': inBoth,
          '3.1/server.md': latest,
          '3.1/numbers.md': inBoth,
        },
        asked,
      ),
      '/docs/2.8/proxies.md',
      'chapters may have such names, too, and no page in common',
    );
    t.equal(
      await firstOf(
        {
          'hosts/2.8/proxies.md': old,
          'hosts/2.8/ports.md': inBoth,
          'clients/3.1/server.md': latest,
          'clients/3.1/ports.md': inBoth,
        },
        asked,
      ),
      '/docs/hosts/2.8/proxies.md',
      'another product has versions of its own',
    );
  },
);
