/*
 * Acts as another machine of the network. It prints the multicast DNS that it hears, asks for names from its input, and
 * with `take NAME` claims a name.
 */
import dgram from "node:dgram";
import { createInterface } from "node:readline";

const [own] = process.argv.slice(2);
const GROUP = "224.0.0.251";
const PORT = 5353;
const socket = dgram.createSocket({ type: "udp4", reuseAddr: true });
const taken = new Set();

function nameAt(packet, offset) {
  const labels = [];
  let end;
  for (let at = offset; ; ) {
    const length = packet[at];
    if (length === 0) return { name: labels.join("."), end: end ?? at + 1 };
    if (length >= 0xc0) {
      end ??= at + 2;
      at = packet.readUInt16BE(at) & 0x3fff;
      continue;
    }
    labels.push(packet.toString("utf8", at + 1, at + 1 + length));
    at += 1 + length;
  }
}

const encoded = (name) =>
  Buffer.concat([
    ...name.split(".").map((label) => Buffer.from([label.length, ...Buffer.from(label)])),
    Buffer.from([0]),
  ]);

function send(isAnswer, sections) {
  const header = Buffer.alloc(12);
  if (isAnswer) header.writeUInt16BE(0x8400, 2);
  header.writeUInt16BE(1, isAnswer ? 6 : 4);
  socket.send(Buffer.concat([header, ...sections]), PORT, GROUP);
}

function answerFor(name) {
  const record = Buffer.alloc(14);
  record.writeUInt16BE(1, 0); // A
  record.writeUInt16BE(0x8001, 2); // IN, with the cache-flush bit
  record.writeUInt32BE(120, 4);
  record.writeUInt16BE(4, 8);
  for (const [index, part] of own.split(".").entries()) record[10 + index] = Number(part);
  send(true, [encoded(name), record]);
}

socket.on("message", (packet, { address }) => {
  if (address === own) return;
  let at = 12;
  for (let count = packet.readUInt16BE(4); count > 0; count--) {
    const { name, end } = nameAt(packet, at);
    at = end + 4;
    if (taken.has(name.toLowerCase())) answerFor(name);
  }
  const records = packet.readUInt16BE(6) + packet.readUInt16BE(8) + packet.readUInt16BE(10);
  for (let count = 0; count < records; count++) {
    const { name, end } = nameAt(packet, at);
    const [type, ttl, length] = [packet.readUInt16BE(end), packet.readUInt32BE(end + 4), packet.readUInt16BE(end + 8)];
    const data = end + 10;
    at = data + length;
    if (packet.readUInt16BE(2) < 0x8000) continue; // a question may contain the sender's proposed records
    if (ttl === 0) console.log(`${name} goodbye`);
    else if (type === 1) console.log(`${name} A ${[...packet.subarray(data, data + 4)].join(".")}`);
    else if (type === 12) console.log(`${name} PTR ${nameAt(packet, data).name}`);
  }
});
socket.bind(PORT, () => {
  socket.addMembership(GROUP, own);
  socket.setMulticastInterface(own);
  console.log("listening");
});
createInterface({ input: process.stdin }).on("line", (line) => {
  if (line.startsWith("take ")) return void taken.add(line.slice(5));
  send(false, [encoded(line), Buffer.from([0, line.startsWith("_") ? 12 : 1, 0, 1])]);
});
