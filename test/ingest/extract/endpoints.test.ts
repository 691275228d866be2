import t from 'tap';
import { assembleText } from '../assembled.ts';

function endpoints(text: string, path?: string): string[] {
  return assembleText(text, path).nodes('Endpoint');
}

t.test('prose, code spans, headings and lines of their own name endpoints', async (t) => {
  const text = [
    '## POST /v1/refunds',
    'Call `GET /v1/charges/{id}` or **GET** /v1/charges first, then DELETE /v1/x.',
    '',
    'GET /api/v1/accounts/:id HTTP/1.1',
    '',
    'Use [`PUT /lobbies`](/lobby#create).',
  ].join('\n');
  t.same(endpoints(text), [
    'DELETE /v1/x',
    'GET /api/v1/accounts/:id',
    'GET /v1/charges',
    'GET /v1/charges/{id}',
    'POST /v1/refunds',
    'PUT /lobbies',
  ]);
});

t.test('a table in HTML lists endpoints as one in markdown does', async (t) => {
  const text = [
    '# Set the colour of a pen',
    '',
    '<table><thead><tr><th width="100">URL</th><th>Signed in</th><th>HTTP Method</th></tr></thead><tbody><tr><td><code>/v2/pens.setColour</code></td><td><a href="sign-in.md"><code>yes</code></a></td><td><code>PUT</code></td></tr></tbody></table>',
    '',
    'Requires the `edit-pens` permission.',
  ];
  t.same(endpoints(text.join('\n')), ['PUT /v2/pens.setColour']);
  t.same(assembleText(text.join('\n')).edges('requires'), ['PUT /v2/pens.setColour -requires-> edit-pens']);
});

t.test('every notation of a parameter is one endpoint', async (t) => {
  for (const path of [
    '{id}',
    ':id',
    '<id>',
    '[id]',
    '{{id}}',
    '\\{id\\}',
    '<order id>',
    '42',
    '{charge.id}',
  ]) {
    const [mention] =
      assembleText(`Call \`GET /v1/charges/${path.replaceAll('\\', '')}\` now.`)
        .facts.get('page.md')
        ?.mentions.filter(({ type }) => type === 'Endpoint') ?? [];
    t.equal(mention?.key, 'endpoint:GET /v1/charges/{}', path);
  }
  t.same(endpoints('Escaped: GET /a/\\{id\\}/b here.'), ['GET /a/{id}/b']);
});

t.test('a number at the start of a path or behind "api" is a version, not an id', async (t) => {
  const keys =
    assembleText('`GET /2/tweets/7` `GET /rest/api/3/issue`')
      .facts.get('page.md')
      ?.mentions.map(({ key }) => key) ?? [];
  t.ok(keys.includes('endpoint:GET /2/tweets/{}'));
  t.ok(keys.includes('endpoint:GET /rest/api/3/issue'));
});

t.test('the root alone is an endpoint where nothing stands beside it', async (t) => {
  t.same(endpoints('## GET /\n\nSays that the service runs.'), ['GET /']);
  t.same(endpoints('| Method | Path |\n|---|---|\n| PUT | `/` |'), ['PUT /']);
  t.same(endpoints('Send a GET / to it, or ask for / (GET).'), []);
});

t.test('host, query, fragment and closing punctuation are no part of the label', async (t) => {
  t.same(endpoints('Send POST https://api.example.com/v1/charges?expand=x#y, then wait.'), [
    'POST /v1/charges',
  ]);
  t.same(endpoints('`GET {{base_url}}/v1/a` and `GET /b?c={d[e - 1].f}`'), ['GET /b', 'GET /v1/a']);
});

t.test('fences show requests where their language is one of requests', async (t) => {
  t.same(endpoints('```http\nPOST /a HTTP/1.1\nHost: x\n```\n\n```\nGET /b\n```\n'), ['GET /b', 'POST /a']);
  t.same(endpoints('```mermaid\nA->>B: POST /c<br/>{ x }\n```\n'), ['POST /c']);
  t.same(endpoints('    GET /repos/:owner/:repo\n'), ['GET /repos/:owner/:repo'], 'an indented line too');
  t.same(endpoints('```js\nsend("GET /d") // GET /d\n```\n\n```json\n{"a": "GET /e"}\n```\n'), []);
  t.same(endpoints('```\n10.0.0.1 - "GET /f HTTP/1.1" 200\n```\n'), [], 'a line of a log is none');
  t.same(endpoints('```http\nPOST / HTTP/1.1\nHost: x\n```\n\n```http\n10.0.0.1 GET / HTTP/1.1\n```\n'), [
    'POST /',
  ]);
});

t.test('a line of code that is only a request counts in any language', async (t) => {
  t.same(endpoints('```json\nPOST https://x.test/cups HTTP/1.1\n{ "a": 1 }\n```\n'), ['POST /cups']);
  t.same(endpoints('```js\n// PUT /cups/1\n```\n\n```xml\n> GET /pots\n```\n'), ['GET /pots', 'PUT /cups/1']);
  t.same(endpoints('```java\n@POST /cups\nclient.on(GET /pots);\nGET /pots then wait\n```\n'), []);
});

t.test('HTML in code and the info of a fence are read', async (t) => {
  t.same(endpoints('    <p>\n    <code>GET /cups/&lt;id&gt;</code>\n'), ['GET /cups/<id>']);
  t.same(endpoints('```json [POST /cups/wash]\n{ "a": 1 }\n```\n'), ['POST /cups/wash']);
  t.same(endpoints('```curl title="PUT"\n/cups/:id\n```\n'), ['PUT /cups/:id']);
  t.same(endpoints('```json title="PUT"\n{ "/cups": 1 }\n```\n\n```js title="a/GET.js"\n/cups\n```\n'), []);
});

t.test('method and path meet in other notations', async (t) => {
  t.same(endpoints('`POST` → `/cups`, `/pots` (GET) and [PUT] /lids'), [
    'GET /pots',
    'POST /cups',
    'PUT /lids',
  ]);
  t.same(endpoints('See /pots (GREEN) or [GET] the pots'), []);
  t.same(
    endpoints('---\noperation:\n  method: POST\n  path: /cups\nform:\n  method: dialog\n  path: /x\n---\n'),
    ['POST /cups'],
  );
  t.same(endpoints('| URL | Method |\n|---|---|\n| `api/v1/cups` | `GET` |\n'), ['GET /api/v1/cups']);
  t.same(endpoints('| Type | Method |\n|---|---|\n| application/json | POST |\n'), []);
});

t.test('curl names an endpoint where it names its method', async (t) => {
  t.same(
    endpoints(
      '```sh\ncurl -X DELETE https://api.example.com/v1/a/b \\\n  -H "X: GET /no"\ncurl https://api.example.com/v1/c\n```\n',
    ),
    ['DELETE /v1/a/b'],
  );
  const { edges } = assembleText('`POST /v1/c`\n\n```sh\ncurl https://h.example/v1/c -d x=1\n```\n');
  t.same(edges('references'), ['page -references-> POST /v1/c'], 'an implied method is a reference at most');
});

t.test(
  'a heading with an operation says the method of a call below it, and is about that endpoint',
  async (t) => {
    const page = (title: string, call: string) =>
      assembleText(`# Kilns\n\nA kiln burns clay.\n\n## ${title}\n\n\`\`\`sh\n${call}\n\`\`\`\n`);
    const listing = page('List kilns', 'curl https://h.example/v1/kilns -H "A: b"');
    t.same(listing.nodes('Endpoint'), ['GET /v1/kilns']);
    t.same(listing.edges('returns'), ['GET /v1/kilns -returns-> Kilns']);
    t.same(page('Read kilns', 'http :8080/kilns').nodes('Endpoint'), ['GET /kilns']);
    t.same(page('Create a kiln', 'curl https://h.example/kilns -d size=3').nodes('Endpoint'), [
      'POST /kilns',
    ]);
    t.same(page('Create a kiln', 'curl https://h.example/kilns').nodes('Endpoint'), [], 'another method');
    t.same(
      page('Get the tools', 'curl https://h.example/install.sh').nodes('Endpoint'),
      [],
      'no such segment',
    );
    t.same(page('Kilns', 'curl https://h.example/kilns').nodes('Endpoint'), [], 'no operation');
    for (const download of [
      'curl -fsSLO https://h.example/kilns/v1/linux/kiln',
      'curl -Lo kiln https://h.example/kilns/kiln',
      'curl -L https://h.example/kilns/kiln-1.2.tar.gz | tar xz',
      'http --download https://h.example/kilns/kiln',
    ])
      t.same(page('Download kilns', download).nodes('Endpoint'), [], download);
    t.same(page('Download kilns', 'curl -o /dev/null https://h.example/kilns.json').nodes('Endpoint'), [
      'GET /kilns.json',
    ]);
  },
);

t.test('a call is the endpoint whose path its URL ends with', async (t) => {
  const text =
    '`GET /accounts/{id}.json`\n\n```sh\ncurl -X GET https://h.example/999/accounts/AC1.json\n```\n';
  t.same(endpoints(text), ['GET /accounts/{id}.json']);
});

t.test('tables pair a column of methods with one of paths, or hold both in a cell', async (t) => {
  t.same(endpoints('| Method | Path |\n|---|---|\n| `GET` / `HEAD` | `/v2/<name>/` |\n| post | /a |\n'), [
    'GET /v2/<name>/',
    'HEAD /v2/<name>/',
    'POST /a',
  ]);
  t.same(
    endpoints('| Call | Limit |\n|---|---|\n| `PUT /b` | 5 |\n| [**add**](x.md) **POST** /pet | 1 |\n'),
    ['POST /pet', 'PUT /b'],
  );
});

t.test('elements of JSX carry method and path', async (t) => {
  const text =
    '## Get\n<Route method="GET">/a/[\\{a.id\\}](/x#a-object)/b</Route>\n\n<Endpoint method="post" path="/c" />\n';
  t.same(endpoints(text, 'page.mdx'), ['GET /a/{a.id}/b', 'POST /c']);
});

t.test('an opening tag alone in its paragraph says its endpoint by its attributes', async (t) => {
  const text = [
    '<Operation path="/tea/pots" method="put">',
    '',
    'Fills a pot.',
    '',
    '</Operation>',
    '',
    '<Panel><Operation method="get" path="/tea/cups"></Panel>',
    '',
    '<Form method="post">',
    '',
    '/tea/leaves is no path of the form above.',
  ].join('\n');
  t.same(endpoints(text), ['GET /tea/cups', 'PUT /tea/pots']);
  t.same(endpoints('<form action="/tea" method="dialog">\n\nText\n'), []);
});

t.test('front matter of Mintlify and lines with labels are read', async (t) => {
  t.same(endpoints('---\nopenapi: post /x/{y}\n---\n'), ['POST /x/{y}']);
  t.same(endpoints('---\napi: "GET https://h.example/z"\n---\n'), ['GET /z']);
  t.same(endpoints('**URL** : `/api/login/`\n\n**Method** : `POST`\n'), ['POST /api/login/']);
});

t.test('HTML that shows method and path apart is read as readers see it', async (t) => {
  t.same(endpoints('<div class="api">\n<i class="label">GET</i>\n<h6>/wp-json/a/&lt;id&gt;</h6>\n</div>\n'), [
    'GET /wp-json/a/<id>',
  ]);
});

t.test('a request in a sentence names its method and its path apart', async (t) => {
  t.same(endpoints('Perform a `POST` request to a URL of the form `/v2/<name>/blobs/`.'), [
    'POST /v2/<name>/blobs/',
  ]);
});

t.test('other words, files and links are no endpoints', async (t) => {
  t.same(
    endpoints(
      'We GET better. Use GET/POST, see /etc/passwd and [docs](/docs/x). PUT it there. `GET` `DELETE`',
    ),
    [],
  );
  t.same(endpoints('A `GET` / `HEAD` request is safe. The path / is the root.'), []);
  t.same(endpoints('<!-- DELETE /v1/hidden -->\n\n<!--\nGET /v1/hidden2\n-->\n'), []);
  t.same(endpoints('{/* DELETE /v1/hidden */}\n', 'page.mdx'), []);
});

t.test('the line, the description and the parts of an endpoint are kept', async (t) => {
  const { facts } = assembleText(
    '# Charges\n\n## Create\n\nPOST /v1/charges\n\nTakes money from a customer.\n',
  );
  t.match(
    facts.get('page.md')?.mentions.filter(({ type }) => type === 'Endpoint'),
    [
      {
        line: 5,
        declares: true,
        description: 'Takes money from a customer.',
        properties: { method: 'POST', path: '/v1/charges' },
      },
    ],
  );
});

t.test(
  'an endpoint without prose is described by the front matter or the heading that says what it does',
  async (t) => {
    const described = (text: string) =>
      assembleText(text)
        .facts.get('page.md')
        ?.mentions.flatMap(({ type, description }) => (type === 'Endpoint' ? [description ?? ''] : []));
    const matter = '---\ntitle: Fire a mug\ndescription: Starts the kiln.\nopenapi: POST /mugs/fire\n---\n';
    t.same(described(matter), ['Starts the kiln.']);
    t.same(described('# Mugs\n\n## Create a mug\n\nPOST /mugs\n'), ['Create a mug']);
    t.same(described('# Create a mug\n\n## Route\n\n```http\nPOST /mugs\n```\n'), ['Create a mug']);
    t.same(described('# Mugs\n\n## Routes\n\n- POST /mugs\n- GET /mugs\n'), ['', '']);
    t.same(described('---\ndescription: All of the kiln.\n---\n\n# Kiln\n\n## Routes\n\nPOST /mugs\n'), ['']);
  },
);

t.test('captions of cards and shortcodes name endpoints', async (t) => {
  t.same(endpoints('<Card title="GET /v1/users" href="/x">All of them</Card>', 'page.mdx'), [
    'GET /v1/users',
  ]);
  t.same(endpoints('See:\n\n{{< page-relref ref="oauth#token" caption="POST /oauth/token" >}}\n'), [
    'POST /oauth/token',
  ]);
  t.same(endpoints('{{< note title="How to GET /v1/x" >}} {{< figure src="GET /v1/y" >}}'), []);
});

t.test('a call in a fence of another language is one', async (t) => {
  const code = 'URL="https://api.example.com"\n\ncurl --request POST "$URL/v1/events" \\\n  --data "{}"';
  t.same(endpoints(`\`\`\`json title="Send"\n${code}\n\`\`\`\n`), ['POST /v1/events']);
});

t.test('a path without a slash in front is one where code is nothing but a request', async (t) => {
  const console =
    'PUT _cluster/settings\n{\n  "persistent": {}\n}\n\nPOST _aliases\n\nGET movies/_search?q=a,b';
  t.same(endpoints(`\`\`\`json\n${console}\n\`\`\`\n`), [
    'GET /movies/_search',
    'POST /_aliases',
    'PUT /_cluster/settings',
  ]);
  t.same(endpoints('```js\n// PUT admin/posts/{id}/\nconst a = 1;\n```\n'), ['PUT /admin/posts/{id}/']);
  t.same(endpoints('Use `POST ai/ask` or [`GET api.example.com/v1/users`](x.md).'), [
    'GET /v1/users',
    'POST /ai/ask',
  ]);
  t.same(endpoints('POST and/or PUT it as `POST application/json`, or `DELETE` a/b, `HEAD refs/heads`.'), []);
  t.same(endpoints('```\nDELETE FROM a/b\nGET status\nPUT _ next\n```\n'), []);
});

t.test(
  'what cannot be seen is no part of a path, and a parameter may be two words of any kind',
  async (t) => {
    t.same(endpoints('Call POST /purchases\u200b now.'), ['POST /purchases']);
    t.same(endpoints('<Api path="/proxy/<camera entity_id>" method="get" />', 'page.mdx'), [
      'GET /proxy/<camera entity_id>',
    ]);
  },
);

t.test(
  'a host or a parameter with a name of several words, or one to fill in, is part of the request',
  async (t) => {
    const text = [
      'Call `GET /v1/a/{{ id }}/b` and `POST /v1/domains/{{DOMAIN ID}}` and PUT http://localhost:<port>/v1/c.',
      '',
      '```bash',
      'curl -X PATCH https://x.y/v1/d/{{DOMAIN ID}} \\',
      '  -d "{}"',
      'curl -X PUT \\',
      '  https://<your-host>/api/v1/e/<e_id>/licence',
      '```',
    ].join('\n');
    t.same(endpoints(text), [
      'GET /v1/a/{{id}}/b',
      'PATCH /v1/d/{{DOMAIN ID}}',
      'POST /v1/domains/{{DOMAIN ID}}',
      'PUT /api/v1/e/<e_id>/licence',
      'PUT /v1/c',
    ]);
  },
);

t.test('calls of curl in other code count where they name the method', async (t) => {
  const text = [
    '```yaml',
    '  value: curl -XPOST \'http://{{steps.db.ip}}:8086/query\' --data-urlencode "q=x"',
    '  command: ["sh", "-c", "sleep 20 && curl -X POST localhost:3500/v1.0/shutdown"]',
    '  other: curl http://x.y/health',
    '```',
  ].join('\n');
  t.same(endpoints(text), ['POST /query', 'POST /v1.0/shutdown']);
});

t.test('requests in a diagram of characters end where its lines begin', async (t) => {
  const text = [
    '```nohighlight',
    'Client                    Server',
    '  |----(1) GET /login------>|',
    '  | POST /invite            |',
    '```',
  ].join('\n');
  t.same(endpoints(text), ['GET /login', 'POST /invite']);
});

t.test('a query in brackets is no part of the path', async (t) => {
  t.same(
    endpoints(
      '## GET /users{?page,limit}\n\n`POST /publish/<topic>[?<metadata>]` `GET /a/{id}{?q}` `PUT /b{&c}` `GET /d/[id]`\n',
    ),
    ['GET /a/{id}', 'GET /d/[id]', 'GET /users', 'POST /publish/<topic>', 'PUT /b'],
  );
});

t.test('a path that ends in dots stands for several and is none of them', async (t) => {
  t.same(
    endpoints(
      'Call `GET /carts/1/...`, `PUT /carts/…` or `POST /carts`, then GET /stock... and `GET /a/.../b`.\n\n```bash\ncurl -X POST "$URL/v1/..." -H x\n```\n',
    ),
    ['GET /a/.../b', 'GET /stock', 'POST /carts'],
  );
});
