import type { HeadersLike } from '../headers.ts';
import { type LeftBody, nodeBody, type NodeBodyStream } from '../raw-body.ts';
import type { Receiver } from '../receiver.ts';

/** The members used of an `http.IncomingMessage` or an Express request. */
export interface NodeRequest extends NodeBodyStream, LeftBody {
  readonly method?: string | undefined;
  readonly headers: HeadersLike;
}

/** The members used of an `http.ServerResponse` or an Express response. */
export interface NodeResponse {
  statusCode: number;
  setHeader(name: string, value: string): unknown;
  end(data: string): unknown;
  destroy(): unknown;
}

/**
 * A handler for `node:http` and Express. It reads the request stream, or uses a raw body: a Buffer or string that
 * `express.raw()` stored in `req.body`, or `req.rawBody`. It rejects a parsed body.
 */
export function toNodeHandler(receiver: Receiver): (req: NodeRequest, res: NodeResponse) => Promise<void> {
  return async (req, res) => {
    try {
      const rawBody = await nodeBody(req, req);
      const { status, body, headers } = await receiver.handle({ method: req.method, rawBody, headers: req.headers });
      res.statusCode = status;
      for (const [name, value] of Object.entries({ 'content-type': 'application/json', ...headers })) {
        res.setHeader(name, value);
      }
      res.end(JSON.stringify(body));
    } catch {
      // The sender closed the connection while sending, so no response is possible.
      res.destroy();
    }
  };
}
