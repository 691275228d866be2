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

/** The least of several times, or the first that is below the limit, since further ones would tell nothing more. */
export function leastCpuMsOf(
  action: () => unknown,
  { times, limitMs }: { times: number; limitMs: number },
): number {
  let leastMs = Number.POSITIVE_INFINITY;
  for (let time = 0; time < times && leastMs >= limitMs; time += 1)
    leastMs = Math.min(leastMs, cpuMsOf(action));
  return leastMs;
}
