import t from 'tap';
import { Place, shell } from '../../durability/place.ts';
import { needsFuse } from '../fuse-available.ts';

/**
 * Reads a file of the history anew and anew, which somebody has open all the time, while each memory makes it longer; then a memory while the other
 * mount appends to it; and then one to which a program of this mount, which has it open, appends as well.
 */
const SCRIPT = `python3 - "$@" <<'END'
import glob, mmap, os, re, sys
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
spoilt = [0, 0, 0]
both = here + '/context/memory/fact/both'
written(both, 'w', 'line 0\\n')
own = open(both, 'ab', buffering=0)
for n in range(150):
    for file in kept: file.seek(0); file.read()
    written(here + '/context/memory/fact/other', 'w', str(n))
    spoilt[0] += b'\\0' in look(history)
    written(there + '/context/memory/fact/log', 'a', 'line of the other mount %d\\n' % n)
    for _ in range(4): spoilt[1] += b'\\0' in look(log)
    written(there + '/context/memory/fact/both', 'a', 'line %d of the other mount\\n' % n)
    own.write(b'line %d\\n' % n)
    with open(both, 'rb') as file:
        text = file.read()
        mapped = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
    spoilt[2] += re.fullmatch(rb'(line \\d+( of the other mount)?\\n)+', text) is None or mapped[:6] != b'line 0'
print(*spoilt)
END`;

t.test(
  'a file that grows under its readers never shows anything but what was written',
  { ...needsFuse('python3'), timeout: 240_000 },
  async (t) => {
    const place = new Place(t, 'linux');
    const [a, b] = [await place.mount('a'), await place.mount('b')];
    await shell('until [ -e "$1/log" ]; do : > "$1/log"; done', b.memory);
    t.same(await shell(SCRIPT, a.point, b.point), { status: 0, output: '0 0 0\n' });
  },
);
