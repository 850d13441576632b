import { Socket } from "node:net";

// Loaded first into each Windows process under Wine: avoids Wine's own faults, and sets the folder of temporary files,
// because Wine does not pass TEMP on.

if (process.env.HEARTH_TEMP) process.env.TEMP = process.env.TMP = process.env.HEARTH_TEMP;

// Wine 8 does not know TCP_KEEPIDLE. libuv sets it when an unconnected socket has keep-alive, as `fetch` does, and the
// connection then fails with UNKNOWN. On a connected socket the error is ignored:
//   net.connect(port).setKeepAlive(true)                                  // connect UNKNOWN
//   net.connect(port, function () { this.setKeepAlive(true); })          // connects
const { setKeepAlive } = Socket.prototype;
Socket.prototype.setKeepAlive = function (...args) {
  if (!this.connecting) return setKeepAlive.apply(this, args);
  return this.once("connect", () => setKeepAlive.apply(this, args));
};
