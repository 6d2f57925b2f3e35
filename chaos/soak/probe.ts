/**
 * Loaded into a process of the service before its own code (`--import`), by `--soak`. It reports what the process
 * holds when its parent asks. Needs `--expose-gc`.
 */

/** What the parent process asks for: a reading, after everything unreachable was collected if `collect`. */
export interface ProbeRequest {
  readonly probe: 'read';
  readonly collect: boolean;
}

/** What a process holds. Memory is in bytes. */
export interface ProbeReading {
  readonly heapUsed: number;
  /** Memory outside the heap that objects own, buffers included. */
  readonly external: number;
  /** What the heap has reserved, used or not. What it no longer reserves may stay resident. */
  readonly heapReserved: number;
  readonly resident: number;
  /** The number of timers, sockets and the like that keep the process running, by kind. */
  readonly resources: Readonly<Record<string, number>>;
  /** Seconds of processor time since the process started. */
  readonly processorSeconds: number;
}

/** The environment variable that enables the probe. */
export const probeVariable = 'RUNWARD_SOAK_PROBE';

// Processes that the service starts get the same options of Node, but have no parent that asks.
if (process.env[probeVariable] !== undefined) {
  delete process.env[probeVariable];
  process.on('message', (message) => {
    if (!isRequest(message)) return;
    if (message.collect) globalThis.gc?.();
    process.send?.(read());
  });
  // The channel must not keep the process running.
  process.channel?.unref();
}

function isRequest(message: unknown): message is ProbeRequest {
  return typeof message === 'object' && message !== null && 'probe' in message;
}

function read(): ProbeReading {
  const { heapUsed, heapTotal: heapReserved, external, rss: resident } = process.memoryUsage();
  const resources: Record<string, number> = {};
  for (const kind of process.getActiveResourcesInfo()) resources[kind] = (resources[kind] ?? 0) + 1;
  const { user, system } = process.cpuUsage();
  return { heapUsed, heapReserved, external, resident, resources, processorSeconds: (user + system) / 1_000_000 };
}
