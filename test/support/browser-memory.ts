import type { BrowserStorage } from "../../ui/chat/model/outbox.ts";

export class BrowserMemory implements BrowserStorage {
  readonly items = new Map<string, string>();
  get length(): number {
    return this.items.size;
  }
  key = (at: number) => [...this.items.keys()][at] ?? null;
  getItem = (key: string) => this.items.get(key) ?? null;
  setItem = (key: string, value: string) => void this.items.set(key, value);
  removeItem = (key: string) => void this.items.delete(key);
}
