import type { DriverName } from '../../config/schema.ts';
import { EXIT, UserError } from '../../core/errors.ts';
import { defineCommand } from '../command.ts';
import { EMBEDDING_OPTIONS } from '../embeddings.ts';

export const mount = defineCommand({
  verb: 'mount',
  summary: 'show the docs and their graph as a filesystem',
  details:
    'Starts a daemon and returns when the tree is there: after the docs are indexed, or after 5 seconds while indexing goes on.\n' +
    'The folder has to be empty. It is created if its parent exists.',
  positionals: { dir: { summary: 'the mount point', isPath: true } },
  options: {
    wait: { type: 'boolean', summary: 'wait until everything is indexed, however long that takes' },
    foreground: { type: 'boolean', summary: 'serve in this process until a signal or an unmount ends it' },
    driver: {
      type: 'text',
      value: 'DRIVER',
      choices: ['linux', 'fuse-native'] satisfies readonly DriverName[],
      summary: 'how to talk to the kernel (default: the config, or the first that works)',
    },
    allowOther: { type: 'boolean', summary: 'let other users in, as far as the permission bits allow' },
    readOnly: { type: 'boolean', summary: 'refuse every change of the tree' },
    ...EMBEDDING_OPTIONS,
    session: {
      type: 'text',
      value: 'ID',
      summary: 'continue a session and its scratchpad, instead of beginning a new one',
    },
    audit: {
      type: 'text',
      value: 'on|off',
      choices: ['on', 'off'],
      default: 'on',
      summary:
        'off: nothing is recorded in the history; with --read-only, cached files then open without a request to the daemon, many times faster',
    },
  },
  example: 'kgraphfs mount ~/ctx --docs docs/sample',
  async run(args, io) {
    try {
      const { planMount } = await import('../mount/mount-plan.ts');
      const plan = await planMount(args, io);
      const { tellOfGit } = await import('../mount/tell-of-git.ts');
      if (args.foreground) {
        const { mountInForeground } = await import('../mount/mount-in-foreground.ts');
        tellOfGit(plan.mountpoint, io);
        return await mountInForeground(plan, io);
      }
      const { mountInBackground } = await import('../mount/mount-in-background.ts');
      const status = await mountInBackground(plan, io);
      tellOfGit(plan.mountpoint, io);
      return status;
    } catch (error) {
      if (!(error instanceof UserError) || error.exitStatus !== EXIT.failed) throw error;
      throw new UserError(error.message, EXIT.cannotMount, { cause: error });
    }
  },
});
