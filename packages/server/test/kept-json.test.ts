import test from 'ava';
import * as fc from 'fast-check';
import { keepListJson, keepResponseJson, keptJson } from '../src/kept-json.ts';

const others = fc.dictionary(
  fc.string().filter((name) => name !== 'data'),
  fc.oneof(fc.jsonValue(), fc.constant(undefined)),
  { maxKeys: 5, noNullPrototype: true },
);

test('a page whose list was kept has the JSON that it would have otherwise', (t) => {
  fc.assert(
    fc.property(fc.array(fc.jsonValue()), fc.array(others, { minLength: 1, maxLength: 4 }), (data, responses) => {
      keepListJson(data);
      for (const other of responses) {
        t.deepEqual(JSON.parse(String(keptJson({ data, ...other }))), JSON.parse(JSON.stringify({ data, ...other })));
      }
    }),
  );
});

test('equal pages are the same bytes, and a response without a kept list is none', (t) => {
  const list = [{ title: 'Größe 🎉' }];
  t.is(keptJson({ data: list }), null);
  keepListJson(list);
  t.is(keptJson({ data: list, total: 1 }), keptJson({ data: list, total: 1 }));
  t.is(keptJson({ data: list, total: 2 })?.toString(), '{"data":[{"title":"Größe 🎉"}],"total":2}');
  for (const other of [{ data: [...list] }, { data: null }, null, undefined, 'text', 1]) t.is(keptJson(other), null);
});

test('a response that was kept has the JSON that it had then, also if it has a list', (t) => {
  for (const response of [{ id: 'Größe 🎉' }, { data: [1] }, {}]) {
    t.is(keptJson(response), null);
    keepResponseJson(response);
    t.is(keptJson(response), JSON.stringify(response));
  }
});
