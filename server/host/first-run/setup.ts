import { createHash, randomInt, timingSafeEqual } from "node:crypto";
import { isAbsolute } from "node:path";
import { validOrganizationName } from "../../api/access/organization.ts";
import { newSessionToken, SESSION_SECONDS } from "../../api/access/sessions.ts";
import { validEmail, validFullName } from "../../api/access/users.ts";
import { contentsOfBackup } from "../../api/endpoints/backup-contents.ts";
import { endpoints } from "../../api/endpoints/index.ts";
import { previewRestoreAtSetup, restoreAtSetup, setUp } from "../../api/endpoints/operator-setup.ts";
import { getOperatorSession } from "../../api/endpoints/sessions.ts";
import type { User } from "../../api/queries/users.ts";
import type { App } from "../../app.ts";
import { ApiError, aboutParameter, alreadySetUp, badRequest, missingParameter, problem } from "../../errors.ts";
import type { AnyEndpoint, Call, ParamsOf } from "../../http/endpoint.ts";
import { unavailable } from "../../http/envelope.ts";
import type { HttpStore, Logger } from "../../http/options.ts";
import { createHttp } from "../../http/server.ts";
import { addPages } from "../../pages.ts";
import { VERSION } from "../../version.ts";
import { BackupFailed, PassphraseRefused } from "../backups/errors.ts";
import type { RestorePreview } from "../backups/restore.ts";
import { type RestoreTask, runOnThread } from "../backups/run-on-thread.ts";
import { validPassword } from "../credentials/passwords.ts";
import { listeningAt, listenOn, urlOf } from "../supervisor/listening.ts";
import { type Initialization, initialize } from "./init.ts";

export interface SetupOptions {
  dataFolder: string;
  host?: string | undefined;
  port?: number | undefined;
  operatorToken?: string | undefined;
  /** "operator": only the operator's token permits creating the organization. "code": the one-time code does too. */
  setup: "code" | "operator";
  /** Called with the first code, and with a new code after too many wrong guesses. */
  onCode: (code: string) => void;
  testing?: Initialization["testing"];
  logger?: Logger | undefined;
}

export interface RunningSetup {
  readonly url: string;
  /** Resolves when the organization is on disk and its creator has the response. */
  readonly finished: Promise<void>;
  close(): Promise<void>;
}

/** Serves first run: the pages, and the API for creating the organization. Writes nothing before that. */
export async function startSetup(options: SetupOptions): Promise<RunningSetup> {
  const creation = new Creation();
  const code = options.setup === "code" ? new OneTimeCode(options.onCode) : undefined;
  const own = setupEndpoints(options, creation, code);
  const http = createHttp<App, User>({
    endpoints: [
      ...own,
      ...endpoints.filter((one) => !own.some(({ route }) => route === one.route)).map(unavailableYet),
    ],
    store: emptyStore,
    app: {} as App, // no handler here uses it
    identify: () => {
      throw noOrganizationYet();
    },
    operatorToken: options.operatorToken,
    logger: options.logger ?? { error: (message, error) => console.error(message, error) },
    version: VERSION,
  });
  addPages(http.fastify);
  const listening = await listenOn(http, listeningAt(options));
  const close = async () => {
    await http.close();
    await creation.settled();
  };
  let closed: Promise<void> | undefined;
  return { url: urlOf(listening), finished: creation.finished, close: () => (closed ??= close()) };
}

/** Lets one request at a time create the organization, until one succeeds. */
class Creation {
  readonly #finished = Promise.withResolvers<void>();
  #running: Promise<unknown> | undefined;
  #isDone = false;

  get finished(): Promise<void> {
    return this.#finished.promise;
  }

  async run(create: () => Promise<unknown>): Promise<void> {
    while (this.#running) await this.settled();
    if (this.#isDone) throw alreadySetUp();
    this.#running = create();
    try {
      await this.#running;
      this.#isDone = true;
    } finally {
      this.#running = undefined;
    }
  }

  /** Resolves when no request is creating the organization. Each request reports its own failure. */
  async settled(): Promise<void> {
    await this.#running?.catch(() => {});
  }

  finishAfterResponse(): void {
    setImmediate(this.#finished.resolve);
  }
}

type OwnCall<P> = Call<App, User | null, P>;

function setupEndpoints(
  { dataFolder, testing }: SetupOptions,
  creation: Creation,
  code: OneTimeCode | undefined,
): readonly AnyEndpoint[] {
  return [
    {
      ...getOperatorSession,
      handle: ({ isOperator, isLocal }: OwnCall<unknown>) => ({
        setup: true,
        code_needed: !isOperator,
        data_folder: isOperator || isLocal ? dataFolder : "",
        at_desktop: isOperator,
        access: isOperator ? "host" : "none",
        user: null,
      }),
    },
    {
      ...setUp,
      handle: async (call: OwnCall<ParamsOf<typeof setUp>>) => {
        const { params, isOperator, userAgent } = call;
        assertMayCreate(call, code);
        const token = isOperator ? undefined : newSessionToken();
        const session = token === undefined ? undefined : { token, userAgent };
        const organization = await validOrganization(params);
        await creation.run(() => initialize({ folder: dataFolder, ...organization, general: true, testing, session }));
        if (token !== undefined) call.setSession(token, SESSION_SECONDS);
        creation.finishAfterResponse();
        return {};
      },
    },
    {
      ...previewRestoreAtSetup,
      handle: async (call: OwnCall<ParamsOf<typeof previewRestoreAtSetup>>) => {
        assertMayCreate(call, code);
        const preview = await fromBackup("preview restore", restoreTask(call.params.file, dataFolder, testing));
        return { ...contentsOfBackup(preview), needs_passphrase: preview.keys === "the backup's" };
      },
    },
    {
      ...restoreAtSetup,
      handle: async (call: OwnCall<ParamsOf<typeof restoreAtSetup>>) => {
        assertMayCreate(call, code);
        const { file, passphrase, end_all_keys: endAllKeys } = call.params;
        const task = { ...restoreTask(file, dataFolder, testing), passphrase, endAllKeys };
        await creation.run(() => fromBackup("restore", task));
        creation.finishAfterResponse();
        return {};
      },
    },
  ];
}

/** Refuses everyone except the operator and people on this machine who know the code. */
function assertMayCreate(
  { isOperator, isLocal, params }: OwnCall<{ code?: string | undefined }>,
  code: OneTimeCode | undefined,
): void {
  if (!isLocal) throw onlyOnThisMachine();
  if (isOperator) return;
  if (!code) throw onlyInTheWindow();
  if (params.code === undefined) throw missingParameter("code");
  if (!code.matches(params.code)) throw wrongCode();
}

async function validOrganization(params: ParamsOf<typeof setUp>) {
  const { organization, owner_name, owner_email, password } = params;
  return {
    organization: aboutParameter("organization", () => validOrganizationName(organization)),
    ownerName: aboutParameter("owner_name", () => validFullName(owner_name)),
    ownerEmail: aboutParameter("owner_email", () => validEmail(owner_email)),
    password: await aboutParameter("password", () => validPassword(password, [owner_name, owner_email])),
  };
}

function restoreTask(file: string, folder: string, testing: Initialization["testing"]): RestoreTask {
  if (!isAbsolute(file)) throw badRequest("file_path_not_absolute", { path: file }, { var_name: "file" });
  return { path: file, folder, segmentSize: testing?.segmentSize };
}

/** On a thread: a large backup takes long, and this thread must respond to its supervisor. */
async function fromBackup(kind: "preview restore" | "restore", task: RestoreTask): Promise<RestorePreview> {
  return runOnThread<RestorePreview>({ kind, options: task }).catch((error: unknown) => {
    if (error instanceof PassphraseRefused)
      throw new ApiError("BAD_REQUEST", error.problem, { var_name: "passphrase" });
    if (!(error instanceof BackupFailed)) throw error;
    const { code } = error as NodeJS.ErrnoException;
    const what = code === "ENOENT" ? problem("file_not_found_at", { path: task.path }) : error.problem;
    throw new ApiError("BAD_REQUEST", what, { var_name: "file" });
  });
}

const noOrganizationYet = () => unavailable("no_organization_yet");
const wrongCode = () => new ApiError("INVALID_SETUP_CODE", problem("wrong_setup_code"), { var_name: "code" });
const onlyOnThisMachine = () => new ApiError("BAD_REQUEST", problem("setup_local_only"), {}, { status: 403 });
const onlyInTheWindow = () => new ApiError("BAD_REQUEST", problem("setup_window_only"), {}, { status: 403 });

/** All other endpoints tell clients to try again later. */
const unavailableYet = (endpoint: AnyEndpoint): AnyEndpoint => ({
  ...endpoint,
  who: "anyone",
  ignoreCredentials: true,
  params: Object.fromEntries(Object.entries(endpoint.params).filter(([name]) => endpoint.route.includes(`{${name}}`))),
  handle: () => {
    throw noOrganizationYet();
  },
});

const emptyStore: HttpStore = {
  get reader(): never {
    throw noOrganizationYet();
  },
  seq: 0,
  durable: () => undefined,
  untilRoom: () => undefined,
  transact: () => {
    throw noOrganizationYet();
  },
};

/** Crockford's base 32, without I, L, O and U, which are easily misread. */
const LETTERS = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
const MAX_WRONG_GUESSES = 10;

/** A code of 40 bits, such as `K3ZM-7Q4W`. It proves that a person sees the server's output. */
class OneTimeCode {
  readonly #onCode: (code: string) => void;
  #digest: Buffer;
  #wrong = 0;

  constructor(onCode: (code: string) => void) {
    this.#onCode = onCode;
    this.#digest = this.#renew();
  }

  /** Ignores letter case and dashes. Compares in constant time. */
  matches(input: string): boolean {
    const normalized = input.toUpperCase().replace(/[\s-]/g, "").replaceAll("O", "0").replace(/[IL]/g, "1");
    if (timingSafeEqual(digest(normalized), this.#digest)) return true;
    this.#wrong += 1;
    if (this.#wrong >= MAX_WRONG_GUESSES) this.#digest = this.#renew();
    return false;
  }

  #renew(): Buffer {
    this.#wrong = 0;
    const letters = Array.from({ length: 8 }, () => LETTERS.charAt(randomInt(LETTERS.length))).join("");
    this.#onCode(`${letters.slice(0, 4)}-${letters.slice(4)}`);
    return digest(letters);
  }
}

const digest = (text: string) => createHash("sha256").update(text).digest();
