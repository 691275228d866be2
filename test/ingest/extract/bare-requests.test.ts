import t from 'tap';
import { assembleText } from '../assembled.ts';

function endpoints(text: string): string[] {
  return assembleText(text).nodes('Endpoint');
}

t.test(
  'a verb in small letters is a method where an item names a path behind it, and says what it does',
  (t) => {
    t.same(
      endpoints('- get `/lamps/<id>`: one lamp\n- post `/lamps`\n- delete `/lamps/<id>` - throws it away\n'),
      ['DELETE /lamps/<id>', 'GET /lamps/<id>', 'POST /lamps'],
    );
    t.same(
      endpoints('- put `/etc/hosts` into the image\n- get `lamps`: all\n\nWe get `/lamps`: a list.\n'),
      [],
    );
    t.end();
  },
);

t.test('what is to be deleted or patched on a disk is no endpoint', (t) => {
  t.same(
    endpoints('1. delete `/var/cache/kilns`\n2. patch `/etc/hosts`: one line\n3. get `/fire/kiln.conf`\n'),
    [],
  );
  t.same(endpoints('- delete `/variants`\n'), ['DELETE /variants']);
  t.end();
});

t.test('a slash in front of the method is passed over', (t) => {
  t.same(endpoints('Ask `/GET /v2/lamps/{id}` for one.\n'), ['GET /v2/lamps/{id}']);
  t.same(endpoints('See `/GET lamps` and `/get /lamps`.\n'), []);
  t.end();
});
