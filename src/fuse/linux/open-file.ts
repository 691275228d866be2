import { recover } from '../../core/awaitable.ts';
import type { Awaitable, NodeInfo, OpenFile } from '../../core/resolver.ts';

/** A file that is not handed over is closed. @throws TypeError where a resolver, which may be JavaScript, opened what is none: as a handle it would go wrong later */
export function handOver<T>(file: OpenFile, answer: () => Awaitable<T>): Awaitable<T> {
  if (typeof file.close !== 'function') throw new TypeError('what was opened is no file');
  return recover<T, never>(answer, (error) => {
    file.close();
    throw error;
  });
}

/** Whether a file that was opened is the version that is told of. Where it does not say which one it is, its size has to tell. */
export function isVersionOf(info: NodeInfo, { version, sizeBytes }: OpenFile): boolean {
  return info.version === version && (version !== undefined || info.sizeBytes === sizeBytes);
}

/**
 * What stat(2) shows of a version that may have been followed by another since it was opened.
 * @param info found no sooner than the file, so that whoever is told of a later one sees that it is another
 */
export function infoOfVersion(info: NodeInfo, file: OpenFile): NodeInfo {
  const { version = info.version, sizeBytes, modifiedNs = info.modifiedNs } = file;
  return { ...info, sizeBytes, modifiedNs, ...(version === undefined ? {} : { version }) };
}
