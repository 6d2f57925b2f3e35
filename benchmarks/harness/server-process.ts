import { startChild, untilServing, type Child, type ChildOptions } from '@runward/testing/child';
import { freePort } from '@runward/testing/ports';

/** An HTTP server in a separate process. */
export interface ServerProcess extends Child {
  readonly baseUrl: string;
}

/** Starts a program that serves HTTP on the port in `PORT`, and waits until a GET of `path` succeeds. */
export async function startServer(file: string, options: ChildOptions, path: string): Promise<ServerProcess> {
  const port = await freePort();
  const child = startChild(file, { ...options, env: { ...process.env, ...options.env, PORT: String(port) } });
  const baseUrl = `http://127.0.0.1:${port}`;
  await untilServing(baseUrl + path, child);
  return { ...child, baseUrl };
}
