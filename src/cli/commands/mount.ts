import type { DriverName } from '../../config/schema.ts';
import { EXIT, UserError } from '../../core/errors.ts';
import { defineCommand } from '../command.ts';
import { EMBEDDING_OPTIONS } from '../embeddings.ts';

export const mount = defineCommand({
  verb: 'mount',
  summary: 'show the docs and their graph as a filesystem',
  details:
    'Starts a daemon and returns when the tree is there: with the docs indexed, or after 5 seconds while that goes on.\n' +
    'The folder is made if its parent exists; it has to be empty.',
  positionals: { dir: { summary: 'the mount point', isPath: true } },
  options: {
    wait: { type: 'boolean', summary: 'wait until all is indexed, however long it takes' },
    foreground: { type: 'boolean', summary: 'serve in this process until a signal or an unmount ends it' },
    driver: {
      type: 'text',
      value: 'DRIVER',
      choices: ['linux', 'fuse-native'] satisfies readonly DriverName[],
      summary: 'how to talk to the kernel (default: the config, or the first that works)',
    },
    allowOther: { type: 'boolean', summary: 'let other users in, as far as permission bits allow' },
    readOnly: { type: 'boolean', summary: 'refuse every change of the tree' },
    ...EMBEDDING_OPTIONS,
    session: {
      type: 'text',
      value: 'ID',
      summary: 'go on with a session and its scratchpad, instead of beginning one',
    },
    audit: {
      type: 'text',
      value: 'on|off',
      choices: ['on', 'off'],
      default: 'on',
      summary:
        'off: nothing goes into the history; with --read-only, files that the kernel has cached then open without asking, many times faster',
    },
  },
  example: 'kgraphfs mount ~/ctx --docs docs/sample',
  async run(args, io) {
    try {
      const { planMount } = await import('../mount/mount-plan.ts');
      const plan = await planMount(args, io);
      if (args.foreground) {
        const { mountInForeground } = await import('../mount/mount-in-foreground.ts');
        return await mountInForeground(plan, io);
      }
      const { mountInBackground } = await import('../mount/mount-in-background.ts');
      return await mountInBackground(plan, io);
    } catch (error) {
      if (!(error instanceof UserError) || error.exitStatus !== EXIT.failed) throw error;
      throw new UserError(error.message, EXIT.cannotMount, { cause: error });
    }
  },
});
