/** Modes of files and folders, as inode(7) numbers them. */

/** What chmod(2) sets: who may what, set-user-ID, set-group-ID and the sticky bit. */
export const PERMISSION_BITS = 0o7777;
export const SET_USER_ID_BIT = 0o4000;
export const SET_GROUP_ID_BIT = 0o2000;
export const SET_ID_BITS = SET_USER_ID_BIT | SET_GROUP_ID_BIT;
/** Who may what, alone. */
export const ACCESS_BITS = 0o777;
export const OWNER_BITS = 0o700;
/** The group's, and everybody else's. */
export const OTHERS_BITS = 0o077;
export const OWNER_WRITE_BIT = 0o200;

/** What only its owner may use. */
export const PRIVATE_FOLDER_MODE = 0o700;
export const PRIVATE_FILE_MODE = 0o600;
