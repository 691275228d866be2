import t from 'tap';
import { type HistoryStep, walksIn } from '../../src/learning/walks.ts';

const MINUTE_MS = 60_000;

function step(type: string, more: Partial<HistoryStep>): HistoryStep {
  return { timeMs: 0, session: 's1', actor: 'ana', type, data: {}, ...more };
}

t.test('pages of nodes that are read, and links beside them, are a walk', async (t) => {
  const walks = walksIn([
    step('read', { path: '/graph/nodes/Subscription' }),
    step('read', { path: '/graph/near/Invoice/generates/Charge' }),
    step('read', { path: '/graph/types/Event/charge.succeeded' }),
    step('read', { path: '/graph/markdown/POST%20%2Fv1%2Fcharges' }),
    step('read', { path: '/docs/charges.md' }),
    step('write', { path: '/graph/nodes/Charge' }),
  ]);
  t.match(walks, [
    {
      occasion: 's1',
      kind: 'visited',
      nodes: ['Subscription', 'Invoice', 'Charge', 'charge.succeeded', 'POST /v1/charges'],
    },
  ]);
});

t.test('a path that is read and a connection that a model asks for have two ends', async (t) => {
  const asked = { from: 'Subscription', to: 'Charge' };
  const walks = walksIn([
    step('read', { path: '/graph/path/Subscription/Charge' }),
    step('tool', { data: { tool: 'connect', args: asked, conversation: 'ask-1' } }),
    step('tool', { data: { tool: 'connect', args: asked, conversation: 'ask-2', error: 'ENOENT' } }),
  ]);
  t.same(walks, [
    { occasion: 's1', kind: 'asked', nodes: ['Subscription', 'Charge'] },
    { occasion: 'ask-1', kind: 'asked', nodes: ['Subscription', 'Charge'] },
  ]);
});

t.test('nodes that a model looks at in one conversation are one walk, those of two are two', async (t) => {
  const look = (conversation: string, tool: string, node: string) =>
    step('tool', { data: { tool, args: { node }, conversation } });
  const walks = walksIn([
    look('a', 'navigate', 'Invoice'),
    look('b', 'inspect', 'Invoice'),
    look('a', 'navigate', 'Charge'),
    look('a', 'read', 'Charge'),
  ]);
  t.same(walks, [
    { occasion: 'a', kind: 'visited', nodes: ['Invoice', 'Charge'] },
    { occasion: 'b', kind: 'visited', nodes: ['Invoice'] },
  ]);
});

t.test('who reads many pages at once follows no thought', async (t) => {
  const paths = ['/graph/nodes/Invoice', '/graph/nodes/Charge'];
  t.match(walksIn([step('read', { data: { count: 2, paths } })]), [{ nodes: ['Invoice', 'Charge'] }]);
  t.same(walksIn([step('read', { data: { count: 400, paths } })]), []);
});

t.test('commands of no session are of another occasion after half an hour of silence', async (t) => {
  const read = (minutes: number) =>
    step('read', { session: 'cli', timeMs: minutes * MINUTE_MS, path: '/graph/path/Invoice/Charge' });
  const occasions = walksIn([read(0), read(20), read(45), read(80)]).map(({ occasion }) => occasion);
  t.same(occasions, ['cli 0', 'cli 0', 'cli 0', 'cli 1']);
});
