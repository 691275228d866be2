/** Room for what was made a moment ago, in MiB: three times as much is kept for it. V8 would take 16. */
export const DAEMON_V8_FLAGS: readonly string[] = ['--max-semi-space-size=4'];
