// The public API. Private: how requests are sent, retried and read; no type of ofetch is visible.
export { createClient } from './client.ts';
export type { Download } from './download.ts';
export {
  isAborted,
  isApiError,
  isAuthenticationError,
  isConnectionError,
  isFeatureLocked,
  isNotFound,
  isPermissionError,
  isPreconditionFailed,
  isRateLimited,
  isRunwardError,
  isServerError,
  isTimeout,
  isValidationError,
} from './error-guards.ts';
export {
  AbortError,
  ApiError,
  type ApiErrorDetails,
  AuthenticationError,
  ConnectionError,
  FeatureLockedError,
  NotFoundError,
  PermissionError,
  PreconditionFailedError,
  RateLimitError,
  RunwardError,
  ServerError,
  TimeoutError,
  ValidationError,
} from './errors.ts';
export type { UploadSource } from './files/content.ts';
export type {
  AttachedFile,
  DownloadProgress,
  FileDownload,
  FileDownloadOptions,
  FileTransfers,
  SavedFile,
  SaveOptions,
  TransferOptions,
  UploadOptions,
  UploadProgress,
} from './files/options.ts';
export type {
  AppInfo,
  ClientOptions,
  Hooks,
  QueryValues,
  RawRequestOptions,
  RequestEvent,
  RequestOptions,
  ResponseEvent,
  RetryEvent,
  VersionedWriteOptions,
} from './options.ts';
export type { RateLimit } from './rate-limit.ts';
export type { ApiResponse, Call, Client, EndpointMethod, List, ListPage, Result } from './types.ts';
export type { FileInput } from '@runward/contract';
