import t from 'tap';
import { searched } from './searched.ts';

/** A page of which each version says the same in other words, so that none is a copy of another. */
function jobs(says: string): string {
  return `---\ntitle: Background jobs\n---\n\nA background job is stopped by its name. ${says}\n`;
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
