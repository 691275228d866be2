/** What a mount of ours is called in `subtype=`. */
export const MOUNT_SUBTYPE = 'kgraphfs';

/** `type` of such a mount in /proc/mounts and mountinfo. */
export const MOUNT_TYPE = `fuse.${MOUNT_SUBTYPE}`;
