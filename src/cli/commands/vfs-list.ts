import { isoTime } from '../../core/iso-time.ts';
import { nsToMs } from '../../core/node-info.ts';
import { childOf, parsePath, type VfsPath } from '../../core/paths.ts';
import type { DirEntry, NodeInfo } from '../../core/resolver.ts';
import { printableName } from '../../text/printable.ts';
import type { SystemFs } from '../../vfs/system-fs.ts';
import { defineCommand } from '../command.ts';
import { type Output, writeJson } from '../io.ts';
import { withProject } from '../project.ts';

export const vfsList = defineCommand({
  verb: 'vfs list',
  summary: 'the names in a folder of the tree, as ls shows them in the mount',
  positionals: { path: { summary: 'path in the mount, such as /graph/types', count: 'optional' } },
  options: {
    long: { type: 'boolean', short: 'l', summary: 'also show mode, size, time and the targets of links' },
  },
  example: 'kgraphfs vfs list /graph/types --docs docs/sample',
  run: (args, io) =>
    withProject(args, io, async ({ fs }) => {
      const path = parsePath(args.path ?? '/');
      const names = await namesAt(fs, path);
      if (!args.json && !args.long) {
        for (const { name } of names) io.out.write(`${io.out.isTerminal ? printableName(name) : name}\n`);
        return 0;
      }
      const entries = await Promise.all(names.map(({ name, at }) => entryView(fs, name, at)));
      if (args.json) writeJson(io.out, entries);
      else writeLong(io.out, entries);
      return 0;
    }),
});

interface Named {
  readonly name: string;
  readonly at: VfsPath;
}

/** The entries of a folder; for a file, the file itself, as ls does. */
async function namesAt(fs: SystemFs, path: VfsPath): Promise<Named[]> {
  const { followLinks } = await import('../../vfs/follow-links.ts');
  const target = await followLinks(fs, path, {});
  const { kind } = await fs.stat(target, {});
  if (kind !== 'directory') return [{ name: path, at: path }];
  const entries: readonly DirEntry[] = await fs.list(target, {});
  return entries.map(({ name }) => ({ name, at: childOf(target, name) }));
}

async function entryView(fs: SystemFs, name: string, at: VfsPath) {
  const info: NodeInfo = await fs.stat(at, {});
  return {
    name,
    kind: info.kind,
    mode: info.mode.toString(8).padStart(4, '0'),
    size_bytes: info.sizeBytes,
    modified_at: isoTime(nsToMs(info.modifiedNs)),
    ...(info.kind === 'link' ? { target: await fs.readLink(at, {}) } : {}),
  };
}

function writeLong(output: Output, entries: readonly Awaited<ReturnType<typeof entryView>>[]): void {
  const width = Math.max(0, ...entries.map(({ size_bytes }) => String(size_bytes).length));
  for (const { name, kind, mode, size_bytes, modified_at, target } of entries) {
    const initial = kind === 'directory' ? 'd' : kind === 'link' ? 'l' : '-';
    const shown = printableName(name) + (target === undefined ? '' : ` -> ${printableName(target)}`);
    output.write(
      `${initial} ${mode} ${String(size_bytes).padStart(width)} ${modified_at.slice(0, 16)}Z ${shown}\n`,
    );
  }
}
