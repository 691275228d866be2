import t from 'tap';
import { Place, shell } from '../../durability/place.ts';
import { needsFuse } from '../fuse-available.ts';

/**
 * Reads a file of the history anew and anew, which somebody has open all the time, while each memory makes it longer; and then a memory while the other
 * mount appends to it.
 */
const SCRIPT = `python3 - "$@" <<'END'
import glob, os, sys
here, there = sys.argv[1:]
def look(path):
    with open(path, 'rb') as file:
        os.fstat(file.fileno())
        text = file.read()
        os.fstat(file.fileno())
        return text + os.pread(file.fileno(), 1 << 22, 0)
def written(path, mode, text):
    with open(path, mode) as file: file.write(text)
log = here + '/context/memory/fact/log'
written(log, 'w', 'first\\n')
history = glob.glob(here + '/context/history/*')[0]
kept = [open(history, 'rb'), open(log, 'rb')]
spoilt = [0, 0]
for n in range(150):
    for file in kept: file.seek(0); file.read()
    written(here + '/context/memory/fact/other', 'w', str(n))
    spoilt[0] += b'\\0' in look(history)
    written(there + '/context/memory/fact/log', 'a', 'line of the other mount %d\\n' % n)
    for _ in range(4): spoilt[1] += b'\\0' in look(log)
print(*spoilt)
END`;

t.test(
  'a file that grows under its readers never shows anything but what was written',
  { ...needsFuse('python3'), timeout: 240_000 },
  async (t) => {
    const place = new Place(t, 'linux');
    const [a, b] = [await place.mount('a'), await place.mount('b')];
    await shell('until [ -e "$1/log" ]; do : > "$1/log"; done', b.memory);
    t.same(await shell(SCRIPT, a.point, b.point), { status: 0, output: '0 0\n' });
  },
);
