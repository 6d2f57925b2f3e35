import type { Child } from '@runward/testing/child';
import { peakMemoryKb } from '@runward/testing/measuring/peak-memory';
import { hasEnded } from '@runward/testing/program';

/** The most that the process of the service has used. */
export interface Peaks {
  readonly heapMb: number;
  readonly residentMb: number;
  /** The longest that its health check has taken, in milliseconds. */
  readonly healthMs: number;
}

const sampleMs = 500;

/** Samples the memory of the service and its health, until `stop`. */
export function watchProcess(service: Child & { readonly baseUrl: string }) {
  const stopping = new AbortController();
  const { process: watched } = service;
  let heapMb = 0;
  let healthMs = 0;
  const sampled = (async () => {
    while (!stopping.signal.aborted && !hasEnded(watched)) {
      const began = performance.now();
      const metrics = await fetch(`${service.baseUrl}/metrics`).then(
        (response) => response.text(),
        () => '',
      );
      healthMs = Math.max(healthMs, performance.now() - began);
      const bytes = Number(/^nodejs_heap_size_used_bytes (\S+)$/m.exec(metrics)?.[1] ?? 0);
      heapMb = Math.max(heapMb, bytes / 1_000_000);
      await new Promise((resolve) => setTimeout(resolve, sampleMs));
    }
  })();
  return {
    /** Ends the watch. `end` is null if the process still runs. */
    stop: async (): Promise<{ readonly peaks: Peaks; readonly end: string | null }> => {
      stopping.abort();
      await sampled;
      // A process that has ended has none.
      const residentMb = (await peakMemoryKb(service.pid).catch(() => 0)) / 1_024;
      const end = hasEnded(watched) ? String(await service.ended) : null;
      return { peaks: { heapMb, residentMb, healthMs }, end };
    },
  };
}
