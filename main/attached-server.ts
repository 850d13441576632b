import { Failure, type Problem, problem, problemOf } from "../server/errors.ts";
import type { OrganizationSummary } from "../server/host/operator/state-feed.ts";
import { callsTo, type HostFile, readHostFile } from "../server/host/supervisor/running-server.ts";
import type { Outage, Supervisor, SupervisorState } from "../server/host/supervisor/supervisor.ts";
import { shortControlPath } from "../server/http/control-socket.ts";

/** The page polls the server itself, so these polls are only for the tray and to notice that the server ended. */
const POLL_MS = 3000;
/** The summary needs a measurement of the server's state, so only every few polls ask for it. */
const SUMMARY_EVERY = 3;

/** The parts of a supervisor that the window uses. */
export interface ServerHost
  extends Pick<
    Supervisor,
    "url" | "token" | "state" | "outage" | "restoring" | "isAlive" | "send" | "startNow" | "stop"
  > {
  /** The server's control socket. Without it, the window connects to the port. */
  readonly socket?: string | undefined;
}

export interface AttachedOptions {
  dataFolder: string;
  onState(state: SupervisorState): void;
  onSummary(summary: OrganizationSummary): void;
}

interface State {
  organization: { name: string };
  online: { elsewhere_count: number };
  network: { addresses: readonly { url: string }[] };
}

/** A server that a service runs in another process. `stop` ends only the polls. */
export class AttachedServer implements ServerHost {
  readonly restoring = undefined;
  /** Only users who can read the operator's token can open the socket, whatever runs at the port. Windows has none. */
  readonly socket: string | undefined;
  outage: Outage | undefined;
  state: SupervisorState = "restarting";
  readonly #options: AttachedOptions;
  #host: HostFile;
  #polls = 0;
  #timer: NodeJS.Timeout | undefined;
  #polling: Promise<void> | undefined;
  #stopped = false;

  private constructor(options: AttachedOptions) {
    const host = readHostFile(options.dataFolder);
    if (!host) throw new Failure(problem("server_not_ready"));
    this.#host = host;
    this.#options = options;
    this.socket = process.platform === "win32" ? undefined : shortControlPath(options.dataFolder);
  }

  /** Resolves after the first response, or the first failure. */
  static async attach(options: AttachedOptions): Promise<AttachedServer> {
    const attached = new AttachedServer(options);
    await attached.#poll();
    return attached;
  }

  get url(): string {
    return this.#current().url;
  }

  /** A restarted server has another token. */
  get token(): string {
    return this.#current().token;
  }

  get pid(): number {
    return this.#current().pid;
  }

  /** While the server is stopped, there is no file. */
  #current(): HostFile {
    this.#host = readHostFile(this.#options.dataFolder) ?? this.#host;
    return this.#host;
  }

  /** Whether the process that wrote the token runs. A server that has ended does not accept its token any more. */
  async isAlive(token: string): Promise<boolean> {
    if (this.socket !== undefined) return true;
    try {
      return token === this.token && process.kill(this.pid, 0);
    } catch (error) {
      return (error as NodeJS.ErrnoException).code === "EPERM";
    }
  }

  send(message: unknown): void {
    if (message !== "ping") return;
    this.#polls = 0;
    void this.#poll();
  }

  startNow(): void {
    void this.#poll();
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    clearTimeout(this.#timer);
  }

  #poll(): Promise<void> {
    this.#polling ??= this.#look().finally(() => {
      this.#polling = undefined;
      clearTimeout(this.#timer);
      if (!this.#stopped) this.#timer = setTimeout(() => void this.#poll(), POLL_MS).unref();
    });
    return this.#polling;
  }

  async #look(): Promise<void> {
    try {
      const call = callsTo(this.#options.dataFolder);
      const { setup } = await call<{ setup: boolean }>("GET", "/host/session");
      if (!setup && this.#polls++ % SUMMARY_EVERY === 0) this.#summarize(await call<State>("GET", "/host/state"));
      this.#become(setup ? "setup" : "running");
    } catch (error) {
      this.#become("restarting", problemOf(error));
      this.#polls = 0;
    }
  }

  #summarize({ organization, online, network }: State): void {
    const https = network.addresses.some(({ url }) => url.startsWith("https:"));
    if (!this.#stopped)
      this.#options.onSummary({ name: organization.name, peopleOnline: online.elsewhere_count, https });
  }

  #become(state: SupervisorState, why?: Problem): void {
    if (this.#stopped) return;
    this.outage = why && { problem: why, failures: (this.outage?.failures ?? 0) + 1 };
    if (state === this.state) return;
    this.state = state;
    this.#options.onState(state);
  }
}
