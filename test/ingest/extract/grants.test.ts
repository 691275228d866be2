import t from 'tap';
import { assembleText } from '../assembled.ts';

/** What a line below an endpoint says that it requires. */
function required(line: string): string[] {
  return assembleText(`# Mugs\n\n## Fire a mug\n\nPOST /mugs/fire\n\nStarts the kiln.\n\n${line}\n`)
    .edges('requires')
    .map((edge) => edge.replace('POST /mugs/fire -requires-> ', ''));
}

t.test('a label names the scopes and permissions that the endpoint requires', async (t) => {
  t.same(required('**OAuth:** User token + `write:mugs`\\\n**Since:** 2.0'), ['write:mugs']);
  t.same(required('**Required scopes:** `mugs:write`, `kiln:use`'), ['kiln:use', 'mugs:write']);
  t.same(required('- Permission: `MANAGE_MUGS`'), ['MANAGE_MUGS']);
});

t.test('grants of which one is enough, or that some requests need, are not required', async (t) => {
  t.same(required('**OAuth:** User token + `write:mugs` or `write:kilns`'), []);
  t.same(required('**OAuth:** Public, and user token + `read:mugs` for private ones'), []);
  t.same(required('**Scopes:** `mugs:write` (optional)'), []);
});

t.test('what a line says beside its grants may say that they are not required', async (t) => {
  for (const line of [
    '**Scopes:** `mugs:read` / `mugs:write`',
    '**Scopes:** `mugs:read` | `mugs:write`',
    '**Scopes:** at least `mugs:read`',
    '**Scopes:** depending on the kiln, `mugs:read`, `mugs:write`',
    '**Permissions:** `mugs:read`, and `mugs:admin` in case of a private kiln',
    '**Permissions:** returns `mugs:read` as granted to the user',
    '**Permission:** see `config.yaml`',
    '**Permissions:** 403 with `ERROR_FORBIDDEN` is returned',
    '**OAuth:** see `auth.kiln.example`',
    '**OAuth:** set `access_token.scope`',
  ])
    t.same(required(line), [], line);
});

t.test('a field that has the name of such a label is none', async (t) => {
  t.same(required('- `scope`: `mugs:read`'), []);
  t.same(required('`permissions`: `mugs:read`, `mugs:write`'), []);
  t.same(required('- **Scope**: `mugs:read`'), ['mugs:read']);
});

t.test('other names behind such a label, and labels away from endpoints, state nothing', async (t) => {
  t.same(required('**Scope:** `kilns`'), []);
  t.same(required('**OAuth:** send it in `Authorization`'), []);
  t.same(required('**Example:** `write:mugs`'), []);
  t.same(assembleText('# Mugs\n\n**Scopes:** `mugs:write`\n').edges('requires'), []);
});
