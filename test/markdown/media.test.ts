import assert from "node:assert/strict";
import test from "node:test";
import { isAllowed } from "../../server/markdown/allow-list.ts";
import type { InlinePicture, Media } from "../../server/markdown/context.ts";
import { withPictures } from "../../server/markdown/media.ts";
import { html, render } from "./examples.ts";

const ready: InlinePicture = {
  kind: "picture",
  contentType: "image/png",
  dimensions: { width: 1920, height: 1080 },
  isAnimated: false,
  thumbnail: "840x560.webp",
};
const waiting: InlinePicture = { ...ready, thumbnail: undefined };
const uploads: Record<string, Media> = {
  "1/ab/cat.png": ready,
  "1/ab/dog.png": waiting,
  "1/ab/new.png": { ...waiting, dimensions: undefined },
  "1/ab/jump.gif": { ...ready, contentType: "image/gif", isAnimated: true, thumbnail: "840x560-anim.webp" },
  "1/ab/scan.tif": { ...ready, contentType: "image/tiff", transcoded: "1920x1080.webp" },
  "1/ab/film.mp4": { kind: "video" },
  "1/ab/song.mp3": { kind: "audio" },
};
const shown = (text: string) => html(text, { upload: (path) => uploads[path] });

const link = (name: string, text = name) => `<a href="/user_uploads/1/ab/${name}">${text}</a>`;
const IMG =
  '<img data-original-content-type="image/png" data-original-dimensions="1920x1080" src="/user_uploads/thumbnail/1/ab/cat.png/840x560.webp">';
const PLACEHOLDER =
  '<img class="image-loading-placeholder" data-original-content-type="image/png" data-original-dimensions="1920x1080" src="/generated/loading.png">';
const picture = (name: string, img: string, title = name) =>
  `<div class="message_inline_image"><a href="/user_uploads/1/ab/${name}" title="${title}">${img}</a></div>`;

test("a picture appears below its paragraph, with layout data for clients", () => {
  assert.equal(
    shown("look: [cat.png](/user_uploads/1/ab/cat.png)\n\nnext"),
    `<p>look: ${link("cat.png")}</p>\n${picture("cat.png", IMG)}\n<p>next</p>`,
  );
});

test("a placeholder has the available picture data", () => {
  assert.equal(
    shown("[dog](/user_uploads/1/ab/dog.png)"),
    `<p>${link("dog.png", "dog")}</p>\n${picture("dog.png", PLACEHOLDER, "dog")}`,
  );
  const unmeasured = PLACEHOLDER.replace(' data-original-dimensions="1920x1080"', "");
  assert.equal(
    shown("[new.png](/user_uploads/1/ab/new.png)"),
    `<p>${link("new.png")}</p>\n${picture("new.png", unmeasured)}`,
  );
});

test("marks animations and formats that browsers cannot show", () => {
  assert.match(
    shown("[a](/user_uploads/1/ab/jump.gif)"),
    /<img data-animated="true" data-original-content-type="image\/gif" [^>]*src="\/user_uploads\/thumbnail\/1\/ab\/jump.gif\/840x560-anim.webp">/,
  );
  assert.match(shown("[a](/user_uploads/1/ab/scan.tif)"), / data-transcoded-image="1920x1080.webp" src=/);
});

test("a video appears below its paragraph, audio replaces its link", () => {
  assert.equal(
    shown("[film.mp4](/user_uploads/1/ab/film.mp4)"),
    `<p>${link("film.mp4")}</p>\n<div class="message_inline_image message_inline_video"><a href="/user_uploads/1/ab/film.mp4" title="film.mp4"><video preload="metadata" src="/user_uploads/1/ab/film.mp4"></video></a></div>`,
  );
  assert.equal(
    shown('hear [my *"song"*](/user_uploads/1/ab/song.mp3) now'),
    '<p>hear <audio controls="" preload="metadata" src="/user_uploads/1/ab/song.mp3" title="my &quot;song&quot;"></audio> now</p>',
  );
});

test("each picture appears once, next to others of its paragraph", () => {
  assert.equal(
    shown("[a](/user_uploads/1/ab/cat.png) [b](/user_uploads/1/ab/dog.png)\n\n[c](/user_uploads/1/ab/cat.png)"),
    `<p>${link("cat.png", "a")} ${link("dog.png", "b")}</p>\n${picture("cat.png", IMG, "a")}${picture("dog.png", PLACEHOLDER, "b")}\n<p>${link("cat.png", "c")}</p>`,
  );
});

test("headings and list items can have pictures", () => {
  assert.equal(
    shown("# [cat.png](/user_uploads/1/ab/cat.png)"),
    `<h1>${link("cat.png")}</h1>\n${picture("cat.png", IMG)}`,
  );
  assert.equal(
    shown("- [cat.png](/user_uploads/1/ab/cat.png)\n- b"),
    `<ul>\n<li>${link("cat.png")}\n${picture("cat.png", IMG)}</li>\n<li>b</li>\n</ul>`,
  );
});

test("links in quotes, tables and code, and external links, embed nothing", () => {
  for (const text of [
    "> [cat.png](/user_uploads/1/ab/cat.png)",
    "|[cat.png](/user_uploads/1/ab/cat.png)|\n|-|\n|[film.mp4](/user_uploads/1/ab/film.mp4)|",
    "`/user_uploads/1/ab/cat.png`",
    "[cat.png](https://elsewhere.example/user_uploads/1/ab/cat.png)",
    "https://elsewhere.example/cat.png",
    "[cat.png](/user_uploads/1/ab/none.png)",
  ])
    assert.doesNotMatch(shown(text), /<img|<video|<audio|message_inline/, text);
});

test("a message with more than 24 pictures embeds none", () => {
  const many = (count: number) =>
    Array.from({ length: count }, (_, index) => `[${index}](/user_uploads/1/ab/${index})`).join(" ");
  const count = (text: string) => html(text, { upload: () => ready }).match(/message_inline_image/g)?.length ?? 0;
  assert.equal(count(many(24)), 24);
  assert.equal(count(many(25)), 0);
});

test("nothing in a name or a title becomes HTML", () => {
  const attack = `"><img src=x onerror=alert(1)>`;
  for (const media of [ready, waiting, uploads["1/ab/film.mp4"], uploads["1/ab/song.mp3"]]) {
    const made = html(`[${attack}](/user_uploads/1/ab/x%22%3E<b>.png) [${attack}](</user_uploads/1/ab/x"y.png>)`, {
      upload: () => media as Media,
    });
    assert.doesNotMatch(made, /<img src=x|<b>/);
    assert.ok(isAllowed(made), made);
  }
});

test("replaces placeholders with finished pictures and removes failed ones", () => {
  const text = `[dog.png](/user_uploads/1/ab/dog.png) [new.png](/user_uploads/1/ab/new.png)\n\nend`;
  const placeholders = shown(text);
  const { awaitsPictures } = render(text, { upload: (path) => uploads[path] });
  assert.deepEqual(awaitsPictures, ["1/ab/dog.png", "1/ab/new.png"]);
  const asked: string[] = [];
  const half = withPictures(placeholders, (path) => {
    asked.push(path);
    return path === "1/ab/dog.png" ? ready : waiting;
  });
  assert.deepEqual(asked, ["1/ab/dog.png", "1/ab/new.png"]);
  assert.match(half, /thumbnail\/1\/ab\/dog\.png\/840x560\.webp"><\/a><\/div><div class="message_inline_image">/);
  assert.equal(half.match(/image-loading-placeholder/g)?.length, 1);
  const gone = withPictures(half, () => undefined);
  assert.doesNotMatch(gone, /image-loading-placeholder/);
  assert.equal(
    withPictures(placeholders, () => undefined),
    `<p>${link("dog.png")} ${link("new.png")}</p>\n<p>end</p>`,
  );
  // Rendering with the thumbnail equals replacing the placeholder.
  assert.equal(half, html(text, { upload: (path) => (path === "1/ab/dog.png" ? ready : waiting) }));
  assert.ok(isAllowed(half) && isAllowed(gone));
});

test("ignores text that looks like a placeholder", () => {
  const fake = shown(`\`\`\`\n${picture("dog.png", PLACEHOLDER)}\n\`\`\`\n${picture("dog.png", PLACEHOLDER)}`);
  assert.equal(
    withPictures(fake, () => ready),
    fake,
  );
});

test("a replacement changes only the previews", () => {
  const text = [
    "```\none\n\n\ntwo\n```",
    "[dog.png](/user_uploads/1/ab/dog.png)",
    "* [new.png](/user_uploads/1/ab/new.png)\n* [film.mp4](/user_uploads/1/ab/film.mp4)",
    "```\none\n\ntwo\n```",
  ].join("\n\n");
  const rendered = (picture: Media | undefined) =>
    html(text, { upload: (path) => (path.endsWith(".png") ? picture : uploads[path]) });
  for (const picture of [ready, undefined])
    assert.equal(
      withPictures(rendered(waiting), () => picture),
      rendered(picture),
    );
});
