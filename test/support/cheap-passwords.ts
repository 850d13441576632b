import crypto from "node:crypto";
import { syncBuiltinESMExports } from "node:module";

// Loaded before the server (server-process.ts): hashing a password takes 0.4 s of CPU and 128 MB, as it should, and tests
// sign people in hundreds of times. What the real cost is, test/access/passwords.test.ts knows. The passphrase of a
// backup, which processes without this file read too, keeps its cost: it allows scrypt more memory.

const { scrypt } = crypto;
const cheap = (
  password: crypto.BinaryLike,
  salt: crypto.BinaryLike,
  length: number,
  options: { N: number; r: number; maxmem: number },
  callback: (error: Error | null, key: Buffer) => void,
) => {
  const isPassphrase = options.maxmem === 256 * options.N * options.r;
  scrypt(password, salt, length, isPassphrase ? options : { ...options, N: 1024 }, callback);
};
Object.assign(crypto, { scrypt: cheap });
syncBuiltinESMExports();
