import { existsSync } from 'node:fs';
import type { CommonArguments } from './command.ts';
import type { Io } from './io.ts';
import { findPlace, type Place } from './project.ts';

/**
 * As `findPlace`, for what needs no docs: they may be away where there is a state folder that was worked in.
 * @throws UserError as `findPlace`
 */
export async function findKeptPlace(args: CommonArguments, io: Io): Promise<Place> {
  try {
    return await findPlace(args, io);
  } catch (error) {
    // Where it fails again, the first error says why.
    const place = await findPlace({ ...args, mayMissDocs: true }, io).catch(() => undefined);
    if (place !== undefined && existsSync(place.state.contextFile)) return place;
    throw error;
  }
}
