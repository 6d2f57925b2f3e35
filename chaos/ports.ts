import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';

/**
 * A free port of loopback for one who comes and goes. It lies below those the system gives to connections: otherwise a client that
 * tries again and again while nobody listens could be given the port itself, and be connected to itself.
 */
export async function steadyPort(): Promise<number> {
  for (let tries = 0; tries < 100; tries += 1) {
    const port = randomInt(20_000, 30_000);
    const probe = createServer().listen(port, '127.0.0.1');
    const free = await once(probe, 'listening').then(
      () => true,
      () => false,
    );
    if (!free) continue;
    probe.close();
    await once(probe, 'close');
    return port;
  }
  throw new Error('No port from 20000 to 29999 is free.');
}
