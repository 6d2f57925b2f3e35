import type { Context } from 'koa';

const lingerMs = 1_000;

/**
 * For a response before the body was read: closes the connection after it, but drops what still arrives for a moment, because a client
 * that is sending when its connection is reset does not get to read the response (RFC 9112, 9.6).
 */
export function abandonBody({ req, res }: Context): void {
  res.setHeader('Connection', 'close');
  const { socket } = req;
  // What Node calls after the last response of a connection.
  socket.destroySoon = () => {
    socket.end();
    req.resume();
    setTimeout(() => socket.destroy(), lingerMs).unref();
  };
}
