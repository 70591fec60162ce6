// A long answer streamed into the real page, against two plain pages that are sent the same pieces at the same pace.
import { cutIntoPieces } from "../tests/fakes/model/model-answer.ts";
import { openBrowser, openVisitor, startSteward } from "../tests/scenes/page/page-scene.ts";
import { median, pause } from "./measure/figures.ts";
import { lastWords, longAnswer } from "./measure/long-answer.ts";
import { measurePage, type PageFigures } from "./measure/page-figures.ts";
import { type PlainWay, startPlainPage } from "./measure/plain-page.ts";
import { type Figure, printReport, type Unit } from "./measure/report.ts";

const rounds = 2;
const pieceCount = 1_095;
const answer = longAnswer(pieceCount * 12);
const gapMs = 5;
const settleMs = 1_000;
const viewport = { width: 1280, height: 800 };

const browser = await openBrowser();
const assistant = await startSteward({
  scripts: { "Tell me everything": [{ text: answer, pieces: pieceCount, delayPerPieceMs: gapMs }] },
});
const visitor = openVisitor(() => browser);
await using plain = await startPlainPage(cutIntoPieces(answer, pieceCount), gapMs);

const ours: PageFigures[] = [];
const blocks: PageFigures[] = [];
const whole: PageFigures[] = [];
try {
  for (let round = 0; round < rounds; round++) {
    ours.push(await streamIntoOurs());
    blocks.push(await streamIntoPlain("blocks"));
    whole.push(await streamIntoPlain("whole"));
  }
} finally {
  await assistant.close();
  await browser.close();
}

const rows: readonly [string, keyof PageFigures, Unit][] = [
  ["main thread, scripts", "scriptMs", "ms"],
  ["main thread, everything", "taskMs", "ms"],
  ["longest task", "longestTaskMs", "ms"],
  ["layout shift", "layoutShift", "score"],
];
printReport(
  rows.flatMap(([what, name, unit]) => [
    compared(what, name, unit, "whole", whole),
    compared(what, name, unit, "blocks", blocks),
  ]),
);

function compared(
  what: string,
  name: keyof PageFigures,
  unit: Unit,
  against: PlainWay,
  others: readonly PageFigures[],
): Figure {
  const value = median(ours.map((figures) => figures[name]));
  return { what, value, unit, against: { name: against, value: median(others.map((figures) => figures[name])) } };
}

async function streamIntoOurs(): Promise<PageFigures> {
  const { page } = await visitor.visit(assistant);
  const figures = await measurePage(browser, page, async () => {
    const composer = page.getByRole("textbox", { name: "Message" });
    await composer.fill("Tell me everything");
    await composer.press("Enter");
    await page.getByText(lastWords).first().waitFor({ timeout: 60_000 });
    await pause(settleMs);
  });
  const problems = await visitor.leave();
  if (problems.length > 0) throw new Error(`The page had problems: ${problems.join("; ")}`);
  return figures;
}

async function streamIntoPlain(way: PlainWay): Promise<PageFigures> {
  const page = await browser.newPage({ viewport });
  await page.goto(plain.address(way));
  const figures = await measurePage(browser, page, async () => {
    await page.getByRole("button").click();
    await page.waitForFunction("document.title === 'done'", undefined, { timeout: 120_000 });
    await pause(settleMs);
  });
  await page.close();
  return figures;
}
