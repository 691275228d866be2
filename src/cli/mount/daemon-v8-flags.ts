/** The size of V8's space for new objects, in MiB. V8 sets aside three times as much. Its own default is 16. */
export const DAEMON_V8_FLAGS: readonly string[] = ['--max-semi-space-size=4'];
