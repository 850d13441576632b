import { type Files, realFiles } from "../../server/storage/files.ts";

/** Real files that fail from the nth call on, like a process killed there. */
export function killedAt(step: number): { files: Files; calls: () => number } {
  let calls = 0;
  const counted = <T extends object>(target: T): T =>
    new Proxy(target, {
      get(of, name) {
        const value = Reflect.get(of, name) as unknown;
        if (typeof value !== "function" || name === "close") return value;
        return (...args: unknown[]) => {
          if (calls++ >= step) throw new Error("killed");
          const result = (value as (...all: unknown[]) => unknown).apply(of, args);
          return name === "open" ? counted(result as object) : result;
        };
      },
    });
  return { files: counted(realFiles), calls: () => calls };
}
