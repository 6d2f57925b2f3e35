import { readFile } from 'node:fs/promises';
import type { Child } from '@runward/testing/child';

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
      // The kernel keeps the peak, so that no sample can miss it.
      const status = await readFile(`/proc/${service.pid}/status`, 'utf8').catch(() => '');
      const residentMb = Number(/^VmHWM:\s+(\d+) kB$/m.exec(status)?.[1] ?? 0) / 1_024;
      const end = hasEnded(watched) ? String(await service.ended) : null;
      return { peaks: { heapMb, residentMb, healthMs }, end };
    },
  };
}

function hasEnded({ exitCode, signalCode }: Child['process']): boolean {
  return exitCode !== null || signalCode !== null;
}
