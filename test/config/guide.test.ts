import { readFileSync } from 'node:fs';
import t from 'tap';
import { z } from 'zod';
import { configSchema } from '../../src/config/schema.ts';

t.test('the guide names every setting of a config file', async (t) => {
  const guide = readFileSync('docs/guide.md', 'utf8');
  const settings = settingsIn(configSchema, '');
  t.ok(settings.includes('context.trust.docs'), settings.join(', '));
  t.same(
    settings.filter((name) => !guide.includes(`\`${name}\``)),
    [],
  );
});

/** Names of the settings of a schema, those within objects by their path. */
function settingsIn(schema: unknown, name: string): string[] {
  const inner = schema instanceof z.ZodOptional ? schema.unwrap() : schema;
  if (!(inner instanceof z.ZodObject)) return [name];
  return Object.entries(inner.shape).flatMap(([key, value]) =>
    settingsIn(value, name === '' ? key : `${name}.${key}`),
  );
}
