// The tabs of one conversation and what their pages do unasked: dialogs, popups, downloads, crashes.
import type { BrowserContext, Dialog, Download, Page } from "playwright-core";
import type { PageNotes } from "./page-notes.ts";

export type Tab = { number: number; page: Page };

export function openSessionTabs(deps: { notes: PageNotes; mostTabs: number }, context: BrowserContext) {
  const { notes } = deps;
  const tabs: Tab[] = [];
  let current: Tab | undefined;
  let lastNumber = 0;
  let isOpening = false;
  let isLeaving = false;
  let expected: ((download: Download) => void) | undefined;
  context.on("page", (page) => {
    if (isOpening) return;
    if (tabs.length < deps.mostTabs) return notes.add(`tab ${adopt(page).number} was opened by a page`);
    notes.add("a page opened more tabs than allowed, and they were closed");
    letGo(page.close());
  });
  return {
    all: (): readonly Tab[] => tabs,
    current: () => current,
    show: (tab: Tab): void => {
      current = tab;
    },
    open,
    aside,
    leave,
    expectDownload,
  };

  async function open(): Promise<Tab> {
    current = adopt(await newPage());
    return current;
  }

  async function newPage(): Promise<Page> {
    isOpening = true;
    try {
      return await context.newPage();
    } finally {
      isOpening = false;
    }
  }

  /** A blank page that is no tab, for the time of the work. */
  async function aside<T>(work: (page: Page) => Promise<T>): Promise<T> {
    const page = await newPage();
    page.on("dialog", answerDialog);
    page.on("download", receiveDownload);
    try {
      return await work(page);
    } finally {
      letGo(page.close());
    }
  }

  function adopt(page: Page): Tab {
    lastNumber++;
    const tab = { number: lastNumber, page };
    tabs.push(tab);
    current ??= tab;
    page.on("dialog", answerDialog);
    page.on("download", receiveDownload);
    page.on("crash", () => {
      notes.add(`tab ${tab.number} crashed and was closed`);
      letGo(page.close());
    });
    page.once("close", () => {
      tabs.splice(tabs.indexOf(tab), 1);
      if (current === tab) current = tabs.at(-1);
    });
    return tab;
  }

  function answerDialog(dialog: Dialog): void {
    const passes = dialog.type() === "beforeunload" && isLeaving;
    notes.add(`${dialog.type()} ${passes ? "passed over" : "dismissed"}: ${JSON.stringify(dialog.message())}`);
    letGo(passes ? dialog.accept() : dialog.dismiss());
  }

  function receiveDownload(download: Download): void {
    const take = expected;
    expected = undefined;
    if (take) take(download);
    else {
      notes.add(`a download was offered and not taken: ${JSON.stringify(download.suggestedFilename())}`);
      letGo(download.cancel());
    }
  }

  /** While a page is left on purpose, its question whether to stay is not heeded. */
  async function leave<T>(work: () => Promise<T>): Promise<T> {
    isLeaving = true;
    try {
      return await work();
    } finally {
      isLeaving = false;
    }
  }

  /** The next download belongs to whoever asked; all others are cancelled. */
  function expectDownload(): { started: Promise<Download>; forget(): void } {
    const { promise, resolve } = Promise.withResolvers<Download>();
    expected = resolve;
    return {
      started: promise,
      forget: () => {
        if (expected === resolve) expected = undefined;
      },
    };
  }
}

function letGo(told: Promise<void>): void {
  // the page may be gone before it hears of it, which is what was wanted
  told.catch(() => {});
}
