/** Packages that no bundle contains: those with native code, which they find beside themselves, and those that are large and seldom used. */
export const OUTSIDE = ['better-sqlite3', 'koffi', 'fuse-native', 'sqlite-vec', 'gpt-tokenizer', 'openai'];
