import assert from "node:assert/strict";
import type { IncomingMessage } from "node:http";
import { Readable } from "node:stream";
import { test } from "node:test";
import fc from "fast-check";
import { ApiError, badRequest } from "../../server/errors.ts";
import { multipartFields, receiveMultipart } from "../../server/http/multipart.ts";

const HEAD = 'content-disposition: form-data; name="f"; filename="f"\r\n\r\n';
const TYPE = "multipart/form-data; boundary=b";

/** A request whose body arrives in these chunks. */
function requestOf(chunks: readonly Buffer[], type = TYPE): IncomingMessage {
  const headers = { "content-type": type };
  return Object.assign(Readable.from(chunks, { objectMode: false }), { headers }) as unknown as IncomingMessage;
}

/** The contents of the files of a body. Abandoned ones are not among them. */
async function filesOf(chunks: readonly string[], options: { maxFiles?: number; type?: string; bytes?: number } = {}) {
  const { maxFiles = 10, type, bytes = 10_000 } = options;
  const bodies = chunks.map((chunk) => Buffer.from(chunk, "latin1"));
  const open = new Set<object>();
  const form = await receiveMultipart(requestOf(bodies, type), {
    receiver: {
      begin: (limit) => {
        let text = "";
        const file = {
          append(part: Uint8Array) {
            text += Buffer.from(part).toString("latin1");
            if (text.length > limit.bytes) throw limit.refusal();
            return undefined;
          },
          finish: async () => {
            open.delete(file);
            return { path: text, size: text.length, sha256: "", head: Buffer.alloc(0), isUtf8: true };
          },
          abandon: async () => void open.delete(file),
        };
        open.add(file);
        return file;
      },
      discard: async () => {},
    },
    maxFiles,
    limit: { bytes, refusal: () => badRequest("unknown", { cause: "too large" }) },
    fieldBytes: 10_000,
  }).finally(() => assert.equal(open.size, 0, "each file is finished or abandoned"));
  return form.files.map(({ content }) => content.path);
}

const bodies: Record<string, { body: string; contents: string[] }> = {
  "several parts": {
    body: `--b\r\n${HEAD}one\r\n--b\r\n${HEAD}\r\n\r\n--b\r\n${HEAD}three\r\n\r\n--b--\r\n`,
    contents: ["one", "\r\n", "three\r\n"],
  },
  "text like a delimiter": {
    body: `--b\r\n${HEAD}\r\r\n-\r\n--\r\n--a --b\n--b\r\r\n--b--`,
    contents: ["\r\r\n-\r\n--\r\n--a --b\n--b\r"],
  },
  "empty parts": {
    body: `--b\r\n${HEAD}\r\n--b\r\n${HEAD}\r\n--b--`,
    contents: ["", ""],
  },
  "a preamble and an epilogue": {
    body: `for old --b programs\r\n--b\r\n${HEAD}x\r\n--b--\r\n--b\r\n${HEAD}no part\r\n--b--`,
    contents: ["x"],
  },
  "parts without an empty line": {
    body: `--b\r\n--b\r\nhead: only\r\n--b\r\n${HEAD}x\r\n--b--`,
    contents: ["x"],
  },
};

for (const [name, { body, contents }] of Object.entries(bodies))
  test(`${name}, wherever the body is cut`, async () => {
    assert.deepEqual(await filesOf([body]), contents);
    assert.deepEqual(await filesOf(Array.from(body)), contents, "byte by byte");
    for (let cut = 1; cut < body.length; cut += 1)
      assert.deepEqual(await filesOf([body.slice(0, cut), body.slice(cut)]), contents, `cut at ${cut}`);
  });

const malformed = { message: "The multipart body of the request is malformed." };

test("rejects a body without its end", async () => {
  const part = `--b\r\n${HEAD}x`;
  for (const body of ["", "x", part, `${part}\r\n--b`, `${part}\r\n--b\r\n--b-`, `--b\r\n${HEAD}`]) {
    await assert.rejects(filesOf([body]), malformed, body);
    await assert.rejects(filesOf(Array.from(body)), malformed, body);
    const message = /malformed|f is a file, but this endpoint/;
    await assert.rejects(multipartFields(Buffer.from(body), TYPE), message, body);
  }
});

test("rejects a content type without a boundary", async () => {
  for (const rest of [
    "",
    "; boundary",
    "; boundary=",
    '; boundary=""',
    `; boundary=${"x".repeat(300)}`,
    '; boundary="a',
  ])
    await assert.rejects(filesOf([`--\r\n${HEAD}x\r\n----`], { type: `multipart/form-data${rest}` }), malformed, rest);
  for (const [rest, boundary] of [
    ["; boundary=----WebKitFormBoundary7MA", "----WebKitFormBoundary7MA"],
    ['; charset=utf-8; Boundary="a b;c=d"', "a b;c=d"],
    [";boundary=x; charset=utf-8", "x"],
  ]) {
    const body = `--${boundary}\r\n${HEAD}x\r\n--${boundary}--`;
    assert.deepEqual(await filesOf([body], { type: `multipart/form-data${rest}` }), ["x"]);
  }
});

test("skips parts with endless headers", async () => {
  const long = `x: ${"y".repeat(100)}\r\n`.repeat(200);
  assert.deepEqual(await filesOf([`--b\r\n${long}${HEAD}x\r\n--b\r\n${HEAD}y\r\n--b--`], { bytes: 1e5 }), ["y"]);
  await assert.rejects(filesOf([`--b\r\n${long}`], { bytes: 1e5 }), malformed);
});

test("stops at the first error, also within a chunk", async () => {
  const part = `--b\r\n${HEAD}content\r\n`;
  await assert.rejects(filesOf([`${part.repeat(5)}--b--`], { bytes: 3 }), { message: "too large" });
  await assert.rejects(filesOf([`${part.repeat(5)}--b--`], { maxFiles: 2 }), {
    message: "Too many files: send at most 2.",
  });
  const field = '--b\r\ncontent-disposition: form-data; name="a"\r\n\r\n';
  await assert.rejects(filesOf([`${part}${`${field}1\r\n`.repeat(1000)}--b--`]), /too many fields/);
  await assert.rejects(filesOf([`${part}${`${field}${"1".repeat(2000)}\r\n`.repeat(6)}--b--`]), { status: 413 });
  await assert.rejects(filesOf([`${part}${field}\xff\r\n--b--`]), { message: "The request body is not valid UTF-8." });
  await assert.rejects(filesOf([`${part}--b--`, "z".repeat(120_000)]), { status: 413 });
});

test("any cut of any body has the same result", async () => {
  const piece = fc.constantFrom(
    "--b",
    "\r\n",
    HEAD,
    "text",
    "--",
    "\r",
    "-",
    `--b\r\n${HEAD}`,
    "\r\n--b--",
    "\r\n--b\r\n",
  );
  const resultOf = (chunks: readonly string[]) =>
    filesOf(chunks).catch((error: unknown) => {
      if (error instanceof ApiError) return error.message;
      throw error;
    });
  await fc.assert(
    fc.asyncProperty(fc.array(piece, { maxLength: 12 }), fc.nat(), async (pieces, at) => {
      const body = pieces.join("");
      const whole = await resultOf([body]);
      assert.deepEqual(await resultOf(Array.from(body)), whole);
      const cut = at % (body.length + 1);
      assert.deepEqual(await resultOf([body.slice(0, cut), body.slice(cut)].filter(Boolean)), whole);
    }),
    { numRuns: 200, interruptAfterTimeLimit: 60_000, markInterruptAsFailure: true },
  );
});
