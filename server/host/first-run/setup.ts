import { createHash, randomInt, timingSafeEqual } from "node:crypto";
import { isAbsolute } from "node:path";
import { validOrganizationName } from "../../api/access/organization.ts";
import { newSessionToken, SESSION_SECONDS } from "../../api/access/sessions.ts";
import { validEmail, validFullName } from "../../api/access/users.ts";
import type { NewSession } from "../../api/actions/sessions.ts";
import { contentsOfBackup } from "../../api/endpoints/backup-contents.ts";
import { endpoints } from "../../api/endpoints/index.ts";
import { previewRestoreAtSetup, restoreAtSetup, setUp } from "../../api/endpoints/operator-setup.ts";
import { getHostSession } from "../../api/endpoints/sessions.ts";
import type { User } from "../../api/queries/users.ts";
import type { App } from "../../app.ts";
import { ApiError, aboutParameter, alreadySetUp, badRequest, missingParameter } from "../../errors.ts";
import type { AnyEndpoint, Call, ParamsOf } from "../../http/endpoint.ts";
import { unavailable } from "../../http/envelope.ts";
import type { HttpStore, Logger } from "../../http/options.ts";
import { createHttp } from "../../http/server.ts";
import { addPages } from "../../pages.ts";
import { VERSION } from "../../version.ts";
import type { RestoreTask } from "../backups/backup-thread.ts";
import { BackupFailed, PassphraseRefused } from "../backups/errors.ts";
import type { RestorePreview } from "../backups/restore.ts";
import { runOnThread } from "../backups/run-on-thread.ts";
import { validPassword } from "../credentials/passwords.ts";
import { listeningAt, listenOn, urlOf } from "../supervisor/listening.ts";
import { type Initialization, initialize } from "./init.ts";

export interface SetupOptions {
  dataFolder: string;
  host?: string | undefined;
  port?: number | undefined;
  operatorToken?: string | undefined;
  /** "operator": the organization can be made with the operator's token only. "code": also with the one-time code. */
  setup: "code" | "operator";
  /** Called with the first code, and with a new one after too many wrong guesses. */
  onCode: (code: string) => void;
  testing?: Initialization["testing"];
  logger?: Logger | undefined;
}

export interface RunningSetup {
  readonly url: string;
  /** Resolves when the organization is on disk and its maker has the response. */
  readonly finished: Promise<void>;
  close(): Promise<void>;
}

/** Serves first run: the pages, and the API for making the organization. Writes nothing before that. */
export async function startSetup(options: SetupOptions): Promise<RunningSetup> {
  const { dataFolder, setup, testing } = options;
  const code = setup === "code" ? new OneTimeCode(options.onCode) : undefined;
  const finished = Promise.withResolvers<void>();
  let initializing: Promise<unknown> | undefined;
  let isMade = false;

  type OwnCall<P> = Call<App, User | null, P>;

  /** The first request that succeeds makes the organization. */
  const makeOrganization = async (params: ParamsOf<typeof setUp>, session: NewSession | undefined) => {
    const organization = {
      organization: aboutParameter("organization", () => validOrganizationName(params.organization)),
      ownerName: aboutParameter("owner_name", () => validFullName(params.owner_name)),
      ownerEmail: aboutParameter("owner_email", () => validEmail(params.owner_email)),
      password: await aboutParameter("password", () =>
        validPassword(params.password, [params.owner_name, params.owner_email]),
      ),
    };
    await alone(() => initialize({ folder: dataFolder, ...organization, general: true, testing, session }));
  };

  /** One request at a time makes the organization. */
  const alone = async (make: () => Promise<unknown>) => {
    while (initializing) await initializing.catch(() => {}); // its own request reports the failure
    if (isMade) throw alreadySetUp();
    initializing = make();
    try {
      await initializing;
      isMade = true;
    } finally {
      initializing = undefined;
    }
  };

  /** Refuses whoever is not known to sit at this machine. */
  const assertMayMake = ({ atDesktop, isLocal, params }: OwnCall<{ code?: string | undefined }>) => {
    if (!isLocal) throw onlyOnThisMachine();
    if (atDesktop) return;
    if (!code) throw onlyInTheWindow();
    if (params.code === undefined) throw missingParameter("code");
    if (!code.matches(params.code)) throw wrongCode();
  };

  /** On a thread, which may take long over a large backup: this one answers its supervisor meanwhile. */
  const fromBackup = async (kind: "preview restore" | "restore", options: Partial<RestoreTask> & { file: string }) => {
    const { file, ...rest } = options;
    if (!isAbsolute(file)) throw badRequest(`${file} is not the whole path of a file.`, { var_name: "file" });
    const task = { path: file, folder: dataFolder, segmentSize: testing?.segmentSize, ...rest };
    return runOnThread<RestorePreview>({ kind, options: task }).catch((error: unknown) => {
      if (error instanceof PassphraseRefused) throw badRequest(error.message, { var_name: "passphrase" });
      if (!(error instanceof BackupFailed)) throw error;
      const { code: reason } = error as NodeJS.ErrnoException;
      throw badRequest(reason === "ENOENT" ? `There is no file ${file}.` : error.message, { var_name: "file" });
    });
  };

  const setupEndpoints: readonly AnyEndpoint[] = [
    {
      ...getHostSession,
      handle: ({ atDesktop, isLocal }: OwnCall<unknown>) => ({
        setup: true,
        code_needed: !atDesktop,
        data_folder: atDesktop || isLocal ? dataFolder : "",
        at_desktop: atDesktop,
        access: atDesktop ? "host" : "none",
        user: null,
      }),
    },
    {
      ...setUp,
      handle: async (call: OwnCall<ParamsOf<typeof setUp>>) => {
        const { params, atDesktop } = call;
        assertMayMake(call);
        const token = atDesktop ? undefined : newSessionToken();
        await makeOrganization(params, token === undefined ? undefined : { token, userAgent: call.userAgent });
        if (token !== undefined) call.setSession(token, SESSION_SECONDS);
        setImmediate(finished.resolve); // after the response
        return {};
      },
    },
    {
      ...previewRestoreAtSetup,
      handle: async (call: OwnCall<ParamsOf<typeof previewRestoreAtSetup>>) => {
        assertMayMake(call);
        const preview = await fromBackup("preview restore", { file: call.params.file });
        return { ...contentsOfBackup(preview), needs_passphrase: preview.keys === "the backup's" };
      },
    },
    {
      ...restoreAtSetup,
      handle: async (call: OwnCall<ParamsOf<typeof restoreAtSetup>>) => {
        assertMayMake(call);
        const { file, passphrase, end_all_keys: endAllKeys } = call.params;
        await alone(() => fromBackup("restore", { file, passphrase, endAllKeys }));
        setImmediate(finished.resolve);
        return {};
      },
    },
  ];
  const http = createHttp<App, User>({
    endpoints: [
      ...setupEndpoints,
      ...endpoints.filter((one) => !setupEndpoints.some(({ route }) => route === one.route)).map(unavailableYet),
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
  let closed: Promise<void> | undefined;
  return {
    url: urlOf(listening),
    finished: finished.promise,
    close: () =>
      (closed ??= (async () => {
        await http.close();
        await initializing?.catch(() => {}); // completes the organization before the thread ends
      })()),
  };
}

const noOrganizationYet = () => unavailable("There is no organization here yet.");
const wrongCode = () => new ApiError("INVALID_SETUP_CODE", "That is not the code.", { var_name: "code" });
const onlyOnThisMachine = () =>
  new ApiError("BAD_REQUEST", "An organization is made on the server's own machine.", {}, { status: 403 });
const onlyInTheWindow = () =>
  new ApiError("BAD_REQUEST", "This organization is made in Hearth's own window.", {}, { status: 403 });

/** Every other endpoint of the API tells clients to try again later. */
const unavailableYet = (endpoint: AnyEndpoint): AnyEndpoint => ({
  ...endpoint,
  who: "anyone",
  ignoreCredentials: true,
  params: Object.fromEntries(Object.entries(endpoint.params).filter(([name]) => endpoint.route.includes(`{${name}}`))),
  handle: () => {
    throw noOrganizationYet();
  },
});

/** Nothing to read or to wait for. */
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

/** A code of 40 bits, like `K3ZM-7Q4W`: proves that a person sees the server's output. */
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
