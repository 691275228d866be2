import { defineCommand } from '../command.ts';
import { writeJson } from '../io.ts';

export const status = defineCommand({
  verb: 'status',
  summary: 'what is mounted, how far the index is, and which errors there were',
  details:
    'Without a folder: the mounts of the project or, if there are none, what its index holds. --json prints one object, or an array of\n' +
    'them if there are several mounts. The exit status is 3 if a mount does not answer, or if nothing is mounted at the folder.',
  positionals: { dir: { summary: 'a mount point', count: 'optional', isPath: true } },
  options: {},
  example: 'kgraphfs status --docs docs/sample',
  async run(args, io) {
    const { statusOfMount, statusOfProject } = await import('../mount/read-status.ts');
    const { writeStatus } = await import('../mount/status-text.ts');
    const found =
      args.dir === undefined ? await statusOfProject(args, io) : [await statusOfMount(args.dir, args, io)];
    if (args.json) writeJson(io.out, found.length === 1 ? found[0] : found);
    else writeStatus(io.out, found);
    return found.some((one) => !('documents' in one)) ? 3 : 0;
  },
});
