import { createServer } from 'node:http';
import { startChild, type Child } from '@runward/testing/child';
import { closeServer, json, listenOnLoopback } from '@runward/testing/http-server';

/**
 * Runs something with a variable that holds a URL. A GET of this URL returns the address of the service that test files
 * share, and starts the service first if necessary. The service stops when the work is done.
 */
export async function withSharedApp<Result>(
  environment: Record<string, string>,
  run: (environment: Record<string, string>) => Promise<Result>,
): Promise<Result> {
  const stack = new AsyncDisposableStack();
  const start = async () => {
    const child: Child = stack.use(startChild('packages/testing/src/shared-app.ts', { env: environment }));
    return child.message();
  };
  let starting: Promise<unknown> | undefined;
  const server = createServer((_, res) => {
    starting ??= start();
    void starting.then(
      (address) => json(res, 200, address),
      (error: unknown) => res.writeHead(500).end(String(error)),
    );
  });
  stack.defer(() => closeServer(server));
  const port = await listenOnLoopback(server);
  try {
    return await run({ ...environment, TEST_SHARED_APP_URL: `http://127.0.0.1:${port}` });
  } finally {
    await stack.disposeAsync();
  }
}
