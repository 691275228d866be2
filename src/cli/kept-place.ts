import { existsSync } from 'node:fs';
import type { CommonArguments } from './command.ts';
import type { Io } from './io.ts';
import { findPlace, type Place } from './project.ts';

/**
 * As `findPlace`, for commands that need no docs: docs may be missing if there is a state folder that was used before.
 * @throws UserError as `findPlace`
 */
export async function findKeptPlace(args: CommonArguments, io: Io): Promise<Place> {
  try {
    return await findPlace(args, io);
  } catch (error) {
    // If the second attempt fails as well, the first error says why.
    const place = await findPlace({ ...args, mayMissDocs: true }, io).catch(() => undefined);
    if (place !== undefined && existsSync(place.state.contextFile)) return place;
    throw error;
  }
}
