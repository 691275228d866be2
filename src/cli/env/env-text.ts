import { printable } from '../../text/printable.ts';
import type { Output } from '../io.ts';
import { displayWidth } from '../text/display-width.ts';
import { GAP } from '../text/table.ts';
import type { EnvView } from './env-view.ts';
import type { KeyView, ModelView } from './model-view.ts';
import type { Setting, SettingOrigin } from './setting.ts';

/** A line: a name, its value, and where the value was set. */
interface Line {
  readonly name: string;
  readonly value: string;
  readonly from?: SettingOrigin | undefined;
}

/** Writes all settings in force, in sections, for a person. */
export function writeEnv(output: Output, env: EnvView): void {
  const { models, paths, versions, daemons, caller, limits, modules, problems } = env;
  const driver = { value: versions.driver.value ?? 'none can run', from: versions.driver.from };
  writePart(output, 'language model', modelLines(models.language));
  writePart(output, 'embeddings', modelLines(models.embeddings));
  writePart(output, 'paths', pathLines(paths));
  writePart(
    output,
    'daemons',
    daemons.length === 0
      ? [{ name: 'none', value: '' }]
      : daemons.map(({ pid, mountpoint }) => ({ name: String(pid), value: mountpoint ?? 'without a mount' })),
  );
  writePart(
    output,
    'modules',
    modules.length === 0 ? [{ name: 'none', value: '' }] : modules.map(moduleLine),
  );
  writePart(output, 'who acts', [
    lineOf('actor', caller.actor),
    lineOf('session', {
      value: caller.session.value ?? 'that of the mount, else cli',
      from: caller.session.from,
    }),
  ]);
  writePart(
    output,
    'limits',
    Object.entries(limits).map(([name, limit]) => lineOf(name, limit)),
  );
  writePart(output, 'versions', [
    { name: 'kgraphfs', value: versions.kgraphfs },
    { name: 'node', value: versions.node },
    lineOf('driver', driver),
    { name: 'revision', value: String(env.revision) },
  ]);
  if (problems.length === 0) return;
  output.write(`${output.style('yellow', 'what is not followed, or wrong')}\n`);
  for (const problem of problems) {
    for (const line of problem.split('\n')) output.write(`${GAP}${printable(line)}\n`);
  }
}

function moduleLine({ name, module, state, search }: EnvView['modules'][number]): Line {
  if (state === 'refused') return { name, value: 'does not run, see below' };
  const code = module === 'own' ? 'code of your own' : `${module}, comes with kgraphfs`;
  return { name, value: search ? `${code}, searched` : code };
}

function modelLines({ why_not, settings, key }: ModelView): Line[] {
  const lines = Object.entries(settings).flatMap(([name, setting]) =>
    setting.value === null ? [] : lineOf(name.replaceAll('_', ' '), setting),
  );
  return [
    ...(why_not === null ? [] : [{ name: 'none in use', value: why_not }]),
    ...lines,
    ...(key === null ? [] : [{ name: 'key', value: keyText(key) }]),
  ];
}

/** Says where the key is, without showing any of it. */
function keyText({ variable, from, looked_for }: KeyView): string {
  if (variable === null) return `none (looked for in ${looked_for.join(', ')})`;
  return `${variable}, from ${from === '.env' ? 'the .env of your config folder' : 'the environment'}`;
}

function pathLines(paths: EnvView['paths']): Line[] {
  const { docs, state, config, schema_map, user_config_folder, user_config, keys } = paths;
  const known = (path: typeof state) => ({
    value: path.exists ? path.value : `${path.value} (not there)`,
    from: path.from,
  });
  const trust = config.trusted ? ' (trusted)' : '';
  return [
    { name: 'working folder', value: paths.working_folder },
    ...docs.map((root) => lineOf(root.name === null ? 'docs' : `docs ${root.name}`, known(root))),
    lineOf('state folder', known(state)),
    lineOf('config file', { ...known(config), value: `${known(config).value}${trust}` }),
    ...(schema_map === null ? [] : [lineOf('schema map', schema_map)]),
    lineOf('your config folder', known(user_config_folder)),
    lineOf('your config', known(user_config)),
    lineOf('your keys', known(keys)),
  ];
}

function lineOf(name: string, { value, from }: Setting<unknown>): Line {
  return { name, value: typeof value === 'object' ? JSON.stringify(value) : String(value), from };
}

function writePart(output: Output, title: string, lines: readonly Line[]): void {
  output.write(`${output.style('bold', title)}\n`);
  const shown = lines.map((line) => ({ ...line, value: printable(line.value) }));
  const nameWidth = Math.max(...shown.map(({ name }) => displayWidth(name)));
  for (const { name, value, from } of shown) {
    const origin = from === undefined ? '' : output.style('dim', ` (${from})`);
    output.write(`${GAP}${name.padEnd(nameWidth)}${GAP}${value}${origin}`.trimEnd().concat('\n'));
  }
}
