import { randomInt } from 'node:crypto';
import getPort, { portNumbers } from 'get-port';

const lowest = 20_000;
const highest = 29_999;

/**
 * A free port on loopback, from 20000 to 29999. The range is below the ports that the system gives to outgoing
 * connections. No connection can therefore take the port before a program listens on it.
 */
export function freePort(): Promise<number> {
  // A random start, so that programs started at the same moment try different ports.
  const first = randomInt(lowest, highest);
  return getPort({ host: '127.0.0.1', port: [...portNumbers(first, highest), ...portNumbers(lowest, first)] });
}
