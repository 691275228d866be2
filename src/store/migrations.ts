/**
 * The schema, as a list of steps; `user_version` of the file counts the steps taken. A step that has been released is never changed.
 *
 * A document's contribution (mentions, statements, aliases) belongs to its row and is removed with it. Nodes and edges are derived: they are what
 * `src/graph/projection.ts` makes of all contributions together.
 */
export const MIGRATIONS: readonly string[] = [
  `
  CREATE TABLE meta (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;

  CREATE TABLE documents (
    id INTEGER PRIMARY KEY,
    path TEXT NOT NULL UNIQUE,
    stamp TEXT NOT NULL,
    sha256 TEXT NOT NULL,
    extractor_version INTEGER NOT NULL,
    title TEXT NOT NULL,
    indexed_ms INTEGER NOT NULL
  );

  CREATE TABLE keys (id INTEGER PRIMARY KEY, key TEXT NOT NULL UNIQUE);

  CREATE TABLE mentions (
    key_id INTEGER NOT NULL,
    document_id INTEGER NOT NULL REFERENCES documents (id) ON DELETE CASCADE,
    declares INTEGER NOT NULL,
    body TEXT NOT NULL,
    PRIMARY KEY (key_id, document_id)
  ) WITHOUT ROWID;
  CREATE INDEX mentions_that_declare ON mentions (key_id) WHERE declares = 1;
  CREATE INDEX mentions_by_document ON mentions (document_id);

  CREATE TABLE statements (
    source_id INTEGER NOT NULL,
    resolved_id INTEGER NOT NULL,
    type TEXT NOT NULL,
    target_id INTEGER NOT NULL,
    document_id INTEGER NOT NULL REFERENCES documents (id) ON DELETE CASCADE,
    body TEXT NOT NULL,
    PRIMARY KEY (source_id, resolved_id, type, target_id, document_id)
  ) WITHOUT ROWID;
  CREATE INDEX statements_by_target ON statements (target_id);
  CREATE INDEX statements_by_resolved ON statements (resolved_id);
  CREATE INDEX statements_by_document ON statements (document_id);

  CREATE TABLE aliases (
    alias_id INTEGER NOT NULL,
    document_id INTEGER NOT NULL REFERENCES documents (id) ON DELETE CASCADE,
    PRIMARY KEY (alias_id, document_id)
  ) WITHOUT ROWID;
  CREATE INDEX aliases_by_document ON aliases (document_id);

  CREATE TABLE problems (
    path TEXT NOT NULL,
    origin TEXT NOT NULL,
    line INTEGER NOT NULL,
    code TEXT NOT NULL,
    message TEXT NOT NULL
  );
  CREATE INDEX problems_by_path ON problems (path);

  CREATE TABLE nodes (
    id INTEGER PRIMARY KEY,
    key TEXT NOT NULL UNIQUE,
    type TEXT NOT NULL,
    label TEXT NOT NULL,
    base_name TEXT NOT NULL,
    display TEXT NOT NULL,
    name TEXT NOT NULL,
    folded_name TEXT NOT NULL,
    description TEXT NOT NULL,
    properties TEXT NOT NULL,
    weight REAL NOT NULL,
    confidence REAL NOT NULL,
    sources TEXT NOT NULL,
    changed_ms INTEGER NOT NULL,
    revision INTEGER NOT NULL
  );
  CREATE INDEX nodes_by_name ON nodes (name);
  CREATE INDEX nodes_by_folded_name ON nodes (folded_name);
  CREATE INDEX nodes_by_base_name ON nodes (base_name);
  CREATE INDEX nodes_by_type ON nodes (type, name);

  CREATE TABLE edges (
    source_id INTEGER NOT NULL,
    target_id INTEGER NOT NULL,
    type TEXT NOT NULL,
    weight REAL NOT NULL,
    confidence REAL NOT NULL,
    description TEXT NOT NULL,
    evidence TEXT NOT NULL,
    PRIMARY KEY (source_id, target_id, type)
  ) WITHOUT ROWID;
  CREATE INDEX edges_by_target ON edges (target_id);
  CREATE INDEX edges_by_type ON edges (type);
  `,
  `
  ALTER TABLE nodes ADD COLUMN listed_ms INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE nodes ADD COLUMN listed_revision INTEGER NOT NULL DEFAULT 0;
  UPDATE nodes SET listed_ms = changed_ms, listed_revision = revision;
  CREATE INDEX nodes_by_revision ON nodes (revision);
  DROP INDEX nodes_by_name;
  CREATE INDEX nodes_by_name ON nodes (name, type);

  CREATE TABLE listings (
    listing TEXT PRIMARY KEY,
    revision INTEGER NOT NULL,
    changed_ms INTEGER NOT NULL
  ) WITHOUT ROWID;
  INSERT INTO listings
    SELECT listing, ifnull((SELECT value FROM meta WHERE name = 'revision'), 0),
      ifnull((SELECT value FROM meta WHERE name = 'built_at_ms'), 0)
    FROM (SELECT DISTINCT type AS listing FROM nodes UNION SELECT DISTINCT type FROM edges
      UNION SELECT 'nodes' UNION SELECT 'graph')
    WHERE EXISTS (SELECT 1 FROM nodes);

  CREATE TABLE gone_names (
    name TEXT NOT NULL,
    type TEXT NOT NULL,
    revision INTEGER NOT NULL,
    PRIMARY KEY (name, type)
  ) WITHOUT ROWID;
  CREATE INDEX gone_names_by_revision ON gone_names (revision);
  INSERT INTO meta SELECT 'gone_known_since', value FROM meta WHERE name = 'revision';
  `,
  `
  CREATE TABLE outlines (
    document_id INTEGER PRIMARY KEY REFERENCES documents (id) ON DELETE CASCADE,
    section_count INTEGER NOT NULL,
    body TEXT NOT NULL,
    changed_ms INTEGER NOT NULL,
    revision INTEGER NOT NULL
  );
  CREATE INDEX outlines_by_revision ON outlines (revision);
  CREATE INDEX outlines_by_section_count ON outlines (section_count);
  `,
  `
  ALTER TABLE documents ADD COLUMN schema_stamp TEXT NOT NULL DEFAULT '';
  `,
  `
  ALTER TABLE documents ADD COLUMN extraction_stamp TEXT NOT NULL DEFAULT '';
  ALTER TABLE edges ADD COLUMN extracted_by TEXT NOT NULL DEFAULT '';
  `,
  `
  DROP INDEX mentions_that_declare;
  CREATE INDEX mentions_that_declare ON mentions (key_id, declares) WHERE declares > 0;
  `,
];
