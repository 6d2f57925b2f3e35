/** HTTP methods the API uses. */
export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** Whether a request changes data. */
export type Effect = 'read' | 'write';

/** All a client needs to send a request to an endpoint and read the response. */
export interface Route {
  readonly method: Method;
  /** Its parameters have the names of the arguments, like `:runId`. */
  readonly path: string;
  /** Everyone may call it, without authentication. */
  readonly isPublic?: true;
  /** Present if it only reads, whatever its method. */
  readonly effect?: 'read';
  /**
   * The kind of body. `json`; `keyed`: JSON with the property `idempotencyKey`; `binary`: any media type; a list:
   * multipart with files of these names. Absent: no body.
   */
  readonly body?: 'json' | 'keyed' | 'binary' | readonly string[];
  /** Whether it has query parameters. */
  readonly query?: true;
  /**
   * The kind of response. `list`: a page of a list, as JSON. An array: content of one of these media types. Absent: no
   * content.
   */
  readonly returns?: 'json' | 'list' | readonly string[];
}
