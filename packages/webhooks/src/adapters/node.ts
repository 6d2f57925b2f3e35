import { type LeftBody, nodeBody, type NodeBodyStream } from '../raw-body.ts';
import type { HeadersLike } from '../headers.ts';
import type { Receiver } from '../receiver.ts';

/** The parts used of an `http.IncomingMessage` or an Express request. */
export interface NodeRequest extends NodeBodyStream, LeftBody {
  readonly headers: HeadersLike;
}

/** The parts used of an `http.ServerResponse` or an Express response. */
export interface NodeResponse {
  statusCode: number;
  setHeader(name: string, value: string): unknown;
  end(data: string): unknown;
  destroy(): unknown;
}

/**
 * A handler for `node:http` and Express. Reads the raw stream itself; also takes a Buffer or string that
 * `express.raw()` left in `req.body`, or a `req.rawBody`. A parsed body is refused.
 */
export function toNodeHandler(receiver: Receiver): (req: NodeRequest, res: NodeResponse) => Promise<void> {
  return async (req, res) => {
    try {
      const rawBody = await nodeBody(req, req);
      const { status, body } = await receiver.handle({ rawBody, headers: req.headers });
      res.statusCode = status;
      res.setHeader('content-type', 'application/json');
      res.end(JSON.stringify(body));
    } catch {
      // The sender hung up while it was sending: nobody is left to answer.
      res.destroy();
    }
  };
}
