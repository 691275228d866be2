/** Milliseconds that this process has computed so far, in all its threads: what others do on this machine does not count. */
export function cpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

/** How long it computes while it does something. */
export function cpuMsOf(action: () => unknown): number {
  const startMs = cpuMs();
  action();
  return cpuMs() - startMs;
}
