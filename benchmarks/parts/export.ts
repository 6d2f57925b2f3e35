import { contract } from '@runward/contract';

/** The measurements of an export of all runs. Times are in seconds since the request. */
export interface Export {
  readonly runs: number;
  /** Until the first bytes arrived. */
  readonly firstByte: number;
  /** Until the last bytes arrived. */
  readonly last: number;
  readonly megabytes: number;
}

/** Downloads the runs selected by a query as CSV. Throws on an error response, or unless there is one line per run. */
export async function measureExport(
  baseUrl: string,
  headers: Readonly<Record<string, string>>,
  runs: number,
  query = '',
): Promise<Export> {
  const { method, path } = contract.runs.exportCsv;
  const start = performance.now();
  const seconds = () => (performance.now() - start) / 1_000;
  const response = await fetch(`${baseUrl}${path}${query}`, { method, headers });
  if (!response.ok || !response.body) throw new Error(`The export failed with status ${response.status}.`);
  let firstByte = NaN;
  let bytes = 0;
  let lines = 0;
  for await (const chunk of response.body) {
    if (bytes === 0) firstByte = seconds();
    bytes += chunk.length;
    for (const byte of chunk) if (byte === lineFeed) lines += 1;
  }
  if (lines !== runs + 1) throw new Error(`The export has ${lines} lines instead of ${runs + 1}.`);
  return { runs, firstByte, last: seconds(), megabytes: bytes / 1e6 };
}

const lineFeed = 10;
