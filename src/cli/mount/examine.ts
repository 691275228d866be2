import { reasonOf, UserError } from '../../core/errors.ts';
import { sum } from '../../core/sum.ts';
import { type Diagnosis, diagnose } from '../../doctor/diagnose.ts';
import { type FactSources, type Facts, gatherFacts } from '../../doctor/facts.ts';
import { ownMountPoints } from '../../source/own-mounts.ts';
import type { CommonArguments } from '../command.ts';
import { countDocuments } from '../docs-candidates.ts';
import type { Io } from '../io.ts';
import { findPlace } from '../project.ts';
import { askMount } from './ask-mount.ts';
import { DRIVER_ORDER } from './drivers.ts';

/** Checks what would prevent a mount here with these arguments. */
export async function examine(args: CommonArguments, io: Io): Promise<Diagnosis> {
  const { stateFolder, docs } = await findFolders(args, io);
  const { whyNoDatabase } = await import('../../store/not-loaded.ts');
  const { whyNoVectors } = await import('../../store/vector-store.ts');
  const modules = () => moduleFacts(args, io);
  return diagnose(
    await gatherFacts({ stateFolder, docs, mounts: ownMounts, whyNoDatabase, whyNoVectors, modules }),
    DRIVER_ORDER,
  );
}

async function findFolders(
  args: CommonArguments,
  io: Io,
): Promise<Pick<FactSources, 'stateFolder' | 'docs'>> {
  try {
    const { settings, state } = await findPlace(args, io);
    const folders = settings.selection.folders.map(({ folder }) => folder);
    const documents = sum(folders.map((folder) => countDocuments(folder)));
    return { stateFolder: { path: state.path }, docs: { folders, documents } };
  } catch (error) {
    if (error instanceof UserError) return { stateFolder: { problem: reasonOf(error) }, docs: undefined };
    throw error;
  }
}

/** Has each module list what it shows. */
async function moduleFacts(args: CommonArguments, io: Io): Promise<Facts['modules']> {
  const place = await findPlace(args, io).catch((error: unknown) => {
    if (error instanceof UserError) return undefined;
    throw error;
  });
  if (place === undefined) return [];
  const [{ chooseModules }, { Modules }] = await Promise.all([
    import('../../config/modules.ts'),
    import('../../modules/modules.ts'),
  ]);
  const choices = chooseModules(place.settings.modules, io.environment.variables);
  const modules = new Modules({
    choices,
    docs: place.settings.selection,
    stateFolder: place.state.modulesFolder,
    report: () => {},
  });
  try {
    const views = await modules.examine();
    const facts = views.map(({ name, error }) => ({ name, problem: withName(name, error) }));
    return choices.problem === undefined ? facts : [...facts, { name: '', problem: choices.problem }];
  } finally {
    modules.close();
  }
}

function withName(name: string, error: string | null): string | undefined {
  if (error === null || error.includes(`modules.${name}:`)) return error ?? undefined;
  return `modules.${name}: ${error}`;
}

async function ownMounts(): Promise<Facts['mounts']> {
  const points = ownMountPoints();
  return Promise.all(points.map(async (point) => ({ point, health: (await askMount(point)).kind })));
}
