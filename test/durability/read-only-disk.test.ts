import t from 'tap';
import { MAIN } from '../cli/run-cli.ts';
import { needsDiskThatFails, onDiskThatFails, outcome } from './small-disk.ts';

const asRoot = needsDiskThatFails();
const DOCTOR = `${process.execPath} ${MAIN} doctor`;

t.test('a state folder that can no longer be written: reads go on, writes say why', asRoot, async (t) => {
  const place = onDiskThatFails(t);
  const mount = await place.mount('ctx');
  const facts = mount.memory;
  t.equal(await outcome('echo old > "$1"/refunds; sync "$1"/refunds', facts), '');
  t.equal(await outcome('echo old > "$1"/draft; sync "$1"/draft', mount.scratchpad), '');
  // A new name is safe once its folder is.
  const rename = 'echo old > "$1"/first; sync "$1"/first; mv "$1"/first "$1"/second; sync "$1"';
  t.equal(await outcome(rename, facts), '');
  t.equal(await outcome(rename, mount.scratchpad), '');
  place.fail();
  const isRefused = async (script: string, folder: string) =>
    t.match(await outcome(script, folder), /^failed: .*Read-only file system/, script);
  await isRefused('dd if=/dev/zero of="$1"/refunds bs=10 count=1 status=none', facts);
  await isRefused('dd if=/dev/zero of="$1"/new bs=10 count=1 status=none', facts);
  await isRefused(
    'dd if=/dev/zero of="$1"/refunds bs=10 count=1 conv=notrunc oflag=append status=none',
    facts,
  );
  await isRefused('rm -f "$1"/refunds', facts);
  await isRefused('mv "$1"/refunds "$1"/moved', facts);
  await isRefused('mkdir "$1"/folder', facts);
  await isRefused('setfattr -n user.kgraphfs.tags -v money "$1"/refunds', facts);
  await isRefused('chmod 600 "$1"/refunds', facts);
  for (const script of [
    'dd if=/dev/zero of="$1"/draft conv=notrunc bs=10 count=1 status=none',
    'echo new > "$1"/new',
    'rm -f "$1"/draft',
    'mv "$1"/draft "$1"/moved',
    'mkdir "$1"/folder',
    'chmod 600 "$1"/draft',
  ]) {
    await isRefused(script, mount.scratchpad);
  }
  t.equal(await outcome('cat "$1"/refunds; ls "$1"', facts), 'old\nrefunds\nsecond\n');
  t.equal(await outcome('cat "$1"/draft; ls "$1"', mount.scratchpad), 'old\ndraft\nsecond\n');
  t.match(await mount.read('docs/charge.md'), /requires/);
  t.match(await mount.read('graph/nodes/Charge'), /requires/);
  t.ok(mount.isAlive);
  const errors = await mount.errors();
  t.ok(errors.some(({ code, path }) => code === 'EROFS' && path === '/context/memory/fact/refunds'));
  await mount.unmount();
  t.match(
    await place.kgraphfs('status'),
    /^state +stopped: no daemon is running$/m,
    'whatever is left of it',
  );
  t.match(await place.kgraphfs('stop'), /^no daemon is running$/m);
  t.match(
    await outcome(`${DOCTOR} --docs "$1" --state "$2"`, place.docs, place.state),
    /^failed: (?:.|\n)*^failure +state folder +.* cannot be written \(EROFS\)$/m,
  );

  place.repair();
  const again = await place.mount('ctx', '--session', mount.session);
  t.equal(
    await outcome('cat "$1"/refunds; ls "$1"', facts),
    'old\nrefunds\nsecond\n',
    'what was synced is there',
  );
  t.equal(await outcome('cat "$1"/draft; ls "$1"', again.scratchpad), 'old\ndraft\nsecond\n');
  t.equal(await outcome('echo new > "$1"/refunds; cat "$1"/refunds', facts), 'new\n');
  t.equal(place.integrityOf('context.sqlite'), 'ok');
  t.equal(place.integrityOf('index.sqlite'), 'ok');
  await again.unmount();
});
