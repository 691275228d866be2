import type { Owner } from '../core/changes.ts';
import { FsError } from '../core/errors.ts';

/** chown(2): memories belong to the user who mounts them, and cannot be given to anybody else. @throws FsError EPERM */
export function requireOurs({ user, group }: Owner, path: string): void {
  const isOurs = (id: number | undefined, ours: number | undefined): boolean =>
    id === undefined || ours === undefined || id === ours;
  if (isOurs(user, process.getuid?.()) && isOurs(group, process.getgid?.())) return;
  throw new FsError('EPERM', path, 'memories belong to the user who mounts them');
}
