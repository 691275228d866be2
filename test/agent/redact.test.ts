import t from 'tap';
import { redacted } from '../../src/agent/redact.ts';

t.test('a key is hidden, and what looks like one', async (t) => {
  t.equal(redacted('key abc123 is\nwrong', 'abc123'), 'key [key] is wrong');
  t.equal(redacted('you sent sk-or-v1-99887766', undefined), 'you sent [key]');
  t.equal(redacted('Authorization: Bearer hunter2', undefined), 'Authorization: [key]');
  t.ok(redacted('x'.repeat(1000), undefined).length < 310);
});
