import t from 'tap';
import { findShellCalls } from '../../../src/ingest/extract/shell-commands.ts';

function calls(code: string): string[] {
  return findShellCalls(code).map(({ label, explicit, line }) => `${line} ${label}${explicit ? '' : ' ?'}`);
}

t.test('the method is read from any form of the option', async (t) => {
  t.same(
    calls(
      'curl -X PUT https://a.example/b\ncurl --request PATCH https://a.example/c\ncurl -XDELETE https://a.example/d',
    ),
    ['0 PUT /b', '1 PATCH /c', '2 DELETE /d'],
  );
});

t.test('without one it is GET, or POST where data is sent', async (t) => {
  t.same(calls('curl "https://a.example/b?c=d&e=f" -H "A: curl x"\ncurl -s https://a.example/g -d h=i'), [
    '0 GET /b ?',
    '1 POST /g ?',
  ]);
});

t.test('commands go on over continued lines and quoted line breaks, and end at pipes', async (t) => {
  t.same(
    calls(
      'curl -X POST \\\n  -d \'{\n  "a": "https://no.example/x"\n}\' \\\n  https://a.example/b | jq .\necho curl',
    ),
    ['0 POST /b'],
  );
});

t.test('variables and parameters in a URL stay as they are', async (t) => {
  t.same(
    calls('curl -X GET $BASE/v1/a/{id}\ncurl -X GET localhost:3000/b\ncurl -X GET https://a.example/<id>/c'),
    ['0 GET /v1/a/{id}', '1 GET /b', '2 GET /<id>/c'],
  );
});

t.test('no URL, no call', async (t) => {
  t.same(calls('curl --version\nmycurl -X GET https://a.example/b'), []);
});

t.test('marks for the site generator are no part of a command', async (t) => {
  t.same(
    calls(
      'curl \\\n--request POST \\\n# highlight-next-line\n--header "A: b" \\\n--url https://a.example/b\ncurl -X GET https://a.example/c',
    ),
    ['0 POST /b', '5 GET /c'],
  );
});

t.test('a method in front of the URL is meant as one', async (t) => {
  t.same(calls('curl -i -L POST "https://a.example/b" -d x'), ['0 POST /b']);
  t.same(calls('curl -d POST https://a.example/c'), calls('curl -d x https://a.example/c'));
});

t.test('HTTPie has its method in front of the URL, and fields behind it', async (t) => {
  t.same(
    calls(
      '$ http --form PUT "https://a.example/b" \\\n  "name=Kiln"\n\nhttps DELETE a.example/c Authorization:token\n  http :3000/d page==2 A:b\nhttp :/e size:=3',
    ),
    ['0 PUT /b', '3 DELETE /c', '4 GET /d ?', '5 POST /e ?'],
  );
  t.same(calls('http {\n  server b.example/c;\n}\n# over http https://a.example/b\nhttp 200 OK'), []);
});
