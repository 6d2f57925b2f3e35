import test from 'ava';
import { readConfig } from '../../src/config.ts';

const base = 'http://127.0.0.1:4318';

test('traces are exported if one of two variables has a URL, and the more specific one is used as it is', (t) => {
  t.is(readConfig({ OTEL_SERVICE_NAME: 'acme', OTEL_EXPORTER_OTLP_HEADERS: 'a=b' }).tracing, undefined);
  t.deepEqual(readConfig({ OTEL_EXPORTER_OTLP_ENDPOINT: base }).tracing, {
    setting: 'OTEL_EXPORTER_OTLP_ENDPOINT',
    url: `${base}/v1/traces`,
    headers: {},
    serviceName: 'runward',
    sampler: 'parentbased_always_on',
    ratio: 1,
  });
  t.is(readConfig({ OTEL_EXPORTER_OTLP_ENDPOINT: `${base}/otlp/` }).tracing?.url, `${base}/otlp/v1/traces`);
  const own = {
    OTEL_EXPORTER_OTLP_ENDPOINT: base,
    OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'https://traces.example.com/in',
  };
  t.like(readConfig(own).tracing, {
    setting: 'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT',
    url: 'https://traces.example.com/in',
  });
});

test('a URL for traces with another protocol, a user or a query is rejected without being repeated', (t) => {
  for (const OTEL_EXPORTER_OTLP_ENDPOINT of [
    '127.0.0.1:4318',
    'grpc://a:4317',
    'http://user:secret@a',
    `${base}?key=secret`,
  ]) {
    const error = t.throws(() => readConfig({ OTEL_EXPORTER_OTLP_ENDPOINT }));
    t.regex(
      error.message,
      /OTEL_EXPORTER_OTLP_ENDPOINT: must be a URL like http:.* belongs in OTEL_EXPORTER_OTLP_HEADERS/,
    );
    t.notRegex(error.message, /secret/);
  }
});

test('headers for the receiver of traces are a list of encoded pairs, and a wrong one is not repeated', (t) => {
  const headersOf = (OTEL_EXPORTER_OTLP_HEADERS: string) =>
    readConfig({ OTEL_EXPORTER_OTLP_ENDPOINT: base, OTEL_EXPORTER_OTLP_HEADERS }).tracing?.headers;
  t.deepEqual(headersOf('Authorization=Basic%20YTpi==, x-team = one%2Ctwo'), {
    authorization: 'Basic YTpi==',
    'x-team': 'one,two',
  });
  for (const text of [
    '',
    'secret',
    '=secret',
    'a b=secret',
    'a=secret%',
    'a=secret%0D%0Ab: c',
    'a=secrét',
    'a=secret,',
  ]) {
    const error = t.throws(() => headersOf(text));
    t.regex(error.message, /OTEL_EXPORTER_OTLP_HEADERS: must be a list of headers like name=value,other-name=value/);
    t.notRegex(error.message, /secr/);
  }
});

test('a sampler is one of six, with a share from 0 to 1', (t) => {
  const settings = { OTEL_EXPORTER_OTLP_ENDPOINT: base, OTEL_TRACES_SAMPLER: 'traceidratio' };
  t.like(readConfig({ ...settings, OTEL_TRACES_SAMPLER_ARG: '0.05' }).tracing, {
    sampler: 'traceidratio',
    ratio: 0.05,
  });
  for (const OTEL_TRACES_SAMPLER_ARG of ['', '-1', '1.1', '5%', 'all', ' 1']) {
    t.throws(() => readConfig({ ...settings, OTEL_TRACES_SAMPLER_ARG }), {
      message: /OTEL_TRACES_SAMPLER_ARG: must be a number from 0 to 1/,
    });
  }
  t.throws(() => readConfig({ OTEL_TRACES_SAMPLER: 'jaeger_remote' }), {
    message: /OTEL_TRACES_SAMPLER: must be always_on, always_off, traceidratio, parentbased_always_on, /,
  });
});
