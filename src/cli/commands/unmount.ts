import { printableName } from '../../text/printable.ts';
import { defineCommand } from '../command.ts';
import { writeJson } from '../io.ts';

export const unmount = defineCommand({
  verb: 'unmount',
  summary: 'remove a mount and end its daemon',
  details:
    'If a program uses the mount, it stays, and the program is named. A mount whose daemon has died is cleaned up. If a mount hangs,\n' +
    '--force frees the programs that wait for it.',
  positionals: { dir: { summary: 'the mount point', isPath: true } },
  options: {
    force: { type: 'boolean', summary: 'remove it even if programs use it' },
  },
  example: 'kgraphfs unmount ~/ctx',
  async run(args, io) {
    const { unmountAndWait } = await import('../mount/unmount-and-wait.ts');
    const { resolveMountPoint } = await import('../mount/mount-point.ts');
    const mountpoint = await resolveMountPoint(args.dir, io.workingFolder());
    // If the command is run within the mount, this process would itself keep the mount in use.
    process.chdir('/');
    const { pid, isSilent } = await unmountAndWait(mountpoint, args.force ?? false);
    if (args.json) writeJson(io.out, { mountpoint, state: 'stopped', pid: pid ?? null });
    else io.out.write(`unmounted ${printableName(mountpoint)}\n`);
    if (isSilent) io.err.write('its daemon did not answer and may still run\n');
    return 0;
  },
});
