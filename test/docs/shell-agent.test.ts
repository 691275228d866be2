import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { z } from 'zod';
import { mountPlace } from '../cli/mount/mount-place.ts';
import { kgraphfs } from '../cli/run-cli.ts';
import { needsFuse } from '../fuse/fuse-available.ts';
import { ShellAgent } from '../support/shell-agent.ts';
import { shellAgentPage } from './shell-agent-page.ts';

const PAGE = 'docs/shell-agent.md';
const Facts = z.object({
  seed: z.object({
    question: z.string(),
    chain: z.array(z.object({ file: z.string(), line: z.number(), source: z.string(), target: z.string() })),
  }),
});
const { seed } = Facts.parse(JSON.parse(readFileSync('test/fixtures/sample-facts.json', 'utf8')));

t.test(
  'an agent that has cat, ls, grep and echo answers the seed question, and remembers it',
  needsFuse(),
  async (t) => {
    const { folder, mountpoint, at } = mountPlace(t);
    t.equal(kgraphfs(['mount', mountpoint, ...at, '--wait']).status, 0);
    const agent = new ShellAgent(mountpoint, join(folder, 'bin'));
    const answer = agent.answer(seed.question);
    for (const { file, line, source, target } of seed.chain) {
      t.ok(answer.includes(`(${file}:${line})`), `${source} leads to ${target}`);
    }
    for (const { command } of agent.turns) t.match(command, /^(?:cat|ls|grep|echo) /);

    const again = new ShellAgent(mountpoint, join(folder, 'bin'));
    t.match(again.answer(seed.question), seed.chain[0]?.file ?? '', 'who asks again finds it in memory');
    t.equal(again.turns.length, 2);
    t.equal(kgraphfs(['unmount', mountpoint]).status, 0);
    const { out } = kgraphfs(['context', 'memory', 'list', '--json', ...at]);
    t.match(out, /"key": "subscription-to-charge-to-webhook"/);

    const page = shellAgentPage(seed.question, agent.turns);
    if (process.env['KGRAPHFS_WRITE_DOCS'] === '1') writeFileSync(PAGE, page);
    t.equal(
      readFileSync(PAGE, 'utf8'),
      page,
      `${PAGE} is what the agent did (KGRAPHFS_WRITE_DOCS=1 writes it)`,
    );
  },
);
