import { execFile } from 'node:child_process';
import { chmodSync, mkdirSync, readFileSync, readlinkSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { type Teardown, temporaryFolder } from '../support/temporary.ts';

/** What every machine has; all else is a command of the test's own, or not there. */
const BASE = 'bash cat chmod dirname env grep id mkdir readlink rm stat touch'.split(' ');
const TOOLS = 'fusermount3 g++ make python3 git getfattr rg jq rsync strace vim sqlite3 man zsh fish'.split(
  ' ',
);
const ADDON = 'node_modules/better-sqlite3/build/Release/better_sqlite3.node';
const REBUILD = 'npm rebuild --loglevel=error better-sqlite3';
/** What was compiled can be loaded where the clone has a file `loadable`. */
const NODE = `case "$*" in *better-sqlite3*) [ -f loadable ];; *) exec '${process.execPath}' "$@";; esac`;
const NPM = `case "$1" in
  ci) mkdir -p node_modules; touch node_modules/.package-lock.json;;
  rebuild) mkdir -p "$(dirname ${ADDON})"; touch ${ADDON} loadable;;
esac`;

type Commands = Readonly<Record<string, string | undefined>>;

interface Outcome {
  readonly code: number;
  readonly said: string;
  /** Each start of a command of the test's own, in order. */
  readonly calls: readonly string[];
}

/**
 * Gives a machine where commands only note that they were called, with a clone in which nothing is installed yet. What it answers runs
 * `scripts/setup.sh` in there, for tests unless it is told otherwise.
 * @param commands what some do beyond that, as bash; undefined for those that are missing
 * @param mountTable what stands for /etc/mtab
 */
async function machine(
  t: Teardown,
  commands: Commands = {},
  mountTable = '/proc/self/mounts',
): Promise<(...words: string[]) => Promise<Outcome>> {
  const folder = temporaryFolder(t);
  const [bin, clone, log] = [join(folder, 'bin'), join(folder, 'a clone'), join(folder, 'log')];
  for (const made of [bin, join(clone, 'scripts')]) mkdirSync(made, { recursive: true });
  const text = readFileSync('scripts/setup.sh', 'utf8');
  writeFileSync(join(clone, 'scripts/setup.sh'), text.replaceAll('/etc/mtab', mountTable), { mode: 0o755 });
  writeFileSync(join(clone, 'package-lock.json'), '{}');
  for (const name of BASE) {
    if (!(name in commands)) symlinkSync(await whereIs(name), join(bin, name));
  }
  const all: Commands = {
    ...Object.fromEntries(TOOLS.map((name) => [name, ''])),
    node: NODE,
    ldconfig: 'echo "libfuse.so.2 (libc6,x86-64) => /lib/libfuse.so.2"',
    'apt-get': '',
    dpkg: '',
    npm: NPM,
    npx: '',
    sudo: '"$@"',
    ...commands,
  };
  for (const [name, does] of Object.entries(all)) {
    if (does === undefined) continue;
    const file = join(bin, name);
    writeFileSync(file, `#!/usr/bin/env bash\nprintf '%s\\n' "${name} $*" >> '${log}'\n${does}\n`);
    chmodSync(file, 0o755);
  }
  return async (...words) => {
    writeFileSync(log, '');
    const script = join(clone, 'scripts/setup.sh');
    const { code, said } = await run(script, words.length === 0 ? ['tests'] : words, bin);
    return { code, said, calls: readFileSync(log, 'utf8').split('\n').filter(Boolean) };
  };
}

async function setUp(t: Teardown, commands?: Commands): Promise<Outcome> {
  return (await machine(t, commands))();
}

function run(
  script: string,
  words: readonly string[],
  path: string,
): Promise<{ code: number; said: string }> {
  return new Promise((resolve) => {
    execFile(join(path, 'bash'), [script, ...words], { env: { PATH: path } }, (error, stdout, stderr) => {
      resolve({ code: typeof error?.code === 'number' ? error.code : error ? 1 : 0, said: stdout + stderr });
    });
  });
}

function whereIs(name: string): Promise<string> {
  return new Promise((resolve, reject) => {
    execFile('bash', ['-c', `type -P ${name}`], (error, stdout) =>
      error ? reject(error) : resolve(stdout.trim()),
    );
  });
}

function installs({ calls }: Outcome): string[] {
  return calls.filter((call) => /^apt-get install/.test(call));
}

t.test('where all is there, nothing of the system is installed', async (t) => {
  const outcome = await setUp(t);
  t.equal(outcome.code, 0, outcome.said);
  t.same(installs(outcome), []);
  t.ok(outcome.calls.includes('npm ci --ignore-scripts --no-fund --no-audit --loglevel=error'));
});

t.test('who may not use sudo is told what to have installed', async (t) => {
  const sudo = 'echo "sudo: a password is required" >&2; exit 1';
  const { code, said } = await setUp(t, {
    id: 'echo 1000',
    sudo,
    fusermount3: undefined,
    getfattr: undefined,
  });
  t.equal(code, 1);
  t.match(said, /as root, run: apt-get install fuse3 attr$/m);
});

t.test('packages alone are there before anything is compiled, which is done once', async (t) => {
  const again = await machine(t);
  const packages = await again('packages');
  t.equal(packages.code, 0, packages.said);
  t.same(
    packages.calls.filter((call) => call.startsWith('npm ')).map((call) => call.split(' ')[1]),
    ['ci'],
  );
  const first = await again();
  t.same(
    first.calls.filter((call) => call.startsWith('npm ')),
    [REBUILD],
  );
  t.match(first.said, /^setup: getting better-sqlite3; .*two minutes$/m);
  t.notMatch((await again()).calls, /^npm /m);
});

t.test('what only tests use is installed for them alone', async (t) => {
  const tools = ['rg', 'jq', 'rsync', 'strace', 'vim', 'sqlite3', 'man', 'zsh', 'fish'];
  const without = Object.fromEntries(tools.map((name) => [name, undefined]));
  const again = await machine(t, { ...without, getfattr: undefined });
  const toDemonstrate = await again('');
  t.equal(toDemonstrate.code, 0, toDemonstrate.said);
  t.match(installs(toDemonstrate), [/ --no-install-recommends attr$/]);
  t.match(installs(await again('tests')), [/ attr ripgrep jq rsync strace vim sqlite3 man-db zsh fish$/]);
});

t.test('what tests use is there before anything is compiled, their runner, too', async (t) => {
  const again = await machine(t, { rg: undefined });
  const tools = await again('packages', 'tests');
  t.equal(tools.code, 0, tools.said);
  t.match(installs(tools), [/ ripgrep$/]);
  t.ok(tools.calls.includes('npx tap build'));
  t.notOk(tools.calls.includes(REBUILD));
  t.notOk((await again('packages', 'runner')).calls.includes('npx tap build'), 'once');
});

t.test('who only builds the program waits for no runner of tests', async (t) => {
  const again = await machine(t);
  t.notOk((await again('')).calls.includes('npx tap build'));
  t.ok((await again('packages', 'runner')).calls.includes('npx tap build'));
});

t.test('what benchmarks and the soak use is installed for them alone', async (t) => {
  const again = await machine(t, { jq: undefined, vim: undefined });
  t.match(installs(await again('bench')), [/ --no-install-recommends bindfs perl util-linux$/]);
  t.match(installs(await again('soak')), [/ --no-install-recommends jq fio stress-ng dbench$/]);
});

t.test('npm is installed where the distribution packs it apart from Node', async (t) => {
  const outcome = await setUp(t, {
    npm: undefined,
    'apt-get': `if [ "\${*: -1}" = npm ]; then
        printf '#!/usr/bin/env bash\\n%s\\n' '${NPM}' > "\${0%/*}/npm"
        chmod +x "\${0%/*}/npm"
      fi`,
  });
  t.equal(outcome.code, 0, outcome.said);
  t.match(installs(outcome), [/ npm$/]);
});

t.test('npm of a Node that no package owns is asked for, before anything is installed', async (t) => {
  const outcome = await setUp(t, { npm: undefined, dpkg: 'exit 1', rg: undefined });
  t.equal(outcome.code, 1);
  t.match(outcome.said, /^setup: npm is missing, .*comes with Node\.js/m);
  t.same(installs(outcome), []);
});

t.test('a source of packages that cannot be read does not keep the others from being used', async (t) => {
  const outcome = await setUp(t, { rg: undefined, 'apt-get': '[ "$1" != update ] || exit 100' });
  t.equal(outcome.code, 0, outcome.said);
  t.match(installs(outcome), [/ ripgrep$/]);
  t.match(
    outcome.said,
    /^setup: installing ripgrep$/m,
    'and before a password is asked for it is said what for',
  );
});

t.test('packages that cannot be had end it, with what apt-get says', async (t) => {
  const outcome = await setUp(t, {
    rg: undefined,
    'apt-get': 'if [ "$1" = install ]; then echo "E: Unable to locate package" >&2; exit 100; fi',
  });
  t.not(outcome.code, 0);
  t.match(outcome.said, /^E: Unable/m);
  t.notMatch(outcome.calls, /npm ci/);
});

t.test('libfuse 2 is found among however many libraries', async (t) => {
  const libraries =
    'echo "libfuse.so.2 => /lib/libfuse.so.2"; for i in {1..9999}; do echo "lib$i.so => /lib/lib$i.so"; done';
  const outcome = await setUp(t, { ldconfig: libraries });
  t.equal(outcome.code, 0, outcome.said);
  t.same(installs(outcome), []);
  t.notMatch(outcome.said, /libfuse 2 is not installed/);
});

t.test(
  'libfuse 2 that cannot be had is looked for on the network only when packages are installed',
  async (t) => {
    // Of an ordinary user, who needs no password for it.
    const sudo = 'if [ "$1" = -n ]; then shift; fi; "$@"';
    const again = await machine(t, { ldconfig: '', sudo, 'apt-get': '[ "$1" != install ] || exit 100' });
    const first = await again();
    t.equal(first.code, 0, first.said);
    t.match(first.said, /libfuse 2 is not installed/);
    t.ok(first.calls.includes('apt-get update -qq'));
    const second = await again();
    t.equal(second.code, 0, second.said);
    t.match(second.said, /libfuse 2 is not installed/);
    t.same(
      second.calls.filter((call) => call.startsWith('apt-get')),
      [],
    );
  },
);

t.test(
  'the mount table that a bare system lacks is made, or its lack is told with the way out',
  async (t) => {
    const ln = `'${await whereIs('ln')}' "$@"`;
    for (const user of [0, 1000]) {
      const table = join(temporaryFolder(t), 'mtab');
      const again = await machine(t, { id: `echo ${user}`, ln }, table);
      const first = await again();
      t.equal(first.code, 0, first.said);
      t.equal(readlinkSync(table), '/proc/self/mounts');
      t.equal(first.calls.includes(`sudo ln -s /proc/self/mounts ${table}`), user !== 0);
      t.notOk(
        (await again()).calls.some((call) => call.startsWith('ln ')),
        'once',
      );
    }
    const table = join(temporaryFolder(t), 'mtab');
    const run = await machine(t, { id: 'echo 1000', sudo: undefined }, table);
    const outcome = await run();
    t.equal(outcome.code, 1);
    t.ok(outcome.said.includes(`as root, run: ln -s /proc/self/mounts ${table}`), outcome.said);
  },
);

t.test('what was compiled for another Node is compiled again, and then no more', async (t) => {
  const npm = `${NPM}; if [ "$npm_config_build_from_source" != true ]; then rm -f loadable; fi`;
  const again = await machine(t, { npm });
  const rebuilds = ({ calls }: Outcome) => calls.filter((call) => call.startsWith('npm rebuild'));
  const first = await again();
  t.equal(first.code, 0, first.said);
  t.match(first.said, /^setup: compiling better-sqlite3 for Node\.js \d/m);
  t.same(rebuilds(first), [REBUILD, REBUILD], 'as it comes, and then here');
  t.same(rebuilds(await again()), []);
});

t.test('what cannot be compiled ends it', async (t) => {
  const npm = `if [ "$1" = rebuild ]; then echo "gyp ERR!" >&2; exit 1; fi; ${NPM}`;
  const outcome = await setUp(t, { npm });
  t.equal(outcome.code, 1);
  t.match(outcome.said, /^gyp ERR!$/m);
});

t.test(
  'what this Node cannot load when it was compiled ends it, with headers that may be of another',
  async (t) => {
    const npm = (headers: string) =>
      `if [ "$1" = config ]; then echo "${headers}"; else ${NPM}; rm -f loadable; fi`;
    const plain = await setUp(t, { npm: npm('undefined') });
    t.equal(plain.code, 1);
    t.match(plain.said, /^setup: better-sqlite3 was compiled, but Node\.js \d\S+ cannot load it$/m);
    const named = await setUp(t, { npm: npm('/opt/node-18') });
    t.equal(named.code, 1);
    t.match(
      named.said,
      /^setup: .* with the headers in \/opt\/node-18 .* cannot load it; have nodedir name/m,
    );
  },
);

t.test('what was compiled with the hooks of newer Nodes is compiled again without them', async (t) => {
  const npm = `${NPM}
    if [ "$npm_config_build_from_source" = true ]; then echo "$CFLAGS $CXXFLAGS in $CPLUS_INCLUDE_PATH"; : > ${ADDON}
    elif [ "$1" = rebuild ]; then printf '\\0_ZN4node28RemoveEnvironmentCleanupHook\\0' > ${ADDON}; fi`;
  const again = await machine(t, { npm });
  const first = await again();
  t.equal(first.code, 0, first.said);
  t.match(first.said, /^-O2 .*-include object-wrap\.h in \/.*a clone\/scripts$/m);
  t.notMatch((await again()).said, /compiling/);
});

t.test('no hook of ObjectWrap is left in what better-sqlite3 is here', async (t) => {
  t.notOk(readFileSync(ADDON).includes('RemoveEnvironmentCleanupHook'));
});
