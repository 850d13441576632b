import assert from "node:assert/strict";
import { test } from "node:test";
import { ApiError } from "../../server/errors.ts";
import { boundaryOf, MultipartParts } from "../../server/http/multipart-parts.ts";

const HEAD = 'content-disposition: form-data; name="f"\r\n\r\n';
const HEAD_LINES = `\r\n${HEAD}`;

/** The parts of a body that comes in these chunks, each as [head, content]. */
function partsOf(chunks: readonly string[], boundary = "b"): [string, string][] {
  const parts: [string, string][] = [];
  let ended = 0;
  const reading = new MultipartParts(boundary, {
    head: (bytes) => void parts.push([bytes.toString("latin1"), ""]),
    content: (bytes) => {
      assert.ok(bytes.length > 0);
      (parts.at(-1) as [string, string])[1] += bytes.toString("latin1");
    },
    end: () => {
      ended += 1;
    },
  });
  for (const chunk of chunks) {
    const bytes = Buffer.from(chunk, "latin1");
    reading.write(bytes);
    bytes.fill(0); // valid only during the write
  }
  reading.end();
  assert.equal(ended, parts.length);
  return parts;
}

const bodies: Record<string, { body: string; contents: string[] }> = {
  "several parts": {
    body: `--b\r\n${HEAD}one\r\n--b\r\n${HEAD}\r\n\r\n--b\r\n${HEAD}three\r\n\r\n--b--\r\n`,
    contents: ["one", "\r\n", "three\r\n"],
  },
  "what looks like a delimiter": {
    body: `--b\r\n${HEAD}\r\r\n-\r\n--\r\n--a --b\n--b\r\r\n--b--`,
    contents: ["\r\r\n-\r\n--\r\n--a --b\n--b\r"],
  },
  "empty parts, also where one line end serves twice": {
    body: `--b\r\n${HEAD}\r\n--b\r\n${HEAD}--b--`,
    contents: ["", ""],
  },
  "a preamble and an epilogue": {
    body: `for old --b programs\r\n--b\r\n${HEAD}x\r\n--b--\r\n--b\r\n${HEAD}no part\r\n--b--`,
    contents: ["x"],
  },
  "parts without an empty line are none": {
    body: `--b\r\n--b\r\nhead: only\r\n--b\r\n${HEAD}x\r\n--b--`,
    contents: ["x"],
  },
};

for (const [name, { body, contents }] of Object.entries(bodies))
  test(`${name}, wherever the body is cut`, () => {
    const expected = contents.map((content) => [HEAD_LINES, content]);
    assert.deepEqual(partsOf([body]), expected);
    assert.deepEqual(partsOf(Array.from(body)), expected, "byte by byte");
    for (let cut = 1; cut < body.length; cut += 1)
      assert.deepEqual(partsOf([body.slice(0, cut), body.slice(cut)]), expected, `cut at ${cut}`);
  });

/** A part's head starts after the delimiter. */

test("rejects a body without its end and a part without its headers", () => {
  const malformed = (error: unknown) => error instanceof ApiError && /malformed/.test(error.message);
  for (const body of ["", "x", `--b\r\n${HEAD}x`, `--b\r\n${HEAD}x\r\n--b`, `--b\r\n${HEAD}x\r\n--b\r\n--b-`])
    assert.throws(() => partsOf([body]), malformed, body);
  const long = `x: ${"y".repeat(100)}\r\n`.repeat(200);
  assert.throws(() => partsOf([`--b\r\n${long}`]), malformed);
  assert.throws(() => partsOf([`--b\r\n${long}\r\nx\r\n--b--`]), malformed);
});

test("reads a boundary as clients write it", () => {
  const named = {
    "multipart/form-data; boundary=----WebKitFormBoundary7MA": "----WebKitFormBoundary7MA",
    'multipart/form-data; charset=utf-8; Boundary="a b;c=d"': "a b;c=d",
    "multipart/form-data;boundary=x; charset=utf-8": "x",
  };
  for (const [type, boundary] of Object.entries(named)) assert.equal(boundaryOf(type), boundary);
  for (const rest of [
    "",
    "; boundary",
    "; boundary=",
    '; boundary=""',
    `; boundary=${"x".repeat(201)}`,
    '; boundary="a',
  ])
    assert.throws(() => boundaryOf(`multipart/form-data${rest}`), /malformed/, rest);
});
