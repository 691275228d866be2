import { isMarkdown } from '../core/markdown-ending.ts';

/** How a file is used: markdown is read into the graph, text is searched, anything else is only shown. */
export type ContentKind = 'markdown' | 'text' | 'binary';

const BINARY = new Set(
  [
    'png jpg jpeg gif webp avif bmp ico tif tiff heic psd ai sketch fig',
    'mp3 m4a ogg opus wav flac mp4 m4v mov avi mkv webm',
    'pdf doc docx xls xlsx ppt pptx odt ods odp pages numbers key epub mobi',
    'zip gz tgz bz2 xz zst 7z rar tar jar war deb rpm dmg iso whl',
    'woff woff2 ttf otf eot exe dll so dylib a o class pyc wasm bin dat db sqlite sqlite3 parquet',
  ].flatMap((line) => line.split(' ')),
);

/** The kind by the ending alone. A file whose ending says nothing counts as text until it is read. */
export function contentKindOf(name: string): ContentKind {
  if (isMarkdown(name)) return 'markdown';
  const ending = name.slice(name.lastIndexOf('.') + 1).toLowerCase();
  if (ending.length === name.length) return 'text';
  return BINARY.has(ending) ? 'binary' : 'text';
}
