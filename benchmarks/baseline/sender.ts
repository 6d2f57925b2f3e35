/** The baseline for deliveries: undici alone, in a separate process. Takes one job at a time by message. */
import { Agent, request } from 'undici';

/** Bodies to post, each once, to each of the URLs in turn. */
export interface PostJob {
  readonly urls: readonly string[];
  readonly bodies: readonly string[];
  /** Requests in flight at a time. */
  readonly concurrency: number;
}

const agent = new Agent();
const headers = {
  'content-type': 'application/json',
  'user-agent': 'Runward-Benchmark',
  'accept-encoding': 'identity',
};

process.on('message', (job: PostJob) => void post(job));
process.on('disconnect', () => process.exit(0));
// The parent process waits for this.
process.send?.('ready');

async function post({ urls, bodies, concurrency }: PostJob): Promise<void> {
  const waiting = bodies.entries();
  const work = async () => {
    for (const [index, body] of waiting) {
      const url = urls[index % urls.length] ?? '';
      const response = await request(url, { dispatcher: agent, method: 'POST', headers, body });
      await response.body.dump();
      if (response.statusCode !== 204) throw new Error(`POST ${url} returned ${response.statusCode}.`);
    }
  };
  await Promise.all(Array.from({ length: concurrency }, work));
  process.send?.('done');
}
