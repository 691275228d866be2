import { PAYLOAD } from './answer.ts';
import type { InitRequest } from './request.ts';

/** The version of the protocol that the driver is written for; both sides speak the older of the two. */
const MAJOR = 7;
const MINOR = 38;
/** Of Linux 5.1: the oldest that the driver is served by. */
export const OLDEST_MINOR = 29;

/** The most that one WRITE brings, and one READ asks for. */
export const MAX_TRANSFER_BYTES = 1 << 20;
const MAX_BACKGROUND = 64;
const CONGESTION_THRESHOLD = 48;
const PAGE_BYTES = 4096;

/**
 * `FUSE_…` flags of INIT. FUSE_ASYNC_DIO is not among them: where O_DIRECT may be answered later, the kernel keeps the pages that somebody
 * read meanwhile, and has a write that is cut short by the quota fail with EIO.
 */
const FLAG = {
  asyncRead: 1 << 0,
  bigWrites: 1 << 5,
  readdirplus: 1 << 13,
  readdirplusAuto: 1 << 14,
  noOpen: 1 << 17,
  parallelDirectories: 1 << 18,
  maxPages: 1 << 22,
  cacheSymlinks: 1 << 23,
  noOpenFolder: 1 << 24,
  explicitInvalidation: 1 << 25,
  /** Who writes to a file without the right to leaves it without set-user-ID: the tree sees to that, and the kernel need not ask at each write. */
  clearsPrivileges: 1 << 28,
  /** There are more flags. */
  extended: 1 << 30,
} as const;

/** Bits of `flags2`, which are those from 32 on. */
const MORE = {
  /** A file that is read past the cache may be mapped by MAP_SHARED, too (Linux 6.6). */
  mapsUncached: 1 << 4,
  passThrough: 1 << 5,
} as const;
/** How deep the disks may lie that files are read from instead of from here: on no other mount of this kind. */
const STACK_DEPTH = 1;

/** What both sides agreed on. */
export interface Agreement {
  readonly minor: number;
  readonly maxReadAheadBytes: number;
  readonly flags: number;
  /** Of `flags2`. */
  readonly moreFlags: number;
  /** Whether the kernel may be given files of disks to read from. */
  readonly passesThrough: boolean;
}

/**
 * What the driver wants of what the kernel offers.
 * @param seeOpens whether the kernel is to send opens
 * @param mayPassThrough whether it may be given files of disks
 * @returns undefined where they have no version in common
 */
export function agreeOn(
  offer: InitRequest,
  seeOpens: boolean,
  mayPassThrough = false,
): Agreement | undefined {
  if (offer.major < MAJOR || (offer.major === MAJOR && offer.minor < OLDEST_MINOR)) return undefined;
  let wanted =
    FLAG.asyncRead |
    FLAG.bigWrites |
    FLAG.readdirplus |
    FLAG.readdirplusAuto |
    FLAG.parallelDirectories |
    FLAG.maxPages |
    FLAG.cacheSymlinks |
    FLAG.noOpenFolder |
    FLAG.explicitInvalidation |
    FLAG.clearsPrivileges;
  if (!seeOpens) wanted |= FLAG.noOpen;
  const wantedMore = MORE.mapsUncached | (mayPassThrough && seeOpens ? MORE.passThrough : 0);
  const moreFlags = offer.moreFlags & wantedMore;
  if (moreFlags !== 0) wanted |= FLAG.extended;
  return {
    minor: Math.min(offer.minor, MINOR),
    maxReadAheadBytes: offer.maxReadAheadBytes,
    flags: offer.flags & wanted,
    moreFlags,
    passesThrough: (moreFlags & MORE.passThrough) !== 0,
  };
}

/** `struct fuse_init_out`. To a newer major version the answer is ours alone, and the kernel asks again. */
export function encodeInit(out: Buffer, agreement: Agreement): number {
  const { minor, maxReadAheadBytes, flags, moreFlags, passesThrough } = agreement;
  const sizeBytes = 64;
  out.fill(0, PAYLOAD, PAYLOAD + sizeBytes);
  out.writeUInt32LE(MAJOR, PAYLOAD);
  out.writeUInt32LE(minor, PAYLOAD + 4);
  out.writeUInt32LE(maxReadAheadBytes, PAYLOAD + 8);
  out.writeUInt32LE(flags >>> 0, PAYLOAD + 12);
  out.writeUInt16LE(MAX_BACKGROUND, PAYLOAD + 16);
  out.writeUInt16LE(CONGESTION_THRESHOLD, PAYLOAD + 18);
  out.writeUInt32LE(MAX_TRANSFER_BYTES, PAYLOAD + 20);
  // Times to the nanosecond.
  out.writeUInt32LE(1, PAYLOAD + 24);
  out.writeUInt16LE(MAX_TRANSFER_BYTES / PAGE_BYTES, PAYLOAD + 28);
  out.writeUInt32LE(moreFlags, PAYLOAD + 32);
  if (passesThrough) out.writeUInt32LE(STACK_DEPTH, PAYLOAD + 36);
  return sizeBytes;
}
