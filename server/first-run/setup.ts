import { createHash, randomInt, timingSafeEqual } from "node:crypto";
import { validOrganizationName } from "../access/organization.ts";
import { newSessionToken, SESSION_SECONDS } from "../access/sessions.ts";
import { validEmail, validFullName } from "../access/users.ts";
import type { App } from "../app.ts";
import { validPassword } from "../credentials/passwords.ts";
import { endpoints } from "../endpoints/index.ts";
import { getHostSession } from "../endpoints/operator-session.ts";
import { setUp } from "../endpoints/operator-setup.ts";
import { ApiError, aboutParameter, alreadySetUp, missingParameter } from "../errors.ts";
import type { AnyEndpoint, Call, ParamsOf } from "../http/endpoint.ts";
import { unavailable } from "../http/envelope.ts";
import type { HttpStore, Logger } from "../http/options.ts";
import { createHttp } from "../http/server.ts";
import { addPages } from "../pages.ts";
import type { User } from "../queries/users.ts";
import { isLoopback, listeningAt, listenOn, urlOf } from "../supervisor/listening.ts";
import { VERSION } from "../version.ts";
import { type Initialization, initialize } from "./init.ts";

export interface SetupOptions {
  dataFolder: string;
  host?: string | undefined;
  port?: number | undefined;
  operatorToken?: string | undefined;
  /** "host": only the host's credential may make the organization. "code": also who has the one-time code. */
  setup: "code" | "host";
  /** Hears of the code: at once, and whenever too many wrong ones have worn it out. */
  onCode: (code: string) => void;
  testing?: Initialization["testing"];
  logger?: Logger | undefined;
}

export interface RunningSetup {
  readonly url: string;
  /** Resolves when the organization is on disk and who made it has been told, as far as that was possible. */
  readonly made: Promise<void>;
  close(): Promise<void>;
}

/** First run: the pages, and as much of the API as makes the organization. Nothing is written before that. */
export async function startSetup(options: SetupOptions): Promise<RunningSetup> {
  const { dataFolder, setup, testing } = options;
  const code = setup === "code" ? new OneTimeCode(options.onCode) : undefined;
  const made = Promise.withResolvers<void>();
  let making: Promise<unknown> | undefined;
  let isMade = false;

  /** One at a time: the first that succeeds is the organization. */
  const make = async (params: ParamsOf<typeof setUp>, sessionToken: string | undefined) => {
    const organization = {
      organization: aboutParameter("organization", () => validOrganizationName(params.organization)),
      ownerName: aboutParameter("owner_name", () => validFullName(params.owner_name)),
      ownerEmail: aboutParameter("owner_email", () => validEmail(params.owner_email)),
      password: aboutParameter("password", () =>
        validPassword(params.password, [params.owner_name, params.owner_email]),
      ),
    };
    while (making) await making.catch(() => {}); // who began it is told of its failure
    if (isMade) throw alreadySetUp();
    making = initialize({ folder: dataFolder, ...organization, testing, sessionToken });
    try {
      await making;
      isMade = true;
    } finally {
      making = undefined;
    }
  };

  type OwnCall<P> = Call<App, User | null, P>;
  const own: readonly AnyEndpoint[] = [
    {
      ...getHostSession,
      handle: ({ atDesktop, address }: OwnCall<unknown>) => ({
        setup: true,
        code_needed: !atDesktop,
        data_folder: atDesktop || isLoopback(address) ? dataFolder : "",
        at_desktop: atDesktop,
        user: null,
      }),
    },
    {
      ...setUp,
      handle: async (call: OwnCall<ParamsOf<typeof setUp>>) => {
        const { params, atDesktop, address } = call;
        if (!isLoopback(address)) throw notFromElsewhere();
        if (!atDesktop) {
          if (!code) throw atTheDesktop();
          if (params.code === undefined) throw missingParameter("code");
          if (!code.matches(params.code)) throw wrongCode();
        }
        const token = atDesktop ? undefined : newSessionToken();
        await make(params, token);
        if (token !== undefined) call.setSession(token, SESSION_SECONDS);
        setImmediate(made.resolve); // after the answer has been written
        return {};
      },
    },
  ];
  const http = createHttp<App, User>({
    endpoints: [...own, ...endpoints.filter((one) => !own.some(({ route }) => route === one.route)).map(notYet)],
    store: nothing,
    app: {} as App, // no handler here looks at it
    identify: () => {
      throw noOrganizationYet();
    },
    hostToken: options.operatorToken,
    logger: options.logger ?? { error: (message, error) => console.error(message, error) },
    version: VERSION,
  });
  addPages(http.fastify);
  const listening = await listenOn(http, listeningAt(options));
  let closed: Promise<void> | undefined;
  return {
    url: urlOf(listening),
    made: made.promise,
    close: () =>
      (closed ??= (async () => {
        await http.close();
        await making?.catch(() => {}); // what is half made is whole when the thread ends
      })()),
  };
}

const noOrganizationYet = () => unavailable("There is no organization here yet.");
const wrongCode = () => new ApiError("INVALID_SETUP_CODE", "That is not the code.", { var_name: "code" });
const notFromElsewhere = () =>
  new ApiError("BAD_REQUEST", "An organization is made on the server's own machine.", {}, { status: 403 });
const atTheDesktop = () =>
  new ApiError("BAD_REQUEST", "This organization is made in Hearth's own window.", {}, { status: 403 });

/** Every other endpoint of the API: a client that finds the server like this is to try again. */
const notYet = (endpoint: AnyEndpoint): AnyEndpoint => ({
  ...endpoint,
  who: "anyone",
  ignoreCredentials: true,
  params: Object.fromEntries(Object.entries(endpoint.params).filter(([name]) => endpoint.route.includes(`{${name}}`))),
  handle: () => {
    throw noOrganizationYet();
  },
});

/** There is nothing to read, and nothing to wait for. */
const nothing: HttpStore = {
  get reader(): never {
    throw noOrganizationYet();
  },
  seq: 0,
  durable: () => undefined,
  transact: () => {
    throw noOrganizationYet();
  },
};

/** Crockford's base 32: without I, L, O and U, which are read as something else. */
const LETTERS = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
const WRONG_TRIES = 10;

/** Of 40 bits, `K3ZM-7Q4W`: proves that one sees the server's own output. */
class OneTimeCode {
  readonly #onCode: (code: string) => void;
  #digest: Buffer;
  #wrong = 0;

  constructor(onCode: (code: string) => void) {
    this.#onCode = onCode;
    this.#digest = this.#renew();
  }

  /** Letter case and dashes make no difference. Takes equally long wherever they differ. */
  matches(given: string): boolean {
    const read = given.toUpperCase().replace(/[\s-]/g, "").replaceAll("O", "0").replace(/[IL]/g, "1");
    if (timingSafeEqual(digest(read), this.#digest)) return true;
    this.#wrong += 1;
    if (this.#wrong >= WRONG_TRIES) this.#digest = this.#renew();
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
