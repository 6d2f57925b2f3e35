import type { HeadersLike } from '../headers.ts';
import { type LeftBody, nodeBody, type NodeBodyStream, readBody } from '../raw-body.ts';
import type { Receiver } from '../receiver.ts';

/** The members used of a Fastify instance. */
export interface FastifyScope {
  removeAllContentTypeParsers(): void;
  addContentTypeParser(
    type: string,
    parser: (request: unknown, payload: AsyncIterable<Uint8Array>) => unknown,
  ): unknown;
  route(route: { method: string[]; url: string; handler: FastifyHandler }): unknown;
}

type FastifyHandler = (request: FastifyRequestLike, reply: FastifyReplyLike) => Promise<unknown>;

/** The members used of a Fastify request. */
export interface FastifyRequestLike extends LeftBody {
  readonly raw: NodeBodyStream & { readonly method?: string | undefined; readonly headers: HeadersLike };
}

/** The members used of a Fastify reply. */
export interface FastifyReplyLike {
  code(status: number): { headers(values: object): { send(body: unknown): unknown } };
}

/** A Fastify plugin that receives at `POST path` and rejects GET. Its raw body parser applies only inside it. */
export function fastifyPlugin(receiver: Receiver, { path }: { path: string }): (scope: FastifyScope) => Promise<void> {
  return async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', (_request, payload) => readBody(payload));
    const handler: FastifyHandler = async (request, reply) => {
      const { method } = request.raw;
      const rawBody = await nodeBody(request.raw, request);
      const { status, body, headers = {} } = await receiver.handle({ method, rawBody, headers: request.raw.headers });
      return reply.code(status).headers(headers).send(body);
    };
    scope.route({ method: ['GET', 'POST'], url: path, handler });
  };
}
