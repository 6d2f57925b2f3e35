import { startChild, untilServing, type Child, type ChildOptions } from '@runward/testing/child';
import { freePort } from '@runward/testing/ports';
import type { Target } from './part.ts';

/** An HTTP server in a separate process. */
export type ServerProcess = Child & Target;

/** Starts a program that serves HTTP on the port in `PORT`, and waits until a GET of `path` succeeds. */
export async function startServer(file: string, options: ChildOptions, path: string): Promise<ServerProcess> {
  const port = await freePort();
  const child = startChild(file, { ...options, env: { ...process.env, ...options.env, PORT: String(port) } });
  const url = `http://127.0.0.1:${port}`;
  await untilServing(url + path, child);
  return { ...child, url };
}
