import { statfsSync } from 'node:fs';
import type { Database } from './database.ts';
import { MemoryAdoptionTable } from './memory-adoptions.ts';
import { MemoryChangeTable } from './memory-changes.ts';
import { MemoryEntryTable } from './memory-entries.ts';
import { MemoryFolderTable } from './memory-folders.ts';
import { MemoryLinkTable } from './memory-links.ts';
import { MemorySearchableTable } from './memory-searchable.ts';
import { MemoryTextTable } from './memory-texts.ts';
import { MemoryVersionTable } from './memory-versions.ts';

/**
 * A key is stored as its folder and its name in it. Contents and the texts that are searched have their own tables, so that a listing reads neither. A removed
 * entry stays as a row with the time of its removal; any number of removed entries may have had the same name as a live one. `origin` marks an entry that an
 * editor has moved to the name of a backup, and says where it belongs.
 */
export const MEMORY_SCHEMA = `
  CREATE TABLE memory_entries (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    type TEXT NOT NULL,
    folder TEXT NOT NULL,
    name TEXT NOT NULL,
    is_temporary INTEGER NOT NULL,
    origin TEXT,
    size_bytes INTEGER NOT NULL,
    sha256 TEXT NOT NULL,
    mode INTEGER NOT NULL,
    metadata TEXT NOT NULL,
    said TEXT NOT NULL,
    needs_review INTEGER NOT NULL,
    actor TEXT,
    session TEXT,
    reviewer TEXT,
    reviewed_ms INTEGER,
    access_count INTEGER NOT NULL,
    created_ms INTEGER NOT NULL,
    updated_ms INTEGER NOT NULL,
    modified_ms INTEGER NOT NULL,
    modified_rest_ns INTEGER NOT NULL,
    expires_ms INTEGER,
    removed_ms INTEGER,
    version INTEGER NOT NULL
  );
  CREATE UNIQUE INDEX memory_entries_by_place ON memory_entries (type, folder, name) WHERE removed_ms IS NULL;
  CREATE INDEX memory_entries_by_content ON memory_entries (sha256) WHERE removed_ms IS NULL AND is_temporary = 0;
  CREATE INDEX memory_entries_that_wait ON memory_entries (type) WHERE needs_review = 1;
  CREATE INDEX memory_entries_that_expire ON memory_entries (expires_ms) WHERE removed_ms IS NULL AND expires_ms IS NOT NULL;
  CREATE INDEX memory_entries_set_aside ON memory_entries (origin) WHERE origin IS NOT NULL;
  CREATE INDEX memory_entries_removed ON memory_entries (name, folder) WHERE removed_ms IS NOT NULL;
  CREATE INDEX memory_entries_temporary ON memory_entries (updated_ms) WHERE is_temporary = 1;

  CREATE TABLE memory_contents (
    id INTEGER PRIMARY KEY REFERENCES memory_entries (id) ON DELETE CASCADE,
    content BLOB NOT NULL
  );

  CREATE TABLE memory_texts (
    id INTEGER PRIMARY KEY REFERENCES memory_entries (id) ON DELETE CASCADE,
    folded TEXT NOT NULL
  );

  CREATE TABLE memory_folders (
    type TEXT NOT NULL,
    folder TEXT NOT NULL,
    name TEXT NOT NULL,
    mode INTEGER NOT NULL,
    modified_ms INTEGER NOT NULL,
    modified_rest_ns INTEGER NOT NULL,
    PRIMARY KEY (type, folder, name)
  ) WITHOUT ROWID;

  CREATE TABLE memory_versions (
    entry_id INTEGER NOT NULL REFERENCES memory_entries (id) ON DELETE CASCADE,
    version INTEGER NOT NULL,
    sha256 TEXT NOT NULL,
    updated_ms INTEGER NOT NULL,
    replaced_ms INTEGER NOT NULL,
    content BLOB NOT NULL
  );
  CREATE INDEX memory_versions_by_entry ON memory_versions (entry_id, version);
  CREATE INDEX memory_versions_by_time ON memory_versions (replaced_ms);

  CREATE TABLE memory_links (
    from_id INTEGER NOT NULL REFERENCES memory_entries (id) ON DELETE CASCADE,
    relation TEXT NOT NULL,
    to_id INTEGER NOT NULL REFERENCES memory_entries (id) ON DELETE CASCADE,
    weight REAL NOT NULL,
    PRIMARY KEY (from_id, relation, to_id)
  ) WITHOUT ROWID;
  CREATE INDEX memory_links_by_target ON memory_links (to_id);

  CREATE TABLE memory_said_links (
    from_id INTEGER NOT NULL REFERENCES memory_entries (id) ON DELETE CASCADE,
    relation TEXT NOT NULL,
    name TEXT NOT NULL,
    to_id INTEGER REFERENCES memory_entries (id) ON DELETE SET NULL,
    PRIMARY KEY (from_id, relation, name)
  ) WITHOUT ROWID;
  CREATE INDEX memory_said_links_by_name ON memory_said_links (name);
  CREATE INDEX memory_said_links_by_target ON memory_said_links (to_id);

  CREATE VIEW memory_all_links AS
    SELECT from_id, relation, to_id, weight FROM memory_links
    UNION ALL SELECT from_id, relation, to_id, 1 FROM memory_said_links WHERE to_id IS NOT NULL;

  CREATE TABLE memory_changes (
    revision INTEGER PRIMARY KEY,
    place TEXT NOT NULL,
    writer TEXT NOT NULL
  );
`;

/** Everything that is remembered: entries, their contents and versions, folders and links, and the order of their changes. */
export class MemoryTables {
  readonly entries: MemoryEntryTable;
  readonly folders: MemoryFolderTable;
  readonly links: MemoryLinkTable;
  readonly texts: MemoryTextTable;
  readonly versions: MemoryVersionTable;
  readonly adoptions: MemoryAdoptionTable;
  readonly changes: MemoryChangeTable;
  readonly searchable: MemorySearchableTable;
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
    this.entries = new MemoryEntryTable(database);
    this.folders = new MemoryFolderTable(database);
    this.links = new MemoryLinkTable(database);
    this.texts = new MemoryTextTable(database);
    this.versions = new MemoryVersionTable(database);
    this.adoptions = new MemoryAdoptionTable(database);
    this.changes = new MemoryChangeTable(database);
    this.searchable = new MemorySearchableTable(database);
  }

  /** The room of the disk that holds the store. */
  space(): { totalBytes: number; freeBytes: number; totalFiles: number; freeFiles: number } {
    const { bsize, blocks, bavail, files, ffree } = statfsSync(this.#database.name);
    return { totalBytes: bsize * blocks, freeBytes: bsize * bavail, totalFiles: files, freeFiles: ffree };
  }
}
