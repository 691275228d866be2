import t from 'tap';
import { inHelperWords, parseHelperCall } from '../../../src/cli/mount/helper-call.ts';

t.test('messages name the options that mount takes, and command lines as they are', async (t) => {
  const told: [string, string][] = [
    ['no folder (--docs)', 'no folder (-o docs=…)'],
    ['use --state ~/.x/y, or none', 'use -o state=~/.x/y, or none'],
    ['mount with --driver fuse-native', 'mount with -o driver=fuse-native'],
    ['without --allow-other; kgraphfs stop --state /s', 'without -o allow_other; kgraphfs stop --state /s'],
    ['--stateless', '--stateless'],
  ];
  for (const [message, expected] of told) t.equal(inHelperWords(message), expected);
});

const parse = (...args: string[]) => parseHelperCall(args, '/here');

t.test('source and point are docs and mount point, relative ones from the working folder on', async (t) => {
  t.same(parse('/srv/docs', '/mnt'), {
    tokens: ['mount', '--docs=/srv/docs', '--', '/mnt'],
    docs: '/srv/docs',
    point: '/mnt',
    user: undefined,
    isFake: false,
    isVerbose: false,
    isReadOnly: false,
    letsOthersIn: false,
  });
  t.same(parse('docs', 'ctx').tokens, ['mount', '--docs=/here/docs', '--', '/here/ctx']);
});

t.test('our options become flags, whatever their order', async (t) => {
  const options = 'state=s,ro,allow_other,driver=linux,audit=off,wait,session=abc,config=/c.json';
  t.same(parse('-o', options, '/srv/docs', '/mnt').tokens, [
    'mount',
    '--docs=/srv/docs',
    '--state=/here/s',
    '--allow-other',
    '--driver=linux',
    '--audit=off',
    '--wait',
    '--session=abc',
    '--config=/c.json',
    '--read-only',
    '--',
    '/mnt',
  ]);
  t.same(parse('kgraphfs', '/mnt', '-odocs=/srv/docs').tokens, ['mount', '--docs=/srv/docs', '--', '/mnt']);
  t.same(parse('none', '/mnt', '-o', 'ro,docs=/d=e,rw').tokens, ['mount', '--docs=/d=e', '--', '/mnt']);
  t.equal(parse('/d', '/mnt', '-o', 'setuid=alice').user, 'alice');
});

t.test('what mount, fstab and systemd add is accepted and changes nothing', async (t) => {
  const generic =
    'rw,nofail,_netdev,user,noauto,noexec,nosuid,nodev,relatime,x-systemd.automount,X-mount.mkdir,user=alice,comment=hi,uhelper=x';
  t.same(
    parse('/d', '/mnt', '-s', '-n', '-o', generic, '-t', 'fuse.kgraphfs', '-N', '/proc/1/ns/mnt').tokens,
    ['mount', '--docs=/d', '--', '/mnt'],
  );
  t.match(parse('/d', '/mnt', '-fv', '-o', 'rw'), { isFake: true, isVerbose: true });
  t.ok(parse('/d', '/mnt', '-r').tokens.includes('--read-only'));
});

t.test('a point that begins with a dash is a point', async (t) => {
  t.same(parse('/d', './-x').tokens, ['mount', '--docs=/d', '--', '/here/-x']);
});

t.test('what is mistyped is refused, unless mount is to be sloppy', async (t) => {
  const wrong: [string[], RegExp][] = [
    [['/d'], /SOURCE POINT/],
    [['/d', '/mnt', '/more'], /SOURCE POINT/],
    [['none', '/mnt'], /docs=DIR/],
    [['/d', '/mnt', '-o', 'audt=off'], /unknown mount option audt=off; did you mean audit\?/],
    [['/d', '/mnt', '-o', 'state'], /state takes a value/],
    [['/d', '/mnt', '-o', 'allow_other=1'], /allow_other takes no value/],
    [['/d', '/mnt', '--frob'], /unknown option --frob/],
  ];
  for (const [args, message] of wrong) {
    t.throws(() => parse(...args), { name: 'UserError', exitStatus: 2, message }, args.join(' '));
  }
  t.same(parse('/d', '/mnt', '-s', '-o', 'audt=off').tokens, ['mount', '--docs=/d', '--', '/mnt']);
});
