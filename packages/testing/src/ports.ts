import { randomInt } from 'node:crypto';
import getPort, { portNumbers } from 'get-port';

const lowest = 20_000;
const highest = 29_999;

/**
 * A port of loopback that is free right now, from 20000 to 29999. The range lies below the ports the system gives to outgoing
 * connections, so that no connection takes the port between this call and the moment a program listens on it.
 */
export function freePort(): Promise<number> {
  // Programs that start at the same moment begin at different ports.
  const first = randomInt(lowest, highest);
  return getPort({ host: '127.0.0.1', port: [...portNumbers(first, highest), ...portNumbers(lowest, first)] });
}
