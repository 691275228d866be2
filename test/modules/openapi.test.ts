import { utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import t from 'tap';
import { parseApi } from '../../src/modules/builtin/openapi-parse.ts';
import { openModules } from './opened.ts';
import { PETSTORE, SWAGGER } from './petstore.ts';

t.test('operations and schemas of an OpenAPI file are documents, at their paths', async (t) => {
  const { read, ls, reported } = openModules(t, {
    modules: { api: { module: 'openapi', file: 'api.yaml' } },
    files: { 'api.yaml': PETSTORE },
  });
  t.same(await ls('/api'), ['README.md', 'operations', 'schemas']);
  t.same(await ls('/api/operations/v1/pets'), ['GET.md', 'POST.md', '{pet_id}']);
  t.same(await ls('/api/schemas'), [
    'Loop.md',
    'NewPet.md',
    'Outside.md',
    'Owner.md',
    'Pet.md',
    'Problem.md',
  ]);
  t.equal(
    await read('/api/operations/v1/pets/POST.md'),
    `---
title: "POST /v1/pets"
openapi: "POST /v1/pets"
---

# POST /v1/pets

\`POST /v1/pets\`

Register a pet.

## Parameters

- \`limit\` (query): How many at once

## Request body

\`POST /v1/pets\` requires a **NewPet**.

## Responses

\`POST /v1/pets\` returns a **Pet**.

- \`201\` \`Pet\`: The pet
- \`default\` \`Problem\`: What went wrong
`,
  );
  t.match(await read('/api/operations/v1/pets/GET.md'), /`GET \/v1\/pets` returns a list of \*\*Pet\*\*\./);
  t.match(await read('/api/operations/v1/pets/{pet_id}/DELETE.md'), /This operation is deprecated\./);
  t.match(
    await read('/api/schemas/Pet.md'),
    /- `id` \(`string`, required\): Never changes\n- `owner` \(`Owner`\)/,
  );
  t.match(await read('/api/schemas/NewPet.md'), /- `owner` \(`Owner`\)/, 'what it is made of');
  t.equal(await read('/api/schemas/Loop.md'), '# Loop\n', 'references in a circle end');
  t.match(await read('/api/README.md'), /\[GET \/v1\/pets\]\(operations\/v1\/pets\/GET\.md\)/);
  t.same(reported, []);
});

t.test('Swagger 2.0 in JSON is read, too, and a change of the file is seen', async (t) => {
  const { read, ls, folder } = openModules(t, {
    modules: { old: { module: 'openapi', file: 'api.json' } },
    files: { 'api.json': SWAGGER },
  });
  const before = await read('/old/operations/pets/POST.md');
  t.match(before, /`POST \/pets` requires a \*\*Pet\*\*\.[\s\S]*`POST \/pets` returns a \*\*Pet\*\*\./);
  writeFileSync(join(folder, 'api.json'), SWAGGER.replaceAll('/pets', '/animals'));
  utimesSync(join(folder, 'api.json'), 1, 1);
  // The file is looked at every two seconds at most.
  while (!(await ls('/old/operations')).includes('animals')) await pause(50);
  t.match(await read('/old/operations/animals/POST.md'), /POST \/animals/);
});

t.test('endpoints are named as they are asked for, below the base of the API', (t) => {
  const pathsOf = (more: object) =>
    Object.keys(
      parseApi(JSON.stringify({ openapi: '3.1.0', paths: { '/pets/{id}': {} }, ...more }), 'api.json').paths,
    );
  t.same(pathsOf({ servers: [{ url: 'https://api.example.org/v1/' }, { url: '/v2' }] }), ['/v1/pets/{id}']);
  t.same(pathsOf({ openapi: undefined, swagger: '2.0', basePath: '/api' }), ['/api/pets/{id}']);
  for (const url of ['', '/', 'https://api.example.org', '{scheme}://x/{base}', '/../..', 5])
    t.same(pathsOf({ servers: [{ url }] }), ['/pets/{id}'], String(url));
  t.end();
});

t.test('what is no OpenAPI, or grows without end, is refused with the reason', async (t) => {
  const bomb = [
    'a0: &a0 [x,x,x,x,x,x,x,x,x]',
    ...Array.from({ length: 9 }, (_, i) => `a${i + 1}: &a${i + 1} [${Array(9).fill(`*a${i}`).join(',')}]`),
  ];
  const { read, reported } = openModules(t, {
    modules: Object.fromEntries(
      ['none', 'bomb', 'deep', 'broken', 'gone'].map((name) => [
        name,
        { module: 'openapi', file: `${name}.yaml` },
      ]),
    ),
    files: {
      'none.yaml': 'a: 1',
      'bomb.yaml': `openapi: 3.0.0\n${bomb.join('\n')}`,
      'deep.yaml': `openapi: 3.0.0\na: ${'[ '.repeat(30_000)}`,
      'broken.yaml': '{{{',
    },
  });
  for (const [name, reason] of [
    ['none', /neither OpenAPI 3 nor Swagger 2/],
    ['bomb', /cannot be read.*alias/i],
    ['deep', /cannot be read: it is nested more than 200 levels deep/],
    ['broken', /cannot be read/],
    ['gone', /./],
  ] as const) {
    await t.rejects(read(`/${name}/README.md`), { message: reason }, name);
  }
  t.ok(reported.length >= 3);
});

t.test('of an API with more operations and schemas than are shown it is told', async (t) => {
  const schemas = Object.fromEntries(
    Array.from({ length: 20_001 }, (_, index) => [`Thing${index}`, { type: 'object' }]),
  );
  const { ls, reported } = openModules(t, {
    modules: { api: { module: 'openapi', file: 'api.json', timeoutMs: 14_000 } },
    files: {
      'api.json': JSON.stringify({
        openapi: '3.0.0',
        info: { title: 'Things', version: '1' },
        paths: {},
        components: { schemas },
      }),
    },
  });
  t.equal((await ls('/api/schemas')).length, 20_000);
  while (reported.length === 0) await pause(20);
  t.match(reported, [
    {
      path: '/modules/api',
      message: /api\.json: it describes 20,001 operations and schemas, of which the first 20,000 are shown/,
    },
  ]);
});

t.test(
  'an API whose file is missing is told as failed, with the way out, until the file is there',
  async (t) => {
    const { modules, ls, read, reported, folder } = openModules(t, {
      modules: { api: { module: 'openapi', file: 'api.yaml' } },
    });
    const file = join(folder, 'api.yaml');
    const error = `${file}: the OpenAPI file cannot be read: it is not there; put it there, or name another one in the config (modules.api.file)`;
    t.match(await modules.examine(), [{ name: 'api', state: 'failed', error }]);
    await t.rejects(ls('/api'), { code: 'EIO', why: error });
    t.same(await modules.mirror(), []);
    t.same(reported, [{ code: 'EIO', path: '/modules/api', message: error }], 'one fault is reported once');
    writeFileSync(file, PETSTORE);
    t.match(await read('/api/README.md'), /GET/);
    await ls('/api');
    t.match(modules.view(), [{ name: 'api', state: 'running', error: null }]);
  },
);
