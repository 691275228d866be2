import { systemCodeOf } from '../core/errors.ts';
import {
  attributeNames,
  attributeOf,
  removeAttributeOf,
  setAttributeOf,
} from '../system/extended-attributes.ts';

/**
 * Access control lists, such as `system.posix_acl_access` and `system.nfs4_acl`, and attributes that people set. All others belong to the kernel, and
 * follow from place or content.
 */
const KEPT = /^(?:system|user)\./;
/** The flag of setxattr(2): whether it exists or not. */
const ANY = 0;

/**
 * Gives a new file the access control list and the attributes of the file that it will replace, and removes those that it has from its folder.
 * @returns whether it has all of them now
 */
export function takeAttributes(made: string, old: string): boolean {
  try {
    const names = keptNames(old);
    for (const name of keptNames(made)) if (!names.includes(name)) removeAttributeOf(made, name);
    return names.every((name) => isTaken(made, old, name));
  } catch (error) {
    // The disk refuses it.
    if (systemCodeOf(error) === undefined) throw error;
    return false;
  }
}

function keptNames(path: string): string[] {
  return attributeNames(path).filter((name) => KEPT.test(name));
}

/** A name that is not UTF-8 does not find an attribute. */
function isTaken(made: string, old: string, name: string): boolean {
  const value = attributeOf(old, name);
  if (value === undefined) return false;
  setAttributeOf(made, name, value, ANY);
  return true;
}
