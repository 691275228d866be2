/** Packages that no bundle holds: what has native code, which finds it beside itself, and what is large and seldom used. */
export const OUTSIDE = ['better-sqlite3', 'koffi', 'fuse-native', 'sqlite-vec', 'gpt-tokenizer', 'openai'];
