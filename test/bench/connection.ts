import { connect, type Socket } from "node:net";

const CHUNK = 1 << 16;

/**
 * One keep-alive connection with one request at a time. An HTTP client would cost too much: the load generator must be
 * several times cheaper than the server that it measures. Responses need a content-length.
 */
export class Connection {
  readonly #socket: Socket;
  #answered: (body: Buffer) => void = () => {};
  readonly #failed: (error: Error) => void;
  /** The buffer for a response that arrives in pieces. `#used` bytes of it are filled. */
  #pieces: Buffer | undefined;
  #used = 0;
  #bodyAt = 0;

  private constructor(socket: Socket, failed: (error: Error) => void) {
    this.#socket = socket;
    this.#failed = failed;
  }

  /** `failed` is called for a lost connection and for any response but 200. */
  static open(port: number, failed: (error: Error) => void): Promise<Connection> {
    return new Promise((resolve, reject) => {
      const socket = connect({
        port,
        host: "127.0.0.1",
        noDelay: true,
        onread: {
          buffer: Buffer.allocUnsafeSlow(CHUNK),
          callback: (count, bytes) => {
            connection.#read((bytes as Buffer).subarray(0, count));
            return true;
          },
        },
      });
      const connection = new Connection(socket, failed);
      socket.once("connect", () => resolve(connection));
      socket.once("error", (error) => {
        reject(error);
        failed(error);
      });
    });
  }

  /** Sends a complete request. The body is valid only during the callback. */
  ask(request: string, answered: (body: Buffer) => void): void {
    this.#answered = answered;
    this.#socket.write(request, "latin1");
  }

  close(): void {
    this.#socket.destroy();
  }

  #read(bytes: Buffer): void {
    if (this.#pieces) {
      bytes.copy(this.#pieces, this.#used);
      this.#used += bytes.length;
      if (this.#used < this.#pieces.length) return;
      const complete = this.#pieces;
      this.#pieces = undefined;
      this.#answered(complete.subarray(this.#bodyAt));
      return;
    }
    const headEnd = bytes.indexOf("\r\n\r\n");
    const head = bytes.toString("latin1", 0, Math.max(headEnd, 0));
    const length = Number(/content-length: (\d+)/i.exec(head)?.[1] ?? Number.NaN);
    if (!head.startsWith("HTTP/1.1 200 ") || Number.isNaN(length)) {
      this.#failed(new Error(`Not an answer that counts: ${bytes.toString("latin1", 0, 600)}`));
      return;
    }
    const size = headEnd + 4 + length;
    if (bytes.length === size) {
      this.#answered(bytes.subarray(headEnd + 4));
      return;
    }
    this.#pieces = Buffer.allocUnsafe(size);
    this.#bodyAt = headEnd + 4;
    this.#used = bytes.copy(this.#pieces);
  }
}
