import { type Schema, WIPE_IT } from './database.ts';

/**
 * Vectors by text and model. The signs, which are scanned for each question, are stored apart from the numbers, which are read for a few hundred texts: a row
 * of both would be thirty times as long.
 */
export const VECTOR_SCHEMA: Schema = {
  what: 'file of vectors',
  migrations: [
    `
    CREATE TABLE models (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, dimensions INTEGER NOT NULL);

    CREATE TABLE vectors (
      id INTEGER PRIMARY KEY,
      model_id INTEGER NOT NULL REFERENCES models (id) ON DELETE CASCADE,
      text_hash BLOB NOT NULL,
      signs BLOB NOT NULL,
      UNIQUE (model_id, text_hash)
    );
    CREATE TABLE embeddings (
      id INTEGER PRIMARY KEY REFERENCES vectors (id) ON DELETE CASCADE,
      embedding BLOB NOT NULL
    );

    CREATE TABLE questions (
      id INTEGER PRIMARY KEY,
      model_id INTEGER NOT NULL REFERENCES models (id) ON DELETE CASCADE,
      question_hash BLOB NOT NULL,
      embedding BLOB NOT NULL,
      UNIQUE (model_id, question_hash)
    );

    CREATE TABLE lease (
      one INTEGER PRIMARY KEY CHECK (one = 1),
      holder TEXT NOT NULL,
      pid INTEGER NOT NULL,
      start_ticks TEXT NOT NULL,
      until_ms INTEGER NOT NULL
    );
    `,
    `
    CREATE TABLE users (holder TEXT PRIMARY KEY, model TEXT NOT NULL, pid INTEGER NOT NULL, start_ticks TEXT NOT NULL) WITHOUT ROWID;
    `,
  ],
  wayOutOfDamage: 'remove the file; texts are then embedded anew',
  wayOutOfNewer: WIPE_IT,
};
