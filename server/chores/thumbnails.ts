import { completePicture, failPicture, noteAttempt, showPictures } from "../api/actions/pictures.ts";
import { type Attachment, attachmentById } from "../api/queries/attachments.ts";
import { isDeactivated } from "../api/queries/organization.ts";
import {
  messagesToShowPictures,
  nextPictures,
  type Picture,
  pictureOf,
  THUMBNAIL_FORMATS,
  type WaitingPicture,
} from "../api/queries/pictures.ts";
import type { StoredFiles } from "../media/files/stored-files.ts";
import { ImageRefused, type Images, ImagesBusy, ImagesClosed } from "../media/images/images.ts";
import type { ImageSource, ThumbnailFormat } from "../media/images/tasks.ts";
import { StorageClosed, StorageFailed, StorageFull } from "../storage/errors.ts";
import type { Store } from "../storage/store.ts";

/** Interval of checks for pictures that a full disk or a busy decoder delayed. */
const LOOK_MS = 10_000;
/** A picture is not tried again after three attempts, because the server may have crashed during each. */
const MAX_ATTEMPTS = 3;
/** Messages that one transaction changes, so that other requests are served in between. */
const SHOWN_AT_ONCE = 10;
const MAKE = { actor: null, action: "make thumbnails" };
const SHOW = { actor: null, action: "show pictures" };

/**
 * Makes the thumbnails of uploaded pictures, one picture at a time, and then updates the messages that wait for them.
 * People take turns, and the oldest picture of a person is next. After a restart it continues.
 */
export class Thumbnailer {
  readonly #store: Store;
  readonly #files: StoredFiles;
  readonly #images: Images;
  readonly #report: (message: string, error: unknown) => void;
  readonly #timer: NodeJS.Timeout;
  /** Counts turns, and has the latest turn of each person. */
  #turn = 0;
  readonly #latest = new Map<number, number>();
  #isWoken = false;
  #isStopped = false;
  #working: Promise<void> | undefined;

  constructor(options: {
    store: Store;
    files: StoredFiles;
    images: Images;
    report: (message: string, error: unknown) => void;
  }) {
    this.#store = options.store;
    this.#files = options.files;
    this.#images = options.images;
    this.#report = options.report;
    this.#timer = setInterval(() => this.wake(), LOOK_MS).unref();
  }

  /** Looks soon for pictures without thumbnails. Calls in the same turn are combined. */
  wake(): void {
    if (this.#isWoken || this.#isStopped) return;
    this.#isWoken = true;
    setImmediate(() => {
      this.#isWoken = false;
      this.#working ??= this.#work().finally(() => {
        this.#working = undefined;
      });
    });
  }

  /** Resolves after the last write. Close `images` first, which abandons the current picture. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    clearInterval(this.#timer);
    await this.#working;
  }

  async #work(): Promise<void> {
    try {
      while (this.#mayWork() && (this.#showSome() || (await this.#makeOne())))
        await new Promise((resolve) => setImmediate(resolve)); // lets other requests run
    } catch (error) {
      // These are temporary, or end the server.
      const passing = [StorageFull, StorageFailed, StorageClosed, ImagesBusy, ImagesClosed];
      if (!this.#isStopped && !passing.some((kind) => error instanceof kind))
        this.#report("Thumbnails could not be made", error);
    }
  }

  /** A deactivated organization does not change. */
  #mayWork(): boolean {
    return !this.#isStopped && this.#store.hasRoom && !isDeactivated(this.#store.reader);
  }

  /** Returns whether there were messages to change. */
  #showSome(): boolean {
    const ids = messagesToShowPictures(this.#store.reader, SHOWN_AT_ONCE);
    if (ids.length > 0) this.#store.transact(SHOW, (tx) => showPictures(tx, ids));
    return ids.length > 0;
  }

  /** Returns whether there was a picture without thumbnails. */
  async #makeOne(): Promise<boolean> {
    const picture = this.#next();
    if (!picture) return false;
    try {
      if (picture.attempts >= MAX_ATTEMPTS) throw new ImageRefused("too-large");
      this.#store.transact(MAKE, (tx) => noteAttempt(tx, picture.attachment_id));
      await this.#make(picture);
    } catch (error) {
      if (!(error instanceof ImageRefused)) throw error;
      if (this.#isStillThere(picture)) this.#store.transact(MAKE, (tx) => failPicture(tx, picture.attachment_id));
    }
    return true;
  }

  /** The next picture of the person who has waited longest since their last picture. */
  #next(): WaitingPicture | undefined {
    const pictures = nextPictures(this.#store.reader);
    if (pictures.length < 2) this.#latest.clear();
    const since = ({ person }: WaitingPicture) => this.#latest.get(person) ?? 0;
    const [next] = pictures.toSorted((a, b) => since(a) - since(b));
    this.#turn += 1;
    if (next) this.#latest.set(next.person, this.#turn);
    return next;
  }

  async #make(picture: WaitingPicture): Promise<void> {
    const attachment = attachmentById(this.#store.reader, picture.attachment_id) as Attachment;
    const source = { path: this.#files.pathOf({ kind: "attachments", name: attachment.file }) };
    const info = await this.#images.info(picture.person, source);
    const made: { name: string; bytes: Uint8Array }[] = [];
    for (const format of [...THUMBNAIL_FORMATS].sort((a, b) => Number(a.animated) - Number(b.animated))) {
      if (format.animated && info.frames === 1) continue;
      const bytes = await this.#thumbnail(picture.person, source, format);
      if (bytes) made.push({ name: format.name, bytes });
    }
    if (picture.format === "tiff") {
      const whole: ThumbnailFormat = { ...WHOLE, animated: false };
      const { bytes, width, height } = await this.#images.thumbnail(picture.person, source, whole);
      made.push({ name: `${width}x${height}.${whole.format}`, bytes });
    }
    const contents = made.map(({ bytes }) => ({ kind: "thumbnails" as const, content: bytes }));
    await this.#files.store(contents, (files) => {
      // The upload may be deleted by now.
      if (!this.#isStillThere(picture)) throw new ImageRefused("missing");
      const thumbnails = files.map((file, index) => ({ name: made[index]?.name as string, file }));
      this.#store.transact(MAKE, (tx) => completePicture(tx, picture.attachment_id, info, thumbnails));
    });
  }

  /** Undefined if an animation is too expensive: it is shown without motion. */
  async #thumbnail(person: number, source: ImageSource, format: ThumbnailFormat): Promise<Uint8Array | undefined> {
    try {
      return (await this.#images.thumbnail(person, source, format)).bytes;
    } catch (error) {
      if (format.animated && error instanceof ImageRefused) return undefined;
      throw error;
    }
  }

  #isStillThere({ attachment_id }: Picture): boolean {
    return pictureOf(this.#store.reader, attachment_id) !== undefined;
  }
}

/** Replaces a picture that browsers cannot show. Encoding it takes 0.4 seconds for a megapixel. */
const WHOLE = { max_width: 1920, max_height: 1920, format: "webp" } as const;
