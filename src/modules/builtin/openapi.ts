/** The module `openapi`: the operations and schemas of an OpenAPI file as documents. */
import { readFileSync, type Stats, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { z } from 'zod';
import { reasonOf, systemCodeOf } from '../../core/errors.ts';
import type { ModuleHost, ModuleName, ModulePlace, ModuleResolver } from '../module.ts';
import { type ApiDocument, documentsOf } from './openapi-documents.ts';
import { parseApi } from './openapi-parse.ts';

export const config = z.strictObject({
  /** The description: OpenAPI 3 or Swagger 2, JSON or YAML. Relative to the folder of the config file. */
  file: z.string().min(1),
});

const MAX_FILE_BYTES = 16 << 20;

export function resolver({ file }: z.infer<typeof config>, host: ModuleHost): ModuleResolver {
  const api = new ApiFile(resolve(host.folder, file), host);
  return { at: (path) => api.at(path), revision: () => api.revision() };
}

/** A folder of documents, or a document. */
type Tree = { readonly [name: string]: Tree | ApiDocument };

class ApiFile {
  readonly #file: string;
  readonly #host: ModuleHost;
  #read: { readonly stamp: string; readonly modifiedMs: number; readonly tree: Tree } | undefined;

  constructor(file: string, host: ModuleHost) {
    this.#file = file;
    this.#host = host;
  }

  at(path: readonly string[]): ModulePlace | undefined {
    const { tree, modifiedMs } = this.#now();
    let found: Tree | ApiDocument | undefined = tree;
    for (const name of path) {
      if (found === undefined || isDocument(found)) return undefined;
      found = Object.hasOwn(found, name) ? found[name] : undefined;
    }
    if (found === undefined) return undefined;
    if (isDocument(found)) return { file: found.text, modified: modifiedMs };
    return { folder: namesIn(found), modified: modifiedMs };
  }

  revision(): string {
    return this.#now().stamp;
  }

  /** The tree of the file as it is now. @throws Error if it cannot be read */
  #now() {
    const status = this.#status();
    if (!status.isFile() || status.size > MAX_FILE_BYTES)
      throw new Error(`${this.#file}: this is not a file of at most ${MAX_FILE_BYTES} bytes`);
    const stamp = `${status.size} ${status.mtimeMs} ${status.ctimeMs} ${status.ino}`;
    if (this.#read?.stamp === stamp) return this.#read;
    const api = parseApi(readFileSync(this.#file, 'utf8'), this.#file);
    const tree = treeOf(documentsOf(api, (message) => this.#host.note(`${this.#file}: ${message}`)));
    this.#read = { stamp, modifiedMs: status.mtimeMs, tree };
    return this.#read;
  }

  #status(): Stats {
    try {
      return statSync(this.#file);
    } catch (error) {
      // Without the error's own code: the missing file is not the one that the caller asked for.
      const wayOut = `put it there, or name another one in the config (modules.${this.#host.name}.file)`;
      const why = systemCodeOf(error) === 'ENOENT' ? 'it is not there' : reasonOf(error);
      throw new Error(`${this.#file}: the OpenAPI file cannot be read: ${why}; ${wayOut}`);
    }
  }
}

function treeOf(documents: readonly ApiDocument[]): Tree {
  const top: Record<string, Tree | ApiDocument> = Object.create(null);
  for (const document of documents) {
    let folder = top;
    for (const name of document.path.slice(0, -1)) {
      const next = folder[name] ?? Object.create(null);
      if (isDocument(next)) break;
      folder[name] = next;
      folder = next;
    }
    folder[document.path.at(-1) ?? ''] = document;
  }
  return top;
}

function isDocument(found: Tree | ApiDocument): found is ApiDocument {
  return typeof found['text'] === 'string';
}

function namesIn(tree: Tree): ModuleName[] {
  return Object.entries(tree).map(([name, found]) => (isDocument(found) ? name : `${name}/`));
}
