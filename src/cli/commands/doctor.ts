import { defineCommand } from '../command.ts';
import { writeJson } from '../io.ts';

export const doctor = defineCommand({
  verb: 'doctor',
  summary: 'what this machine lacks for mounting, and how to fix it',
  details:
    'Checks everything that a mount needs, and mounts for a moment in a temporary folder. Changes nothing.\n' +
    'The exit status is 0 if kgraphfs can mount, else 3.',
  positionals: {},
  options: {},
  example: 'kgraphfs doctor --docs docs/sample',
  async run(args, io) {
    const { examine } = await import('../mount/examine.ts');
    const { diagnosisView, writeDiagnosis } = await import('../text/diagnosis.ts');
    const diagnosis = await examine(args, io);
    if (args.json) writeJson(io.out, diagnosisView(diagnosis));
    else writeDiagnosis(io.out, diagnosis);
    return diagnosis.canMount ? 0 : 3;
  },
});
