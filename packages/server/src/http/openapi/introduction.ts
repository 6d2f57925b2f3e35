import { limits } from '@runward/contract';

/** The limits that a client can meet, as rows of a table. */
const limitRows = Object.values(limits)
  .map((limit) => `| ${limit.bounds} | ${limit.default.toLocaleString('en')} ${limit.unit} | ${limit.beyond} |`)
  .join('\n');

/**
 * What all endpoints share, which the reference shows before the endpoints. The guide to the HTTP API describes each
 * subject in more detail.
 */
export const introduction = `Runward runs repeatable processes. A **template** describes one: its tasks, forms, rules and deadlines. A **run** carries
it out: people and programs fill in the forms and complete the tasks. **Webhooks** report what happens.

The guides are served as Markdown: [quick start](/docs/guides/quick-start.md), [concepts](/docs/guides/concepts.md),
[HTTP API](/docs/guides/api.md), [webhooks](/docs/guides/webhooks.md), and [all others](/llms.txt).

# Authentication

Send an API key with each request:

\`\`\`sh
curl -H "Authorization: Bearer $RUNWARD_API_KEY" "$RUNWARD_BASE_URL/runs?status=RUNNING"
\`\`\`

An endpoint names the **scope** that the key needs, such as \`runs:read\`. A key can also be restricted to some templates or folders; records
outside are absent from lists, and a 403 when they are requested. [\`GET /me\`](#tag/caller/GET/me) returns what a key may do. The first start of
the service writes a key to \`credentials.json\` in its data folder. Owners and admins create keys with a browser session, operators with
\`runward-admin key create\` (in a clone of the repository: \`npm run admin -- key create\`).

Browsers use the cookies of a session instead. Their writes repeat the cookie \`flow_csrf\` in the header \`x-service-csrf\`. Endpoints that manage
keys, members and secrets accept only sessions.

# Errors

Every response with a status of 400 or higher has the same body:

\`\`\`json
{
  "statusCode": 400,
  "error": "Bad Request",
  "message": ["dueAt: must be an ISO 8601 timestamp with a time zone, like 2026-03-01T09:00:00Z"],
  "timestamp": "2026-03-02T09:45:00.000Z",
  "path": "/runs/tasks/0195f3a0-5a50-7c1e-9d0f-3f2b8c1d4e5f/due-date",
  "code": "validation_failed"
}
\`\`\`

\`code\` is for programs: codes keep their meaning, and [the guide](/docs/guides/errors.md) explains each. Later versions add codes, so treat an
unknown one like its status. \`message\` says what is wrong, then what to do. It is a list if the input is invalid, with one text per problem that begins with the path of
the property. After an error nothing has changed. A record that does not exist, was deleted or belongs to another organization is a 404.
The header \`x-request-id\` names the request in the log of the service.

# Pages

Lists return \`{ data, total, hasMore, nextCursor }\`. \`limit\` is at most 200, which is also the default. To get the next page, repeat the
request with \`cursor\` set to \`nextCursor\`, until \`hasMore\` is false. \`total\` is exact, unless a list is
requested with \`total=bounded\`.

# Rate limits

A key may make 1,500 reads (GET) and 300 writes per minute, unless the operator sets other limits. Every response carries
\`X-RateLimit-Limit\`, \`X-RateLimit-Remaining\` and \`X-RateLimit-Reset\` (seconds since 1970). A request over the limit is a 429 that changes nothing; repeat it
after the seconds in \`Retry-After\`. Endpoints for many records count as one request.

# Limits

Besides the limits that schemas state, an operator can set these:

| Bounds | Default | Beyond it |
| --- | --- | --- |
${limitRows}

# Safe repetition

A write with the header \`Idempotency-Key\`, such as a UUID, takes effect once: for 24 hours, the same request with the same key returns the
stored response and \`Idempotency-Replayed: true\`. Send one with every POST and PATCH, so that you can repeat them if the connection fails. The SDK
does that by itself.

# Versions

Templates, runs, portals, their pages and the organization have a \`version\`, which is also the \`ETag\` of the response. With
\`If-Match\`, a write is rejected with 412 if the record has changed since; with \`If-None-Match\`, an unchanged record is a 304.

# Timestamps

Timestamps are ISO 8601 in UTC with milliseconds, like \`2026-03-01T09:00:00.000Z\`. Requests may use any time zone, but must state one. Names that
end in \`Local\` are calendar days in the time zone of the organization, like \`2026-03-01\`.
`;
