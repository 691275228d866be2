/** The errors of a disk that has no room for more. */
export type NoRoom = 'ENOSPC' | 'EDQUOT';

export const NO_ROOM: Readonly<Record<NoRoom, string>> = {
  ENOSPC: 'the disk with the state folder is full',
  EDQUOT: 'the disk with the state folder has a quota for this user, and it is used up',
};

export function isNoRoom(code: unknown): code is NoRoom {
  return code === 'ENOSPC' || code === 'EDQUOT';
}

/** Room on the disk of the state folder, held in reserve for content that programs already believe to be written. */
export interface Room {
  /** Why so much more cannot be stored; undefined if it can, as far as anybody knows. From then on some room is held in reserve, if the disk can do that. */
  whyNone(sizeBytes: number): NoRoom | undefined;
  /** Gives the reserve up, for content that the disk refused to store. @returns whether there was any */
  release(): boolean;
}
