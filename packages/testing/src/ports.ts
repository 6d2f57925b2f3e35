import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';
import getPort, { portNumbers } from 'get-port';

const lowest = 20_000;
const highest = 29_999;

/**
 * A free port on loopback, from 20000 to 29999. The range is below the ports that the system gives to outgoing
 * connections. No connection can therefore take the port before a program listens on it, and no other test process gets
 * it while this one runs.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    // Starts at random, so that programs that are started at the same time try different ports.
    const first = randomInt(lowest, highest);
    const port = await getPort({
      host: '127.0.0.1',
      port: [...portNumbers(first, highest), ...portNumbers(lowest, first)],
    });
    if (await reserve(port)) return port;
  }
}

/**
 * Reserves a port among test processes, by a socket of its name that ends with this process. Only Linux has such
 * sockets; elsewhere every port counts as reserved.
 */
async function reserve(port: number): Promise<boolean> {
  const server = createServer().unref();
  try {
    await once(server.listen(`\0runward-test-port-${port}`), 'listening');
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'EADDRINUSE';
  }
}
