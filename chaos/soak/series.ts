/** A value at a time, in minutes since the clients began. */
export interface Point {
  readonly minutes: number;
  readonly value: number;
}

/**
 * What is measured again and again. Memory is in megabytes, everything else is a number of things. The caches of the
 * service have bounds in bytes, which they reach after hours; what they hold is therefore measured by itself, and not
 * part of the memory in use.
 */
export type Measure =
  | 'memory in use'
  | 'memory outside the heap'
  | 'resident memory'
  | 'caches'
  | 'resident memory of child processes'
  | 'private memory of a connection'
  | 'open files'
  | 'connections to PostgreSQL'
  | 'child processes'
  | 'timers'
  | 'sockets'
  | 'temporary files'
  | 'pending work';

/** What a process, or all of them, held over time. */
export interface Series {
  /** The name of the process; `service` for what its processes share. */
  readonly of: string;
  readonly measure: Measure;
  readonly points: readonly Point[];
}

/** Series that grow. */
export interface Recorder {
  readonly series: readonly Series[];
  record(of: string, measure: Measure, point: Point): void;
}

/** Creates a recorder without series. */
export function createRecorder(): Recorder {
  const series: (Series & { readonly points: Point[] })[] = [];
  return {
    series,
    record: (of, measure, point) => {
      const found = series.find((each) => each.of === of && each.measure === measure);
      if (found) found.points.push(point);
      else series.push({ of, measure, points: [point] });
    },
  };
}
