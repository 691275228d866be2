import { systemCodeOf } from '../core/errors.ts';
import {
  attributeNames,
  attributeOf,
  removeAttributeOf,
  setAttributeOf,
} from '../system/extended-attributes.ts';

/** Lists of who may do what, such as `system.posix_acl_access` and `system.nfs4_acl`, and what people note; all others are the kernel's, and follow from place or content. */
const KEPT = /^(?:system|user)\./;
/** Of setxattr(2): whether it is there or not. */
const ANY = 0;

/**
 * Gives a new file the access control list and the attributes of the one that it is to replace, and takes from it those that it has of its folder.
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

/** No attribute is found by a name that is no UTF-8. */
function isTaken(made: string, old: string, name: string): boolean {
  const value = attributeOf(old, name);
  if (value === undefined) return false;
  setAttributeOf(made, name, value, ANY);
  return true;
}
