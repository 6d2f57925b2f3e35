/** The floor of deliveries: undici alone, in a process of its own. Takes one job after the other by message. */
import { Agent, request } from 'undici';

/** Bodies to post, each once, in turn to each of the places. */
export interface PostJob {
  readonly urls: readonly string[];
  readonly bodies: readonly string[];
  /** Requests under way at a time. */
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
// Whoever started this waits for it.
process.send?.('ready');

async function post({ urls, bodies, concurrency }: PostJob): Promise<void> {
  const waiting = bodies.entries();
  const work = async () => {
    for (const [index, body] of waiting) {
      const url = urls[index % urls.length] ?? '';
      const answer = await request(url, { dispatcher: agent, method: 'POST', headers, body });
      await answer.body.dump();
      if (answer.statusCode !== 204) throw new Error(`${url} answered ${answer.statusCode}.`);
    }
  };
  await Promise.all(Array.from({ length: concurrency }, work));
  process.send?.('done');
}
