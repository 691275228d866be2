import t from 'tap';
import { summaryOf } from '../../src/agent/reply-summary.ts';

t.test('a path shows which way each of its steps points', async (t) => {
  const path = [
    { node: 'Subscription', edge_to_next: 'generates', direction: 'out' },
    { node: 'Invoice', edge_to_next: 'requires', direction: 'in' },
    { node: 'Customer', edge_to_next: null, direction: null },
  ];
  t.equal(summaryOf({ call: 3, path, duration_ms: 2 }), 'Subscription → Invoice ← Customer');
  t.equal(summaryOf({ path: ['elsewhere', path[2]] }), '? Customer');
});
