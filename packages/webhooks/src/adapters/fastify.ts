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
  post(path: string, handler: (request: FastifyRequestLike, reply: FastifyReplyLike) => Promise<unknown>): unknown;
}

/** The members used of a Fastify request. */
export interface FastifyRequestLike extends LeftBody {
  readonly raw: NodeBodyStream & { readonly headers: HeadersLike };
}

/** The members used of a Fastify reply. */
export interface FastifyReplyLike {
  code(status: number): { send(body: unknown): unknown };
}

/** A Fastify plugin that receives on `POST path`. Its raw body parser applies only inside the plugin. */
export function fastifyPlugin(receiver: Receiver, { path }: { path: string }): (scope: FastifyScope) => Promise<void> {
  return async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', (_request, payload) => readBody(payload));
    scope.post(path, async (request, reply) => {
      const rawBody = await nodeBody(request.raw, request);
      const { status, body } = await receiver.handle({ rawBody, headers: request.raw.headers });
      return reply.code(status).send(body);
    });
  };
}
