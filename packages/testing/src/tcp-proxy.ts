import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type NetConnectOpts, type Socket } from 'node:net';

/** A way to a server that a test can interrupt. */
export interface TcpProxy extends AsyncDisposable {
  readonly port: number;
  /** How many connections are open. */
  count(): number;
  /** Closes every connection. New connections work. */
  drop(): void;
  /** Ends every connection and each new one, until `restore`. */
  cut(): void;
  /** Keeps connections open but passes nothing on until `restore`, like a server that hangs. */
  freeze(): void;
  restore(): void;
}

/** Starts a proxy on loopback in front of a server, which may listen on a Unix socket. */
export async function startProxy(target: NetConnectOpts): Promise<TcpProxy> {
  const sockets = new Set<Socket>();
  let state: 'open' | 'cut' | 'frozen' = 'open';
  const keep = (socket: Socket) => {
    sockets.add(socket);
    socket.on('error', () => {}).on('close', () => sockets.delete(socket));
    if (state === 'frozen') socket.pause();
  };
  const drop = () => sockets.forEach((socket) => socket.destroy());
  const server = createServer((inner) => {
    if (state === 'cut') {
      inner.destroy();
      return;
    }
    const outer = connect(target);
    inner.on('close', () => outer.destroy());
    outer.on('close', () => inner.destroy());
    inner.pipe(outer).pipe(inner);
    keep(inner);
    keep(outer);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    count: () => sockets.size / 2,
    drop,
    cut: () => {
      state = 'cut';
      drop();
    },
    freeze: () => {
      state = 'frozen';
      sockets.forEach((socket) => socket.pause());
    },
    restore: () => {
      state = 'open';
      sockets.forEach((socket) => socket.resume());
    },
    [Symbol.asyncDispose]: async () => {
      server.close();
      drop();
    },
  };
}
