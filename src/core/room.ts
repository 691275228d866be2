/** What a disk says to who would store more. */
export type NoRoom = 'ENOSPC' | 'EDQUOT';

export const NO_ROOM: Readonly<Record<NoRoom, string>> = {
  ENOSPC: 'the disk with the state folder is full',
  EDQUOT: 'the disk with the state folder has a quota for this user, and it is used up',
};

export function isNoRoom(code: unknown): code is NoRoom {
  return code === 'ENOSPC' || code === 'EDQUOT';
}

/** Room on the disk of the state folder that is held for what programs have been told is written. */
export interface Room {
  /** Why so much more cannot be stored; undefined where it can, as far as that is known. Some is held from then on, where the disk can do that. */
  whyNone(sizeBytes: number): NoRoom | undefined;
  /** Lets go of what is held, for what was refused to be stored. @returns whether something was */
  release(): boolean;
}
