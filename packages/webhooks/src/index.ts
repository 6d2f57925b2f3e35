// The public API. Private: computing signatures, and reading headers and bodies. verify, sign and the receiver do that.
export {
  type FastifyReplyLike,
  type FastifyRequestLike,
  type FastifyScope,
  fastifyPlugin,
} from './adapters/fastify.ts';
export { type FetchContext, type FetchHandler, toFetchHandler } from './adapters/fetch.ts';
export { type KoaContext, toKoaMiddleware } from './adapters/koa.ts';
export { type NodeRequest, type NodeResponse, toNodeHandler } from './adapters/node.ts';
export type { CatchUpOptions, CatchUpResult, Outcome } from './catch-up.ts';
export { type DuplicateStore, memoryDuplicateStore, type MemoryDuplicateStoreOptions } from './duplicates.ts';
export {
  CatchUpError,
  isWebhookVerificationError,
  WebhookVerificationError,
  type WebhookVerificationErrorCode,
} from './errors.ts';
export {
  type ApprovalDueEventData,
  type ApprovalEventData,
  type CommentEventData,
  type EventGroup,
  type EventOf,
  type EventPerson,
  isKnownEvent,
  isTestEvent,
  type KnownEventName,
  knownEventNames,
  type KnownWebhookEvent,
  type RunEventData,
  type TaskEventData,
  type UnknownWebhookEvent,
  type WebhookEnvelope,
  type WebhookEvent,
  type WebhookEventData,
  type WorkEventData,
} from './events.ts';
export type { HeadersLike, HeaderValue } from './headers.ts';
export type { LeftBody, NodeBodyStream, RawBody } from './raw-body.ts';
export {
  createReceiver,
  type Delivery,
  type ErrorContext,
  type EventHandler,
  type Receiver,
  type ReceiverOptions,
  type ReceiverResponse,
} from './receiver.ts';
export { sign, type SignedHeaders, type SignOptions } from './sign.ts';
export type { SecretOptions } from './signature.ts';
export { verify, type VerifyOptions } from './verify.ts';
