import type { Context } from 'koa';

const lingerMs = 1_000;

/**
 * For a response that is sent before the body was read: closes the connection after it, but drops what arrives for
 * another moment. If the connection is reset while a client sends, the client cannot read the response (RFC 9112, 9.6).
 */
export function abandonBody({ req, res }: Context): void {
  res.setHeader('Connection', 'close');
  const { socket } = req;
  // Node calls this after the last response of a connection.
  socket.destroySoon = () => {
    socket.end();
    req.resume();
    setTimeout(() => socket.destroy(), lingerMs).unref();
  };
}
