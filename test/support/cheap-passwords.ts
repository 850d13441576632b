import crypto from "node:crypto";
import { syncBuiltinESMExports } from "node:module";

// Loaded before the server (server-process.ts). Hashing a password takes 0.4 s of CPU and 128 MB, and tests sign people
// in hundreds of times. test/access/passwords.test.ts checks the real cost. The passphrase of a backup, which processes
// without this file also read, keeps its cost: it allows scrypt more memory.

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
